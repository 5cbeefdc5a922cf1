"""The answers to the questions of a digest as one reply."""

from collections.abc import Sequence
from dataclasses import replace

from agent import Session
from bot.cell_text import visible
from bot.digests.asking import Tried
from bot.messages import Reply, Status, Thread


def joined_reply(heading: str, tried: Sequence[Tried], thread: Thread) -> Reply:
    """All answers below ``heading``, each below its question where there are several."""
    replies = [one.outcome.reply for one in tried]
    several = len(tried) > 1
    texts = [
        f"**{number}. {visible(one.part.question)}**\n{reply.markdown}"
        if several
        else reply.markdown
        for number, (one, reply) in enumerate(zip(tried, replies, strict=True), start=1)
    ]
    back = [reply for reply in replies if reply.status is Status.CLARIFICATION]
    return Reply(
        thread,
        _status(replies),
        "\n\n".join([*([heading] if heading else []), *texts]),
        tables=tuple(table for reply in replies for table in reply.tables),
        files=tuple(file for reply in replies for file in reply.files),
        choices=back[0].choices if len(back) == 1 else (),
        facts=tuple(
            replace(fact, label=f"{number}. {fact.label}") if several else fact
            for number, reply in enumerate(replies, start=1)
            for fact in reply.facts
        ),
    )


def joined_session(tried: Sequence[Tried]) -> Session:
    """The session of a thread in which all of it was asked: "and the day before?" goes on."""
    waiting = [one.session.pending for one in tried if one.session.pending is not None]
    turns = tuple(turn for one in tried for turn in one.session.turns)
    return Session(turns, waiting[0] if len(waiting) == 1 else None)


def told(thread: Thread, text: str, status: Status = Status.COMPLETED) -> Reply:
    """A reply of words alone."""
    return Reply(thread, status, text)


def _status(replies: Sequence[Reply]) -> Status:
    """Completed where anything was answered; else what came of the first."""
    statuses = [reply.status for reply in replies]
    for wanted in (Status.CLARIFICATION, Status.COMPLETED):
        if wanted in statuses:
            return wanted
    return statuses[0]
