import pytest

from bot.platforms.mattermost_typed import begins_with_others, mentions, plain_text

BOT = "odabot"


@pytest.mark.parametrize(
    ("text", "typed"),
    [
        ("@odabot what is the PUE?", "what is the PUE?"),
        ("@odabot: what is the PUE?", "what is the PUE?"),
        ("@Odabot, what is the PUE?", "what is the PUE?"),
        ("hey @odabot what is the PUE?", "hey what is the PUE?"),
        ("what is the PUE, @odabot?", "what is the PUE, ?"),
        ("ask @odabot.", "ask ."),
        ("power > 100 W & PUE < 2", "power > 100 W & PUE < 2"),
        ("ask @ben or @odabot-2 or @odabot.old", "ask @ben or @odabot-2 or @odabot.old"),
        ("mail odabot@odabot.example", "mail odabot@odabot.example"),
        ("digest create in ~ops", "digest create in ~ops"),
        ("`total_power` of node 3", "total_power of node 3"),
        ("power\u00a0of  node 3\nfor 2 h ", "power of node 3\nfor 2 h"),
        ("@odabot", ""),
    ],
)
def test_a_person_meant_what_was_typed(text: str, typed: str) -> None:
    assert plain_text(text, BOT) == typed


@pytest.mark.parametrize("text", ["hello @odabot", "@ODABOT?", "(@odabot)", "ask @odabot."])
def test_a_mention_is_found_anywhere(text: str) -> None:
    assert mentions(text, BOT)


@pytest.mark.parametrize(
    "text",
    [
        "odabot",
        "@odabottle",
        "@odabot-2",
        "@odabot.old",
        "ada@odabot",
        "@here @all @channel",
        "type `@odabot help`",
        "```\n@odabot help\n```",
        "```\n@odabot never closed",
    ],
)
def test_what_mattermost_takes_for_no_mention_is_none(text: str) -> None:
    assert not mentions(text, BOT)


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("@ben can you look?", True),
        ("@here lunch", True),
        (" @ben can you look?", True),
        ("@ben ask @odabot that", False),
        ("@odabot what does @ben say", False),
        ("what does @ben say", False),
        ("~ops is down", False),
    ],
)
def test_who_is_spoken_to(text: str, others: bool) -> None:
    assert begins_with_others(text, BOT) is others
