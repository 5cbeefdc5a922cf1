"""Settings to the buttons: what they keep, and what they show."""

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import timedelta

from bot.access import Refused
from bot.buttons.choosing import Choosing
from bot.buttons.evidence import EvidenceDesk
from bot.buttons.pressed import Buttons
from bot.buttons.retiring import Retiring
from bot.buttons.speaking import Speaks
from bot.buttons.voting import HearsVotes, Voting
from bot.guard import Guard
from bot.messages import Click, IncomingMessage
from bot.settings import Settings
from bot.trace_tree import plain_text
from bot.trace_wiring import open_traces
from bot.turn_store import TurnStore
from bot.vote_file import VoteFile


@dataclass(frozen=True, slots=True)
class ButtonParts:
    """What a worker does with clicks, and with turns whose reply is posted."""

    buttons: Buttons
    retiring: Retiring


@contextmanager
def open_buttons(
    settings: Settings,
    url: str,
    turns: TurnStore,
    speaks: Speaks,
    guard: Guard,
    receive: Callable[[IncomingMessage], None],
) -> Iterator[ButtonParts]:
    """The buttons over the Redis server at ``url``, until the block is left.

    ``receive`` takes in the choices that are made.
    """
    from bot.redis_choices import RedisChoices
    from bot.redis_votes import RedisVotes

    def refusal(click: Click, turn: IncomingMessage) -> str:
        decision = guard.clicks(click, turn)
        return decision.text if isinstance(decision, Refused) else ""

    lives = timedelta(days=settings.session_days)
    with closing(RedisVotes(url, lives)) as votes, closing(RedisChoices(url, lives)) as choices:
        counts = timedelta(hours=settings.choice_hours)
        yield ButtonParts(
            Buttons(
                turns,
                speaks,
                refusal,
                Choosing(turns, speaks, receive, counts),
                EvidenceDesk(turns, speaks, steps_of(settings)),
                Voting(votes, who_hears_votes(settings), speaks),
            ),
            Retiring(turns, speaks, choices),
        )


def steps_of(settings: Settings) -> Callable[[str], str]:
    """The steps of a turn as a tree of text; empty where they cannot be read."""
    traces = open_traces(settings)

    def tree(turn: str) -> str:
        try:
            steps = traces.read(turn)
        except OSError:
            return ""
        return plain_text(steps) if steps else ""

    return tree


def who_hears_votes(settings: Settings) -> tuple[HearsVotes, ...]:
    """The file in the data folder, and Langfuse where it is named."""
    file, kept = VoteFile(settings.data / "votes.jsonl"), settings.trace
    if kept.langfuse_url is None:
        return (file,)
    from bot.langfuse_scores import LangfuseScores

    secret = kept.langfuse_secret_key
    assert secret is not None
    scores = LangfuseScores(kept.langfuse_url, kept.langfuse_public_key, secret.get_secret_value())
    return (file, scores)
