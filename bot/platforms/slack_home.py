"""The app's home in Slack: what it can do, the reader's digests and latest conversations."""

import html
from collections.abc import Iterator, Sequence

from bot.home_page import HomePage
from bot.recent_threads import RecentThread

_LONGEST_SECTION = 2900
_MOST_ROWS = 20

View = dict[str, object]


def home_view(page: HomePage, links: Sequence[str]) -> View:
    """The view to publish; ``links`` are those of the recent conversations, empty where unknown."""
    return {"type": "home", "blocks": list(_blocks(page, links))}


def _blocks(page: HomePage, links: Sequence[str]) -> Iterator[View]:
    yield _section(page.help)
    yield {"type": "divider"}
    yield _header("Your digests")
    yield _section(
        "\n".join(f"• {_plain(line)}" for line in page.digests[:_MOST_ROWS])
        or 'None yet: `/odabot digest create "PUE of yesterday" daily 08:00`'
    )
    yield _header("Your latest conversations")
    rows = (_row(*each) for each in zip(page.recent, links, strict=True))
    yield _section("\n".join(rows) or "None yet.")


def _row(recent: RecentThread, link: str) -> str:
    text = _plain(" ".join(recent.text.split())) or "(no text)"
    shown = f"<{link}|{text.replace('|', '/')}>" if link else text
    when = int(recent.at.timestamp())
    return f"• {shown}, <!date^{when}^{{date_short_pretty}} {{time}}|{recent.at:%Y-%m-%d %H:%M}>"


def _header(text: str) -> View:
    return {"type": "header", "text": {"type": "plain_text", "text": text}}


def _section(text: str) -> View:
    return {"type": "section", "text": {"type": "mrkdwn", "text": text[:_LONGEST_SECTION]}}


def _plain(text: str) -> str:
    return html.escape(text, quote=False)
