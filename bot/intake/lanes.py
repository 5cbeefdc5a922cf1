"""Which lane a message or click waits in: what must be in order shares one."""

from bot.messages import Click, Incoming, IncomingMessage, Thread, Way
from bot.thread_words import word_of

_QUICK = "quick "


def is_quick(lane: str) -> bool:
    """Whether what waits there is done at once, past the questions of others."""
    return lane.startswith(_QUICK)


def lane_of(incoming: Incoming) -> str:
    """The name of the lane: the thread's, or one of its own where nothing must come before it."""
    match incoming:
        case Click():
            return f"{_QUICK}{incoming.thread.name} {incoming.click_id}"
        case IncomingMessage():
            if _is_command(incoming):
                return f"{_QUICK}{incoming.thread.name} {incoming.trace_id}"
            # What is to begin a thread of its own has no other messages to wait for.
            own = "" if incoming.thread.root else f" {incoming.trace_id}"
            return f"{incoming.thread.name}{own}"


def is_beside(lane: str, thread: Thread) -> bool:
    """Whether what waits in ``lane`` is to begin a thread of its own where ``thread`` is.

    ``thread``: a place, without a root.
    """
    return lane.startswith(f"{thread.name} ")


def _is_command(message: IncomingMessage) -> bool:
    if message.way is Way.COMMAND:
        return message.text.lower().split()[:1] != ["ask"]
    return word_of(message) is not None
