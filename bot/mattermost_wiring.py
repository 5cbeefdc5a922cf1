"""Settings to the bot in Mattermost: what it hears, and how it speaks."""

from collections.abc import Callable

from bot.addressing import Addressing, Follow
from bot.messages import Thread
from bot.settings import Settings

PLATFORM = "mattermost"


def addressing(settings: Settings, engaged: Callable[[Thread], bool]) -> Addressing:
    """What is meant for us; ``engaged``: whether we have answered in a thread."""

    def follow(thread: Thread) -> Follow:
        return settings.mattermost.follow_in.get(thread.channel, settings.mattermost.follow)

    return Addressing(follow, engaged)
