"""Runs a program that nobody has read, and reports on the figure that it saved.

The host puts the values of GIVEN before this text: the code, and a word that begins the report.
"""

import json
import linecache
import random
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np
from matplotlib import pyplot as plt
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.category import StrCategoryFormatter
from matplotlib.collections import (
    Collection,
    PathCollection,
    PolyCollection,
    QuadMesh,
)
from matplotlib.container import BarContainer, ErrorbarContainer
from matplotlib.contour import ContourSet
from matplotlib.figure import Figure
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Polygon, StepPatch, Wedge
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter
from numpy.typing import NDArray

WORDS: dict[str, str] = globals().get("GIVEN", {})
NAME = "analysis.py"
TARGET = Path("plot.png")
LEAST_INK = 12
"""Pixels that the data must change on the picture."""
LINE_POINTS = 5
"""With fewer points a line is a part of something else, such as a whisker."""
MOST_LINES = 40
SAVED: list[Figure] = []
BOXES: list[Artist] = []
"""All parts of box plots: they are plain lines."""
MARKS = (
    (Wedge, "slices"),
    (StepPatch, "bins"),
    (ContourSet, "contours"),
    (PathCollection, "points"),
    (QuadMesh, "cells"),
    (AxesImage, "cells"),
    (PolyCollection, "areas"),
)
CORNERS = 4
"""With more of them a polygon is the outline of a histogram."""


def main() -> None:
    """Run the code; what it raises goes on to whoever runs this."""
    code = WORDS["code"]
    linecache.cache[NAME] = (len(code), None, code.splitlines(keepends=True), NAME)
    random.seed(0)
    np.random.seed(0)
    plt.rcParams["text.parse_math"] = False
    keep_what_is_saved()
    keep_boxes()
    space: dict[str, Any] = {"__name__": "__main__"}
    exec(compile(code, NAME, "exec"), space)  # noqa: S102
    figure = figure_meant()
    if figure is not None:
        report(figure)


def keep_what_is_saved() -> None:
    """Remember each figure that is saved: programs close them, and then nobody can look."""
    save = Figure.savefig

    def savefig(figure: Figure, *arguments: Any, **more: Any) -> None:
        SAVED.append(figure)
        tidy(figure)
        save(figure, *arguments, **more)

    Figure.savefig = savefig  # type: ignore[assignment,method-assign]


def keep_boxes() -> None:
    """Remember what box plots are made of, which looks like any other line."""
    draw = Axes.bxp

    def bxp(axes: Axes, *arguments: Any, **more: Any) -> Any:
        made = draw(axes, *arguments, **more)
        BOXES.extend(artist for artists in made.values() for artist in artists)
        return made

    Axes.bxp = bxp  # type: ignore[assignment,method-assign]


def tidy(figure: Figure) -> None:
    """Put right what needs no thought: the title, a legend of named lines, crowded labels."""
    if not has_title(figure):
        figure.suptitle(fill(WORDS["title"], 80), fontsize=11)
    FigureCanvasAgg(figure).draw()  # type: ignore[no-untyped-call]
    for axes in figure.axes:
        several = len(lines_of(axes)) > 1 and axes.get_legend_handles_labels()[0]
        if several and not (axes.get_legend() or figure.legends):
            axes.legend()
        if axes.name == "rectilinear" and run_into_each_other(axes.get_xticklabels()):
            axes.tick_params(axis="x", rotation=90)


def figure_meant() -> Figure | None:
    """The figure that was saved last, else the open one; saved as it should have been."""
    figures = SAVED or [plt.figure(number) for number in plt.get_fignums()]
    if not figures:
        return None
    if not TARGET.exists():
        figures[-1].savefig(TARGET, dpi=120)
    return figures[-1]


def report(figure: Figure) -> None:
    """One line of JSON on the standard output, in the form that our own charts report."""
    data = [artist for axes in figure.axes for artist in data_of(axes)]
    problems = list(problems_of(figure))
    ink = ink_of(figure, data) if data and not problems else 0
    if data and not problems and ink < LEAST_INK:
        problems.append("the data left no trace on the picture")
    content = {
        "kind": "free",
        "series": len(data),
        "points": len(data),
        "drawn": len(data),
        "missing": 0,
        "ink": ink,
        "notes": [],
        "problems": problems[:20],
        "marks": sorted({mark for axes in panels_of(figure) for mark in marks_of(axes)}),
    }
    text = json.dumps({"figure_report": content}, ensure_ascii=True)
    sys.stdout.write(f"\n{WORDS['word']}{text}\n")
    sys.stdout.flush()


def panels_of(figure: Figure) -> list[Axes]:
    """The axes that are no scale of colours."""
    return [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]


def marks_of(axes: Axes) -> Iterator[str]:
    """What stands for the data on the axes, by name."""
    if axes.name in ("polar", "3d"):
        yield "polar axes" if axes.name == "polar" else "axes in depth"
    for artist in data_of(axes):
        yield from (name for kind, name in MARKS if isinstance(artist, kind))
        if isinstance(artist, Line2D):
            yield from marks_of_line(axes, artist)
        if artist in BOXES:
            yield "boxes"
        if isinstance(artist, Polygon) and len(artist.get_xy()) > CORNERS + 1:
            yield "bins"
    for container in axes.containers:
        if isinstance(container, BarContainer) and container.patches:
            yield "bars"
            across = container.orientation == "horizontal"
            if touch(container, across) or not is_of_names(axes.yaxis if across else axes.xaxis):
                yield "bins"
        if isinstance(container, ErrorbarContainer):
            yield "error bars"


