"""Opens one vertical axis or two, and keeps two of them comparable."""

from chart_page import GREY, LEFT_COLOURS, RIGHT_COLOURS, Page, wrapped
from chart_thin import SECONDS_A_DAY
from chart_time import LocalTimes, time_locator
from matplotlib.axes import Axes

COMPARABLE = 3.0
"""Two axes of one unit share a scale while neither is so many times wider than the other."""


def open_axes(page: Page) -> tuple[Axes, Axes | None]:
    """The left-hand axes, and the right-hand ones of a chart that has two."""
    axes = page.one_axes()
    if page.spec.kind != "dual_axis" or page.spec.y2 is None:
        return axes, None
    right = axes.twinx()
    right.set_label("right")
    right.grid(visible=False)
    right.set_ylabel(wrapped(page.spec.y2.text, 44), color=RIGHT_COLOURS[0])
    right.tick_params(axis="y", colors=RIGHT_COLOURS[0])
    right.spines["right"].set_visible(True)
    right.spines["right"].set_color(RIGHT_COLOURS[0])
    right.spines["left"].set_visible(False)
    axes.yaxis.label.set_color(LEFT_COLOURS[0])
    axes.tick_params(axis="y", colors=LEFT_COLOURS[0])
    axes.spines["left"].set_color(LEFT_COLOURS[0])
    return axes, right


def share_scale(page: Page, axes: Axes, right: Axes) -> None:
    """The same limits on both axes where they show the same unit, or a note that they differ."""
    spec = page.spec
    if spec.y2 is None or spec.y.unit != spec.y2.unit or not spec.y.unit:
        return
    (low, high), (low2, high2) = axes.get_ylim(), right.get_ylim()
    both = (min(low, low2), max(high, high2))
    if both[1] - both[0] <= COMPARABLE * min(high - low, high2 - low2):
        room = 0.02 * (both[1] - both[0])
        for one in (axes, right):
            one.set_ylim(both[0] - room, both[1] + room)
        page.notes.append("Both vertical axes have the same scale.")
    else:
        page.notes.append("The two vertical axes have different scales.")


def shifted_axis(page: Page, axes: Axes) -> None:
    """The true times of a shifted series along the top, when all shifted ones moved alike."""
    shifted = [series for series in page.spec.series if series.shift_seconds]
    amounts = {series.shift_seconds for series in shifted}
    if len(amounts) != 1:
        return
    days = amounts.pop() / SECONDS_A_DAY
    top = axes.secondary_xaxis("top")
    top.xaxis.set_major_locator(time_locator(page.spec.zone))
    top.xaxis.set_major_formatter(LocalTimes(page.spec.zone, days))
    colour = RIGHT_COLOURS[0] if all(series.side == "right" for series in shifted) else GREY
    names = ", ".join(series.label or series.y for series in shifted)
    top.set_xlabel(wrapped(f"Times of {names}", 90), color=colour)
    top.tick_params(axis="x", colors=colour)
