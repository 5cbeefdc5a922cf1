"""The one way out: paces, tries again, and posts each part of a reply once."""

from bot.outbound.gateway import Gateway
from bot.outbound.posting import Patience

__all__ = ["Gateway", "Patience"]
