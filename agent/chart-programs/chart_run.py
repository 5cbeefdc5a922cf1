"""Draws, checks what was drawn, saves the picture, and reports as one line of JSON."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from chart_page import DPI, HEIGHT, WIDTH, Page, new_page, write_texts
from chart_spec import ChartProblem, read_spec
from chart_table import Tables
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread, imsave
from numpy.typing import NDArray

LEAST_INK = 12
"""Pixels that the data must change on the page."""
EXIT_PROBLEM = 3


def run(draw: Callable[[Page], None]) -> int:
    """Draw /in/chart.json to /out/plot.png; 0 when the picture is good, else 3.

    ``--dirs IN OUT`` names other folders.
    """
    folders = sys.argv[2:4] if sys.argv[1:2] == ["--dirs"] else ["/in", "/out"]
    source, target = (Path(folder) for folder in folders)
    spec = read_spec(source / "chart.json")
    page = new_page(spec, Tables(source, spec))
    target_file = target / "plot.png"
    ink = 0
    try:
        draw(page)
        write_texts(page)
        problems = problems_before(page)
        if not problems:
            ink = save(page, target_file)
            problems = problems_after(target_file, ink)
    except ChartProblem as problem:
        problems = [str(problem)]
    if problems:
        target_file.unlink(missing_ok=True)
    report(page, problems, ink)
    return EXIT_PROBLEM if problems else 0


def problems_before(page: Page) -> list[str]:
    """What is wrong with the figure before it is saved."""
    found = []
    texts = [text.get_text() for text in page.figure.texts]
    if not texts or not texts[0].strip():
        found.append("the picture has no title")
    if not page.figure.axes:
        found.append("the picture has no axes")
    for axes in page.figure.axes:
        if page.kind_drawn == "pie" or axes.get_label() in ("<colorbar>", "bare"):
            continue
        if not axes.get_ylabel().strip():
            found.append("a vertical axis has no label")
        if not axes.get_xlabel().strip() and not axes.get_label():
            found.append("a horizontal axis has no label")
    if not page.drawn:
        found.append(f"there is nothing to draw: none of the {page.missing:,} values is a number")
    if not page.data:
        found.append("no data were drawn")
    return found


def save(page: Page, target: Path) -> int:
    """Write the picture, and count the pixels that the data changed on it."""
    figure = page.figure
    with_data = pixels(page)
    # The layout must stay, or the frame without data would not lie on the frame with them.
    figure.set_layout_engine("none")
    for artist in page.data:
        artist.set_visible(False)
    without = pixels(page)
    # The version of matplotlib would else be written into the file.
    nameless: dict[str, Any] = {"Software": None}
    imsave(target, with_data.astype(np.uint8), format="png", dpi=DPI, metadata=nameless)
    return int(np.any(np.abs(with_data - without) > 0.02 * 255, axis=2).sum())


def pixels(page: Page) -> NDArray[np.int16]:
    """What the figure looks like: rows, columns, and RGBA from 0 to 255."""
    canvas = FigureCanvasAgg(page.figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return np.asarray(canvas.renderer.buffer_rgba()).astype(np.int16)


def problems_after(target: Path, ink: int) -> list[str]:
    """What is wrong with the saved picture."""
    found = []
    picture = imread(target)
    if picture.shape[:2] != (HEIGHT, WIDTH):
        found.append(f"the picture is {picture.shape[1]} x {picture.shape[0]} pixels")
    if float(np.std(picture[..., :3])) < 1e-3:
        found.append("the picture is blank")
    if ink < LEAST_INK:
        found.append("the data left no trace on the picture")
    return found


def report(page: Page, problems: list[str], ink: int) -> None:
    """One line of JSON on the standard output."""
    content = {
        "kind": page.kind_drawn,
        "series": page.series,
        "points": page.points,
        "drawn": page.drawn,
        "missing": page.missing,
        "ink": ink,
        "notes": page.notes,
        "problems": problems,
    }
    sys.stdout.write(json.dumps({"figure_report": content}, ensure_ascii=True) + "\n")
