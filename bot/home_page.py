"""What a platform shows a person of their own, where it has a place for it."""

from dataclasses import dataclass

from bot.recent_threads import RecentThread


@dataclass(frozen=True, slots=True)
class HomePage:
    """What the bot can do, the reader's digests and latest conversations."""

    help: str
    """Plain words; what stands between backticks is typed as it stands."""
    digests: tuple[str, ...] = ()
    """One line each, in plain words."""
    recent: tuple[RecentThread, ...] = ()
