"""Draws a table of numbers as coloured cells: correlations, or plain values."""

import sys
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from chart_categories import layout_of
from chart_page import Page, number_text, wrapped
from chart_run import run
from chart_spec import ChartProblem
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.patches import Rectangle

Matrix = np.ndarray[tuple[int, int], np.dtype[np.float64]]
MOST_NUMBERS = 400
ROUNDING = 1e-6
"""How far beyond 1 a coefficient may lie without being wrong."""


@dataclass(frozen=True)
class Cells:
    """Values by row and column; NaN where there is none."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Matrix


def draw_heatmap(page: Page) -> None:
    """Coloured cells with their numbers, and a scale."""
    correlation = page.spec.heat == "correlation"
    cells = cells_of(page)
    if correlation:
        cells = completed(cells)
        if np.nanmax(np.abs(cells.values), initial=0) > 1 + ROUNDING:
            raise ChartProblem("a correlation coefficient lies outside -1 to 1")
    known = np.isfinite(cells.values)
    page.count(int(known.sum()), int(known.sum()))
    if not known.any():
        raise ChartProblem("none of the cells has a number, so there is nothing to draw")
    axes = page.one_axes()
    axes.grid(visible=False)
    colours = mpl.colormaps["PuOr_r" if correlation else "cividis"]
    image = axes.imshow(
        cells.values, cmap=colours, vmin=-1 if correlation else None,
        vmax=1 if correlation else None, aspect="auto", interpolation="nearest",
    )  # fmt: skip
    page.data.append(image)
    hatch_unknown(page, axes, cells)
    name_cells(axes, cells)
    if cells.values.size <= MOST_NUMBERS:
        write_numbers(axes, image, cells, decimals=correlation)
    else:
        page.notes.append(f"{cells.values.size:,} cells, too many for numbers.")
    bar = page.figure.colorbar(image, ax=axes, pad=0.015, fraction=0.05)
    bar.outline.set_visible(False)
    text = page.spec.y2.text if page.spec.y2 else ("Pearson r" if correlation else page.spec.y.text)
    bar.set_label(wrapped(text, 44))


def cells_of(page: Page) -> Cells:
    """The cells from one row a cell (with ``split_by``), or from one column a series."""
    groups = page.tables.groups()
    layout = layout_of(page, groups)
    columns = list(dict.fromkeys(group.label for group in groups))
    if set(columns) == set(layout.names):
        columns = list(layout.names)
    values = np.full((len(layout.names), len(columns)), np.nan)
    for group, places in zip(groups, layout.places, strict=True):
        inside = places >= 0
        if np.unique(places[inside]).size != int(inside.sum()):
            raise ChartProblem(f"{group.label} has several values for one cell")
        values[places[inside], columns.index(group.label)] = group.y[inside]
    return Cells(layout.names, tuple(columns), values)


def completed(cells: Cells) -> Cells:
    """The matrix with both halves: r(a, b) is r(b, a), and r(a, a) is 1 where a varies at all."""
    names = list(dict.fromkeys((*cells.rows, *cells.columns)))
    if not set(cells.rows) & set(cells.columns):
        return cells
    full = np.full((len(names), len(names)), np.nan)
    for i, row in enumerate(cells.rows):
        for j, column in enumerate(cells.columns):
            full[names.index(row), names.index(column)] = cells.values[i, j]
    full = np.where(np.isfinite(full), full, full.T)
    varies = np.isfinite(full).any(axis=1)
    diagonal = np.eye(len(names), dtype=bool) & varies & ~np.isfinite(full)
    return Cells(tuple(names), tuple(names), np.where(diagonal, 1.0, full))


def hatch_unknown(page: Page, axes: Axes, cells: Cells) -> None:
    """Hatching where there is no number."""
    unknown = np.argwhere(~np.isfinite(cells.values))
    for row, column in unknown:
        cell = Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor="white", linewidth=0)
        cell.set(hatch="\\\\\\\\", edgecolor="#B5B5B5")
        axes.add_patch(cell)
    if len(unknown):
        page.notes.append(f"Hatched: {len(unknown):,} cells without a value (n/a).")


def name_cells(axes: Axes, cells: Cells) -> None:
    """Names of rows and columns, thinned out where there are many."""
    for names, set_ticks, width in (
        (cells.columns, axes.set_xticks, 14 if len(cells.columns) <= 10 else 24),
        (cells.rows, axes.set_yticks, 26),
    ):
        step = max(1, -(-len(names) // 40))
        shown = [wrapped(name.replace("\n", " "), width) for name in names[::step]]
        set_ticks(range(0, len(names), step), shown)
    if len(cells.columns) > 10:
        axes.tick_params(axis="x", rotation=45)
        for label in axes.get_xticklabels():
            label.set(ha="right", rotation_mode="anchor")
    axes.tick_params(length=0, labelsize=9 if max(cells.values.shape) <= 16 else 7.5)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.set_xticks(np.arange(1, len(cells.columns)) - 0.5, minor=True)
    axes.set_yticks(np.arange(1, len(cells.rows)) - 0.5, minor=True)
    if cells.values.size <= MOST_NUMBERS:
        axes.grid(visible=True, which="minor", color="white", linewidth=1.5)
    axes.tick_params(which="minor", length=0)


def write_numbers(axes: Axes, image: AxesImage, cells: Cells, *, decimals: bool) -> None:
    """The number of each cell, dark on light colours and light on dark ones."""
    size = 10 if cells.values.size <= 64 else 8 if cells.values.size <= 150 else 6.5
    for (row, column), value in np.ndenumerate(cells.values):
        text = f"{value + 0.0:.2f}".replace("-0.00", "0.00") if decimals else number_text(value)
        red, green, blue, _ = image.cmap(image.norm(value))  # type: ignore[arg-type]
        is_dark = np.isfinite(value) and 0.30 * red + 0.59 * green + 0.11 * blue < 0.5
        axes.text(
            column, row, text if np.isfinite(value) else "n/a", ha="center", va="center",
            fontsize=size, color="white" if is_dark else "#222222",
        )  # fmt: skip


if __name__ == "__main__":
    sys.exit(run(draw_heatmap))
