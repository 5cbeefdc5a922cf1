"""Errors of the bot package: only an operator can act on them.

BotError
  SettingsError         the configuration is incomplete or contradicts itself
  ListenError           an address to serve on cannot be had
  PlatformError         a chat platform refused or does not answer
    RateLimited         it wants to be asked again later
    PostRefused         it will never take this message
  SessionStoreError     sessions cannot be read or written
    ThreadBusy          another worker kept the thread for too long
  TurnStoreError        turns cannot be read or written
    LeaseLost           another worker has the lane by now
  DigestStoreError      digests cannot be read or written
  EvaluationError       a question set, or a file of answers or verdicts, cannot be used
  TraceError            a trace is not kept, or cannot be read
"""


class BotError(Exception):
    """The service cannot do its part."""


class SettingsError(BotError):
    """The configuration is incomplete or contradicts itself."""


class ListenError(BotError):
    """An address to serve on cannot be had."""


class PlatformError(BotError):
    """A chat platform refused or does not answer."""


class RateLimited(PlatformError):
    """The platform wants to be asked again later."""

    def __init__(self, message: str, seconds: float) -> None:
        """``seconds``: how long to wait."""
        super().__init__(message)
        self.seconds = seconds


class PostRefused(PlatformError):
    """The platform will never take this message as it is."""


class TurnStoreError(BotError):
    """Turns cannot be read or written."""


class LeaseLost(TurnStoreError):
    """Another worker has the lane by now; whoever lost it does nothing more for the turn."""


class DigestStoreError(BotError):
    """Digests cannot be read or written."""


class SessionStoreError(BotError):
    """Sessions cannot be read or written."""


class ThreadBusy(SessionStoreError):
    """Another worker kept the thread for too long."""


class EvaluationError(BotError):
    """A question set, or a file of answers or verdicts, cannot be used."""


class TraceError(BotError):
    """A trace is not kept, or cannot be read."""
