"""The page's own files by the path that a browser asks for: whatever lies in its folder."""

from collections.abc import Mapping
from types import MappingProxyType

from bot.platforms.page_site import PAGE

_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


def _assets() -> dict[str, tuple[str, str]]:
    files = (file for file in sorted(PAGE.iterdir()) if file.suffix in _TYPES)
    return {
        "/" if file.name == "index.html" else f"/{file.name}": (file.name, _TYPES[file.suffix])
        for file in files
    }


ASSETS: Mapping[str, tuple[str, str]] = MappingProxyType(_assets())
"""Name and media type of each."""
