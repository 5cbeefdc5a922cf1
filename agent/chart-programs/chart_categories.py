"""Lays values out by category: which names there are, in which order."""

import re
from dataclasses import dataclass, field

import numpy as np
from chart_page import Page
from chart_spec import ChartProblem
from chart_table import NUMBER, TIME, Column, Floats, Group, natural
from chart_time import EPOCH, category_of_time, local_time
from matplotlib.dates import SEC_PER_DAY

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
MONTH_NAMES = (
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
)  # fmt: skip
MOST_FILLED = 120
_CALENDAR = re.compile(r"\b(hour|day|date|week|month|year|time)s?\b", re.IGNORECASE)


@dataclass(frozen=True)
class Layout:
    """The names of the categories in order, and the place of each row of each group."""

    names: tuple[str, ...]
    places: list[np.ndarray[tuple[int], np.dtype[np.int64]]] = field(default_factory=list)


def layout_of(page: Page, groups: list[Group]) -> Layout:
    """The categories of groups that all have a column for them."""
    columns = [group.x for group in groups if group.x is not None]
    if len(columns) != len(groups):
        raise ChartProblem("some series have categories and others have none")
    if all(column.kind == TIME for column in columns):
        return _of_times(page, columns)
    texts = [column.texts for column in columns]
    found = tuple(dict.fromkeys(text for part in texts for text in part))
    names = page.spec.categories or _sorted(page, found, columns)
    index = {name: number for number, name in enumerate(names)}
    places = [np.array([index.get(text, -1) for text in part], dtype=np.int64) for part in texts]
    return Layout(names, places)


def _sorted(page: Page, names: tuple[str, ...], columns: list[Column]) -> tuple[str, ...]:
    for calendar in (DAYS, MONTH_NAMES):
        heads = [name[:3].lower() for name in names]
        if all(head in calendar for head in heads):
            return tuple(sorted(names, key=lambda name: calendar.index(name[:3].lower())))
    are_numbers = all(column.kind == NUMBER for column in columns)
    of_time = _CALENDAR.search(page.spec.x.label) and (
        are_numbers or all(re.fullmatch(r"[\d:. hH-]+", name) for name in names)
    )
    if page.spec.sort_categories or of_time:
        return tuple(sorted(names, key=natural))
    return names


def _of_times(page: Page, columns: list[Column]) -> Layout:
    zone = page.spec.zone
    seconds = [np.round(column.numbers * SEC_PER_DAY) for column in columns]
    known = np.unique(np.concatenate([part[np.isfinite(part)] for part in seconds]))
    if not known.size:
        raise ChartProblem("none of the times is known")
    locals_ = [local_time(value / SEC_PER_DAY, zone) for value in known]
    whole_days = all((time.hour, time.minute) == (0, 0) for time in locals_)
    slots = _with_empty_slots(known, page, is_day=whole_days)
    index = {value: number for number, value in enumerate(slots)}
    places = [np.array([index.get(v, -1) for v in part], dtype=np.int64) for part in seconds]
    names = tuple(category_of_time(v / SEC_PER_DAY, zone, is_day=whole_days) for v in slots)
    return Layout(_unlike(names), places)


def _with_empty_slots(known: Floats, page: Page, *, is_day: bool) -> list[float]:
    """The times with those between them at which there are no rows."""
    if known.size < 3:
        return [float(value) for value in known]
    if is_day:
        zone = page.spec.zone
        dates = [local_time(v / SEC_PER_DAY, zone).date().toordinal() for v in known]
        step = int(np.diff(dates).min())
        steps = range(dates[0], dates[-1] + 1, step)
        if len(steps) > MOST_FILLED or not set(dates) <= set(steps):
            return [float(value) for value in known]
        by_date = dict(zip(dates, known, strict=True))
        return [float(by_date.get(day, _midnight(day, page))) for day in steps]
    step_seconds = float(np.diff(known).min())
    steps_between = np.diff(known) / step_seconds
    count = round((known[-1] - known[0]) / step_seconds) + 1
    if count > MOST_FILLED or not np.allclose(steps_between, np.round(steps_between)):
        return [float(value) for value in known]
    return [float(known[0] + number * step_seconds) for number in range(count)]


def _midnight(day: int, page: Page) -> float:
    from_epoch = day - EPOCH.toordinal()
    offset = local_time(from_epoch, page.spec.zone).utcoffset()
    return from_epoch * SEC_PER_DAY - (offset.total_seconds() if offset else 0.0)


def _unlike(names: tuple[str, ...]) -> tuple[str, ...]:
    """The same names, told apart where the clock shows an hour twice."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return tuple(found)
