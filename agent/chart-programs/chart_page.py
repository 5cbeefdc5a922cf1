"""The page a chart is drawn on: its texts, axes, colours and legend."""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field

import matplotlib as mpl
import numpy as np
from chart_spec import Spec
from chart_table import Tables
from chart_time import days_of, set_time_axis, zone_text
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator

WIDTH, HEIGHT, DPI = 1200, 700, 120
# Neighbours differ in lightness too, so that they stay apart in grey.
COLOURS = ("#0072B2", "#E69F00", "#222222", "#56B4E9", "#D55E00", "#8FD0B4", "#7B2D8B", "#CC79A7")
DASHES = ("-", "-", "-", "-", "--", "--", "-.", "-.", ":", ":", "--", "-.")
HATCHES = ("", "\\\\", "", "..", "xx", "", "--", "oo")
MARKERS = "os^Dv<>ph*XP"
LEFT_COLOURS = ("#003F7D", "#3C8DD9", "#7A5AA6", "#00798C")
RIGHT_COLOURS = ("#B84A00", "#E6A23C", "#8C2D04", "#D1495B")
GREY, PALE = "#595959", "#B5B5B5"
SHOWN_SERIES = 12
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9.5,
    "text.parse_math": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.labelsize": 10,
    "axes.formatter.useoffset": False,
    "grid.color": "#E3E3E3",
    "grid.linewidth": 0.7,
    "hatch.linewidth": 0.6,
    "lines.linewidth": 1.3,
    "legend.frameon": False,
    "legend.fontsize": 8.5,
}


@dataclass
class Page:
    """A figure in the making, and what is to be said about it."""

    spec: Spec
    tables: Tables
    figure: Figure
    kind_drawn: str
    data: list[Artist] = field(default_factory=list)
    """What stands for data; all else is frame."""
    notes: list[str] = field(default_factory=list)
    series: int = 0
    points: int = 0
    drawn: int = 0
    missing: int = 0

    def one_axes(self) -> Axes:
        """The only axes, or the left-hand ones, with the labels of the specification."""
        axes = self.figure.add_subplot()
        axes.spines["right"].set_visible(False)
        axes.set_ylabel(wrapped(self.spec.y.text, 44))
        axes.set_xlabel(wrapped(self.spec.x.text, 90))
        return axes

    def count(self, points: int, drawn: int, missing: int = 0) -> None:
        """Add one series to what has been drawn."""
        self.series += 1
        self.points += points
        self.drawn += drawn
        self.missing += missing


def new_page(spec: Spec, tables: Tables) -> Page:
    """An empty page of the fixed size, in our style."""
    mpl.rcParams.update(_STYLE)  # type: ignore[arg-type]
    figure = Figure(figsize=(WIDTH / DPI, HEIGHT / DPI), dpi=DPI, layout="constrained")
    FigureCanvasAgg(figure)
    return Page(spec, tables, figure, spec.kind)


def write_texts(page: Page) -> None:
    """Title and subtitle above the chart, notes below it, and the room between for the axes."""
    spec, figure = page.spec, page.figure
    line = 1 / 72 / (HEIGHT / DPI)
    at = 1 - 8 * line
    title = wrapped(spec.title, 88)
    figure.text(0.012, at, title, fontsize=12.5, weight="bold", va="top", linespacing=1.15)
    at -= 15.5 * line * (title.count("\n") + 1)
    subtitle = wrapped(spec.subtitle, 130)
    if subtitle:
        figure.text(0.012, at, subtitle, fontsize=9.5, color=GREY, va="top", linespacing=1.15)
        at -= 12.5 * line * (subtitle.count("\n") + 1)
    foot = 4 * line
    notes = [*page.notes, *spec.notes]
    if page.missing:
        are = "value is" if page.missing == 1 else "values are"
        notes.insert(0, f"{page.missing:,} {are} missing and not drawn.")
    if notes:
        text = wrapped("  ·  ".join(notes), 165)
        figure.text(0.012, foot, text, fontsize=7.8, color=GREY, va="bottom", linespacing=1.2)
        foot += 10.6 * line * (text.count("\n") + 1) + 4 * line
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.set(rect=(0.006, foot, 0.988, at - foot - 4 * line))  # type: ignore[call-arg]


