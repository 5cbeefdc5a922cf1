"""The kind of chart that a model's program drew is held against the one that was asked for."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sandbox.choose import first_working
from sandbox.errors import SandboxUnavailable
from sandbox.runner import Sandbox
from sandbox.settings import SandboxSettings
from tests.program_bench import READ, Bench, fenced

GROUPS = "[part['v'].to_numpy() for _, part in table.groupby('node')]"
MEANS = "table.groupby('node')['v'].mean()"
WIDE = "table.head(100).pivot_table(index='t', columns='node', values='v').fillna(0)"
SNS = "import seaborn as sns; sns."
DRAWN = {
    "lines": "axes.plot(table['t'], table['v'])",
    "points": "axes.scatter(table['t'], table['v'])",
    "markers alone": "axes.plot(table['t'], table['v'], 'o')",
    "histogram": "axes.hist(table['v'], bins=20)",
    "histogram of pandas": "table['v'].plot.hist(ax=axes, bins=20)",
    "histogram of seaborn": f"{SNS}histplot(table, x='v', hue='node', ax=axes)",
    "named bins": "axes.hist(table['v'], bins=2); axes.set_xticks([680, 720], ['low', 'high'])",
    "outline": "axes.hist(table['v'], bins=20, histtype='step')",
    "steps": "import numpy as np; axes.stairs(*np.histogram(table['v'], 20))",
    "boxes": f"axes.boxplot({GROUPS})",
    "boxes of pandas": "table.boxplot(column='v', by='node', ax=axes); figure.suptitle('')",
    "boxes of seaborn": f"{SNS}boxplot(table, x='node', y='v', ax=axes)",
    "violins": f"axes.violinplot({GROUPS})",
    "violins of seaborn": f"{SNS}violinplot(table, x='node', y='v', ax=axes)",
    "bars": f"means = {MEANS}; axes.bar(means.index, means)",
    "bars of pandas": f"{MEANS}.plot.bar(ax=axes)",
    "level bars": f"means = {MEANS}; axes.barh(means.index, means)",
    "cells": f"figure.colorbar(axes.pcolormesh({WIDE}.to_numpy()))",
    "image": f"axes.imshow({WIDE}.to_numpy(), aspect='auto')",
    "cells of seaborn": f"{SNS}heatmap({WIDE}, ax=axes)",
    "slices": f"axes.pie({MEANS}, labels=['900', '901'])",
    "error bars": f"axes.errorbar([0, 1], {MEANS}, yerr=table['v'].std(), capsize=3, fmt='none')",
}


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    try:
        made = first_working(SandboxSettings(isolation="bubblewrap"))
    except SandboxUnavailable as reason:
        pytest.skip(str(reason))
    yield made
    made.close()


@pytest.fixture
def bench(sandbox: Sandbox, tmp_path: Path) -> Bench:
    return Bench(sandbox, tmp_path)


def program(drawn: str) -> str:
    axes = "axes.set(title='Power', xlabel='x [W]', ylabel='y [W]')"
    return fenced(
        f"{READ}\nfigure, axes = plt.subplots()\n{DRAWN[drawn]}\n{axes}\n"
        "figure.savefig('/out/plot.png')"
    )


@pytest.mark.parametrize(
    ("words", "drawn"),
    [
        ("line chart", "lines"),
        ("scatter plot", "points"),
        ("scatter plot", "markers alone"),
        ("histogram", "histogram"),
        ("histogram", "histogram of pandas"),
        ("histogram", "histogram of seaborn"),
        ("histogram", "named bins"),
        ("histogram", "outline"),
        ("histogram", "steps"),
        ("box plot", "boxes"),
        ("box plot", "boxes of pandas"),
        ("box plot", "boxes of seaborn"),
        ("violin plot", "violins"),
        ("violin plot", "violins of seaborn"),
        ("bar chart", "bars"),
        ("bar chart", "bars of pandas"),
        ("bar chart", "level bars"),
        ("heat map", "cells"),
        ("heat map", "image"),
        ("heat map", "cells of seaborn"),
        ("pie chart", "slices"),
        ("plot with error bars", "error bars"),
        ("density plot", "lines"),
    ],
)
def test_the_kind_that_was_asked_for_is_kept(bench: Bench, words: str, drawn: str) -> None:
    made = bench.work_on([program(drawn)], words=f"{words} of the power", attempts=1)

    assert made.problem == ""
    assert made.artifact is not None


@pytest.mark.parametrize(
    ("words", "drawn", "told"),
    [
        ("histogram", "lines", "shows bins; the figure shows lines:"),
        ("histogram", "bars", "shows bins; the figure shows bars:"),
        ("histogram", "bars of pandas", "shows bins; the figure shows bars:"),
        ("scatter plot", "lines", "shows points; the figure shows lines:"),
        ("scatter plot", "boxes", "shows points; the figure shows boxes:"),
        ("box plot", "violins", "shows boxes; the figure shows areas:"),
        ("violin plot", "boxes", "shows areas; the figure shows boxes:"),
        ("line chart", "boxes", "shows lines; the figure shows boxes:"),
        ("line chart", "points", "shows lines; the figure shows points:"),
        ("bar chart", "slices", "shows bars; the figure shows slices:"),
        ("pie chart", "bars", "shows slices; the figure shows bars:"),
        ("heat map", "histogram", "shows cells; the figure shows bars, bins:"),
        ("scatter plot with a regression line", "points", "shows lines; the figure shows points:"),
    ],
)
def test_another_kind_goes_back_to_who_wrote_it(
    bench: Bench, words: str, drawn: str, told: str
) -> None:
    bench.work_on([program(drawn), "no"], words=f"{words} of the power", attempts=2)

    assert told in bench.told


def test_the_kind_is_mended(bench: Bench) -> None:
    replies = [program("lines"), program("histogram")]

    made = bench.work_on(replies, words="histogram of the power")

    assert made.problem == ""
    assert "axes.hist" in made.code


def test_a_kind_that_is_never_drawn_is_refused(bench: Bench) -> None:
    replies = [program("lines"), program("points"), program("boxes"), program("histogram")]

    made = bench.work_on(replies, words="histogram of the power")

    assert "did not pass the checks" in made.problem
    assert made.artifact is None
    assert len(bench.model.asked) == 3


def test_a_scale_of_colours_is_no_heat_map(bench: Bench) -> None:
    scale = "figure.colorbar(axes.scatter(table['t'], table['v'], c=table['v']))"
    code = program("points").replace(DRAWN["points"], scale)

    bench.work_on([code, "no"], words="heat map of the power", attempts=2)

    assert "shows cells; the figure shows points:" in bench.told
