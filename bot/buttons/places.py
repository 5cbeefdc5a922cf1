"""Where the answer stands whose button was pressed."""

from dataclasses import replace

from bot.messages import Click, Thread
from bot.turn_store import TurnRecord


def place_of(click: Click, record: TurnRecord) -> Thread:
    """The thread of the answer: the message's, or the one that the answer began."""
    thread = record.message.thread
    return thread if thread.root else replace(thread, root=click.thread.root)


def is_of(click: Click, record: TurnRecord) -> bool:
    """Whether the turn was answered in the channel that the click comes from."""
    here, there = click.thread, record.message.thread
    return (here.platform, here.channel) == (there.platform, there.channel)
