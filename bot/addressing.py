"""Is this message meant for us? Every reason to stay silent, in one place."""

from bot.messages import IncomingMessage


def is_for_us(message: IncomingMessage) -> bool:
    """Whether to answer ``message``."""
    return message.addressed
