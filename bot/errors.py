"""Errors of the bot package: only an operator can act on them.

BotError
  SettingsError         the configuration is incomplete or contradicts itself
  PlatformError         a chat platform refused or does not answer
  SessionStoreError     sessions cannot be read or written
    ThreadBusy          another worker kept the thread for too long
  EvaluationError       a question set, or a file of answers or verdicts, cannot be used
  TraceError            a trace is not kept, or cannot be read
"""


class BotError(Exception):
    """The service cannot do its part."""


class SettingsError(BotError):
    """The configuration is incomplete or contradicts itself."""


class PlatformError(BotError):
    """A chat platform refused or does not answer."""


class SessionStoreError(BotError):
    """Sessions cannot be read or written."""


class ThreadBusy(SessionStoreError):
    """Another worker kept the thread for too long."""


class EvaluationError(BotError):
    """A question set, or a file of answers or verdicts, cannot be used."""


class TraceError(BotError):
    """A trace is not kept, or cannot be read."""
