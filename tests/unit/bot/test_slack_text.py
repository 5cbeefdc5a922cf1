import pytest

from bot.platforms.slack_text import begins_with_others, mentions, plain_text

BOT = "U0BOT"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("<@U0BOT> what is the PUE?", "what is the PUE?"),
        ("<@U0BOT>: what is the PUE?", "what is the PUE?"),
        ("<@U0BOT|odabot>, what is the PUE?", "what is the PUE?"),
        ("hey <@U0BOT> what is the PUE?", "hey what is the PUE?"),
        ("power &gt; 100 W &amp; PUE &lt; 2", "power > 100 W & PUE < 2"),
        ("power of <http://r205n01.m100.it|r205n01.m100.it>", "power of r205n01.m100.it"),
        ("see <https://example.org/a_b>", "see https://example.org/a_b"),
        ("ask <mailto:ada@example.org|ada@example.org>", "ask ada@example.org"),
        ("ask <@U01ADA> or <@U02BEN|ben>", "ask @U01ADA or @ben"),
        ("digest create in <#C01OPS|ops>", "digest create in <#C01OPS|ops>"),
        ("<!here> the <!subteam^S1|@oncall> too", "@here the @oncall too"),
        ("`total_power` of node 3", "total_power of node 3"),
        ("power\u00a0of  node 3\nfor 2 h ", "power of node 3\nfor 2 h"),
        ("a &lt;@U0BOT&gt; that was typed", "a <@U0BOT> that was typed"),
        ("<@U0BOT>", ""),
    ],
)
def test_a_person_meant_what_was_typed(text: str, typed: str) -> None:
    assert plain_text(text, BOT) == typed


def test_a_mention_is_found_anywhere() -> None:
    assert mentions("hello <@U0BOT>", BOT)
    assert mentions("hello <@U0BOT|odabot>", BOT)
    assert not mentions("hello <@U0BOTTLE> U0BOT", BOT)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("<@U02BEN> can you look?", True),
        ("<!here> lunch", True),
        (" <@U02BEN> can you look?", True),
        ("<@U02BEN> ask <@U0BOT> that", False),
        ("<@U0BOT> what does <@U02BEN> say", False),
        ("what does <@U02BEN> say", False),
        ("<http://a.example|a> is down", False),
    ],
)
def test_who_is_spoken_to(text: str, others: bool) -> None:
    assert begins_with_others(text, BOT) is others
