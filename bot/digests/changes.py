"""What has changed from what a digest said to what it says now, in words."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from bot.cell_text import number_text
from bot.digests.snapshot import PartSnapshot, RowSnapshot, TableSnapshot

_MOST_NAMED = 10
_MOST_LINES = 8


def changes(
    before: Sequence[PartSnapshot], now: Sequence[PartSnapshot], by_percent: float | None
) -> tuple[str, ...]:
    """A line for each change that counts; none where nothing changed.

    Things that rows are about count wherever they come or go. Numbers count from ``by_percent``
    on; without it, only in tables whose rows are about nothing that could come or go.
    """
    if len(before) != len(now):
        return ("It is asked in other parts than before.",)
    found = [
        line
        for old, new in zip(before, now, strict=True)
        for line in _part_changes(old, new, by_percent)
    ]
    more = len(found) - _MOST_LINES
    return (*found[:_MOST_LINES], *((f"and {more} more changes.",) if more > 0 else ()))


def carried(
    before: Sequence[PartSnapshot], now: Sequence[PartSnapshot]
) -> tuple[PartSnapshot, ...]:
    """``now``, to be compared with later: what gave no tables keeps those that it had before."""
    return tuple(
        PartSnapshot(new.ended, old.tables)
        if old is not None and new.ended not in ("answered", "no data")
        else new
        for old, new in zip_longest(before[: len(now)], now)
    )


def _part_changes(old: PartSnapshot, new: PartSnapshot, by_percent: float | None) -> Iterator[str]:
    if old.ended != new.ended:
        yield f"{old.ended.capitalize()} before, {new.ended} now."
    if new.ended != "answered":
        return
    if [t.name for t in old.tables] != [t.name for t in new.tables]:
        if old.ended == "answered":
            yield "Its tables are others than before."
        return
    for was, now in zip(old.tables, new.tables, strict=True):
        yield from _table_changes(was, now, by_percent)


def _table_changes(
    was: TableSnapshot, now: TableSnapshot, by_percent: float | None
) -> Iterator[str]:
    if not (_is_whole(was) and _is_whole(now)):
        if was.digest != now.digest:
            yield f"{now.name}: {now.row_count} rows, {was.row_count} before."
        return
    come = [thing for thing in now.things if thing not in set(was.things)]
    gone = [thing for thing in was.things if thing not in set(now.things)]
    if come:
        yield f"{now.name}: new {_named(come)}."
    if gone:
        yield f"{now.name}: no longer {_named(gone)}."
    if by_percent is None and (was.things or now.things):
        return
    if was.columns != now.columns:
        if was.rows and now.rows:
            yield f"{now.name}: its columns are others than before."
        return
    yield from _number_changes(was, now, by_percent or 0.0)


def _number_changes(was: TableSnapshot, now: TableSnapshot, by_percent: float) -> Iterator[str]:
    earlier = {(row.thing, row.place): row for row in was.rows}
    for row in now.rows:
        old = earlier.get((row.thing, row.place))
        if old is None:
            if not row.thing:
                yield f"{now.name}: {now.row_count} rows, {was.row_count} before."
                return
            continue
        for column, before, value in zip(now.columns, old.values, row.values, strict=True):
            if _differs(before, value, by_percent):
                yield f"{now.name}, {_what(row, column)}: {_from_to(before, value)}."
    if len(was.rows) > len(now.rows) and not any(row.thing for row in was.rows):
        yield f"{now.name}: {now.row_count} rows, {was.row_count} before."


def _differs(before: float | None, value: float | None, by_percent: float) -> bool:
    if before is None or value is None:
        return before is not value
    if by_percent == 0 or before == 0:
        return before != value
    # A hair less than asked for is no less: 5 % of 1.1 is no number that a machine has.
    return abs(value - before) >= abs(before) * (by_percent / 100 - 1e-12)


def _from_to(before: float | None, value: float | None) -> str:
    shown = [("nothing" if n is None else number_text(n)) for n in (before, value)]
    told = f"{shown[0]} before, {shown[1]} now"
    if before is None or value is None or before == 0:
        return told
    return f"{told} ({(value - before) / abs(before) * 100:+.1f} %)"


def _what(row: RowSnapshot, column: str) -> str:
    return " ".join((*row.thing, column))


def _named(things: Sequence[str]) -> str:
    more = len(things) - _MOST_NAMED
    named = ", ".join(things[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named


def _is_whole(table: TableSnapshot) -> bool:
    return len(table.rows) == table.row_count