def marks_of_line(axes: Axes, line: Line2D) -> Iterator[str]:
    """Whether a line joins its points, or shows them alone; a ruled line is neither."""
    is_ruled = line.get_transform() != axes.transData
    points = len(np.atleast_1d(line.get_xdata()))
    if is_ruled or line in BOXES or not points:
        return
    if points > 1 and line.get_linestyle() not in ("None", "none", " ", ""):
        yield "lines"
    elif line.get_marker() not in ("None", "none", " ", "", None):
        yield "points"


def is_of_names(axis: Axis) -> bool:
    """Whether the places on an axis are names, each in a place of its own."""
    written = axis.get_major_formatter()
    named = isinstance(written, FuncFormatter) and isinstance(
        axis.get_major_locator(), FixedLocator
    )
    return named or isinstance(written, FixedFormatter | StrCategoryFormatter)


def touch(bars: BarContainer, across: bool) -> bool:
    """Whether each bar begins where the one before it ends."""
    places = [(b.get_y(), b.get_height()) if across else (b.get_x(), b.get_width()) for b in bars]
    beside = list(pairwise(sorted(places)))
    return bool(beside) and all(abs(a + width - b) < width / 50 for (a, width), (b, _) in beside)


def data_of(axes: Axes) -> list[Artist]:
    """What stands for data on the axes; all else is frame."""
    kinds = (Line2D, Collection, AxesImage, Patch)
    frame = (axes.patch, *axes.spines.values())
    return [a for a in axes.get_children() if isinstance(a, kinds) and a not in frame]


def lines_of(axes: Axes) -> list[Line2D]:
    """The lines that stand for series."""
    lines = [line for line in axes.get_lines() if line not in BOXES]
    return [n for n in lines if len(np.atleast_1d(n.get_xdata())) >= LINE_POINTS]


def problems_of(figure: Figure) -> Iterator[str]:
    """What is wrong with the figure, in words for whoever mends the program."""
    panels = panels_of(figure)
    shown = [axes for axes in panels if data_of(axes)]
    if not shown:
        yield "the figure shows no data"
        return
    if len(shown) < len(panels):
        yield f"{len(panels) - len(shown)} of the {len(panels)} panels are empty"
    if not has_title(figure):
        yield "the figure has no title"
    framed = [a for a in shown if a.axison and a.name != "polar"]
    pies = [a for a in framed if not len(a.get_xticks()) and not len(a.get_yticks())]
    for axes in (a for a in framed if a not in pies):
        yield from problems_with_labels(figure, axes)
    for axes in shown:
        lines = lines_of(axes)
        if 1 < len(lines) <= MOST_LINES and not (axes.get_legend() or figure.legends):
            yield f"{len(lines)} lines have no legend"


def problems_with_labels(figure: Figure, axes: Axes) -> Iterator[str]:
    """Which axes of a panel have no words; an axis of names needs none."""
    panel = f" of panel {figure.axes.index(axes) + 1}" if len(figure.axes) > 1 else ""
    for direction, axis, shared, about_all in (
        ("horizontal", axes.xaxis, axes.get_shared_x_axes(), figure.get_supxlabel()),
        ("vertical", axes.yaxis, axes.get_shared_y_axes(), figure.get_supylabel()),
    ):
        place = "x" if axis is axes.xaxis else "y"
        beside = [getattr(other, f"get_{place}label")() for other in shared.get_siblings(axes)]
        said = any(map(str.strip, (*beside, about_all)))
        if axis.get_visible() and not said and not are_names(axis.get_ticklabels()):
            yield f"the {direction} axis{panel} has no label"
        fixed = isinstance(axis.get_major_formatter(), FixedFormatter)
        if fixed and not isinstance(axis.get_major_locator(), FixedLocator):
            yield f"the tick labels of the {direction} axis{panel} are set without their ticks"


def run_into_each_other(labels: list[Any]) -> bool:
    """Whether texts along an axis overlap as they are drawn."""
    boxes = [n.get_window_extent() for n in labels if n.get_visible() and n.get_text().strip()]
    seen = sorted((box.x0, box.x1) for box in boxes if box.width)
    pairs = pairwise(seen)
    flat = all(label.get_rotation() == 0 for label in labels)
    return flat and sum(left[1] > right[0] + 1 for left, right in pairs) > len(seen) / 4


def are_names(labels: list[Any]) -> bool:
    """Whether most labels along an axis are words."""
    texts = [label.get_text() for label in labels if label.get_text().strip()]
    words = [text for text in texts if sum(map(str.isalpha, text)) > len(text) / 2]
    return len(words) > len(texts) / 2


def has_title(figure: Figure) -> bool:
    """Whether the figure or one of its panels says what it shows."""
    titles = [axes.get_title(loc) for axes in figure.axes for loc in ("left", "center", "right")]
    return any(map(str.strip, (figure.get_suptitle(), *titles)))


def ink_of(figure: Figure, data: list[Artist]) -> int:
    """How many pixels would look different without the data."""
    with_data = pixels(figure)
    figure.set_layout_engine("none")
    for artist in data:
        artist.set_visible(False)
    without = pixels(figure)
    return int(np.any(np.abs(with_data - without) > 0.02 * 255, axis=2).sum())


def pixels(figure: Figure) -> NDArray[np.int16]:
    """What the figure looks like: rows, columns, and RGBA from 0 to 255."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.renderer.buffer_rgba()).astype(np.int16)


if __name__ == "__main__":
    main()