def wrapped(text: str, width: int) -> str:
    """The text in lines of at most so many characters; long words are broken."""
    lines = [textwrap.fill(part, width) for part in text.strip().split("\n")]
    return "\n".join(lines)


def number_text(value: float) -> str:
    """A number with four significant digits, or all digits before the point."""
    if not np.isfinite(value):
        return "n/a"
    if abs(value) >= 1e12 or 0 < abs(value) < 1e-4:
        return f"{value:.3e}"
    if abs(value) >= 1_000 or value == round(value):
        return f"{value:,.0f}"
    return f"{value:.4g}"


def plain_numbers(axes: Axes, *, whole: bool, horizontal: bool = False) -> None:
    """Tick labels with thousands apart; whole numbers only, where the data are."""
    axis = axes.xaxis if horizontal else axes.yaxis
    axis.set_major_locator(MaxNLocator(nbins="auto", integer=whole, steps=[1, 2, 2.5, 5, 10]))
    low, high = sorted(axis.get_view_interval())
    if max(abs(low), abs(high)) >= 1_000 and max(abs(low), abs(high)) < 1e12:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))


def all_whole(values: Sequence[np.ndarray[tuple[int], np.dtype[np.float64]]]) -> bool:
    """Whether every finite value is a whole number."""
    known = [part[np.isfinite(part)] for part in values]
    return all(bool(np.all(part == np.round(part))) for part in known)


def add_legend(axes: Axes, handles: Sequence[Artist], labels: Sequence[str]) -> None:
    """A legend that covers no data: above the axes while it is short, else to their right."""
    if len(labels) < 2:
        return
    # Matplotlib leaves out names that begin with an underscore.
    names = [f" {label}" if label.startswith("_") else label for label in labels]
    if len(names) <= 4 and sum(len(name) + 6 for name in names) <= 118:
        # Times along the top need their own room.
        above = 1.17 if axes.child_axes else 1.0
        legend = axes.legend(
            handles, names, loc="lower left", bbox_to_anchor=(0, above), ncols=len(names),
            borderaxespad=0.2, handlelength=2.4, columnspacing=1.6,
        )  # fmt: skip
    else:
        names = [wrapped(name, 30) for name in names]
        right = 1.1 if axes.figure is not None and len(axes.figure.axes) > 1 else 1.01
        legend = axes.legend(
            handles, names, loc="upper left", bbox_to_anchor=(right, 1), borderaxespad=0,
            handlelength=2.4, fontsize=8 if len(names) > 8 else 8.5,
        )  # fmt: skip
    legend.set_zorder(5)


def label_time_axis(page: Page, axes: Axes, first: float, last: float) -> None:
    """Local times along the horizontal axis, and the zone in its label."""
    set_time_axis(axes, page.spec.zone)
    zone = zone_text(page.spec.zone, first, last)
    axes.set_xlabel(f"{wrapped(page.spec.x.label, 60)} ({zone})")


def draw_marks(page: Page, axes: Axes) -> None:
    """The labelled lines across the chart."""
    for mark in page.spec.marks:
        at = days_of(mark.at) if isinstance(mark.at, str) else mark.at
        if mark.direction == "y":
            axes.axhline(at, color=GREY, linewidth=1.1, linestyle=(0, (5, 3)), zorder=2.5)
            where, turn = (0.995, at), 0
            transform = axes.get_yaxis_transform()
        else:
            axes.axvline(at, color=GREY, linewidth=1.1, linestyle=(0, (5, 3)), zorder=2.5)
            where, turn = (at, 0.985), 90
            transform = axes.get_xaxis_transform()
        axes.text(
            *where, f" {mark.label} ", transform=transform, rotation=turn, ha="right",
            va="bottom" if mark.direction == "y" else "top", fontsize=8.5, color=GREY,
            bbox={"facecolor": "white", "alpha": 0.7, "edgecolor": "none", "pad": 0.6},
        )  # fmt: skip
