"""Words to the bot itself rather than a question: which one a message is, if any."""

from enum import StrEnum

from bot.messages import IncomingMessage, Way


class Word(StrEnum):
    """What one can tell or ask the bot."""

    HELP = "help"
    STATUS = "status"
    WHOAMI = "whoami"
    FOLLOW = "follow"
    UNFOLLOW = "unfollow"


_MEANS = {
    **{word.value: word for word in Word},
    "what can you do": Word.HELP,
    "how do you work": Word.HELP,
    "who am i": Word.WHOAMI,
    "follow this thread": Word.FOLLOW,
    "unfollow this thread": Word.UNFOLLOW,
    "stop following": Word.UNFOLLOW,
    "stop following this thread": Word.UNFOLLOW,
}


def word_of(message: IncomingMessage) -> Word | None:
    """The word that is all of ``message``; a bare command asks for help."""
    if message.way not in (Way.MESSAGE, Way.COMMAND):
        return None
    text = " ".join(message.text.lower().split()).rstrip(".!?")
    if not text and message.way is Way.COMMAND:
        return Word.HELP
    return _MEANS.get(text)
