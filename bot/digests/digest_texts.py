"""What people are told about digests."""

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from bot.cell_text import number_text, visible
from bot.digests.digest import Digest, DigestPart, Posting
from bot.digests.digest_command import EXAMPLE
from bot.digests.digest_store import DigestStore
from bot.digests.schedule import Schedule

_MARKED = re.compile(r"<#(?P<id>[^|>]+)(?:\|(?P<name>[^>]*))?>")
HELP = f"""A digest puts a question again whenever it is due, and posts the answer to a channel.

- `{EXAMPLE}`
- due `daily 08:00`, `weekdays 08:00`, `weekly Monday 09:00`, `monthly on the 1st at 07:00`, \
`hourly`, `cron "0 8 * * 1-5"`; several questions are kept apart by `;` or "and"
- `only when changed` or `only when changed by 5 %`: silent otherwise; `quiet on no data`
- `digest list`, `digest preview d3`, `digest run-now d3`, `digest pause d3`, `digest resume d3`, \
`digest delete d3`"""


def due_text(due: datetime, schedule: Schedule) -> str:
    """``due`` by the schedule's clocks and in UTC."""
    there = due.astimezone(ZoneInfo(schedule.zone))
    day = f"{there:%A} {there.day} {there:%B %Y}, {there:%H:%M}"
    if schedule.zone == "UTC":
        return f"{day} UTC"
    return f"{day} {schedule.zone} ({due.astimezone(UTC):%H:%M} UTC)"


def when_text(digest: Digest) -> str:
    """When ``digest`` is due: "daily at 08:00 Europe/Rome"."""
    return f"{digest.when.said} {digest.when.schedule.zone}"


def place_text(digest: Digest) -> str:
    """The channel by its name, where a platform wrote an id beside it: "#ops"."""
    marked = _MARKED.fullmatch(digest.place_said)
    return visible(f"#{marked['name'] or marked['id']}" if marked else digest.place_said)


def heading(digest: Digest, due: datetime, *, forced: bool) -> str:
    """What stands above what a digest posts."""
    time = due_text(due, digest.when.schedule)
    why = f"run now, {time}" if forced else f"{when_text(digest)}; due {time}"
    return f"**Digest {digest.id}: {visible(digest.question)}**\n_{why}_"


def posting_text(posting: Posting) -> str:
    """When a digest stays silent, as its owner is told; empty where it never does."""
    said = []
    if posting.by_percent is not None:
        said.append(
            f"It is posted only when a number changed by {number_text(posting.by_percent)} % or"
            " more since the last post, or when its rows name other things."
        )
    elif posting.only_when_changed:
        said.append(
            "It is posted only when its rows name other things than in the last post; numbers"
            " count where rows have no names. For numbers say: only when changed by 5 %."
        )
    if posting.quiet_without_data:
        said.append("It stays silent when there are no data.")
    return " ".join(said)


def parts_text(parts: Sequence[DigestPart]) -> str:
    """The questions that a digest was taken as; empty where it is one as it stands."""
    if len(parts) == 1:
        return ""
    lines = [f"{n}. {visible(part.question)}" for n, part in enumerate(parts, start=1)]
    return "\n".join([f"I read it as {len(parts)} questions:", *lines])


def created_text(digest: Digest, due: datetime, site_zone: str) -> str:
    """What the owner of a new digest is told."""
    zone = digest.when.schedule.zone
    place = f" in {place_text(digest)}" if digest.place_said else " here"
    lines = [
        f"Digest **{digest.id}** is set: {visible(digest.question)}, {when_text(digest)},{place}.",
        f"Next run: {due_text(due, digest.when.schedule)}.",
        parts_text(digest.parts),
        posting_text(digest.posting),
    ]
    if zone != site_zone:
        lines.append(f'Words such as "yesterday" are read in the site\'s zone, {site_zone}.')
    return "\n".join(line for line in lines if line)


def plain_lines(store: DigestStore, platform: str, owner: str) -> tuple[str, ...]:
    """A line without markup for each digest of ``owner``; raises DigestStoreError."""
    due = store.due_times()
    mine = [d for d in store.all() if (d.place.platform, d.owner) == (platform, owner)]
    lines = [line_of(digest, due.get(digest.id), "") for digest in mine]
    return tuple(line.removeprefix("- ").replace("**", "") for line in lines)


def line_of(digest: Digest, due: datetime | None, ended: str) -> str:
    """``digest`` in a list."""
    next_run = f"next {due_text(due, digest.when.schedule)}" if due else "paused"
    place = f" in {place_text(digest)}" if digest.place_said else ""
    last = f"; last run: {ended}" if ended else ""
    said = f"{visible(digest.question)}: {when_text(digest)}{place}"
    return f"- **{digest.id}** {said}; {next_run}{last}"
