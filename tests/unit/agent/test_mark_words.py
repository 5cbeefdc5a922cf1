"""Which marks a picture must show, by the words of a question."""

import pytest

from agent.mark_words import kind_problems, wanted_marks


@pytest.mark.parametrize(
    ("text", "marks"),
    [
        ("histogram of the power in four panels", [{"bins"}]),
        ("scatter plot of power against temperature with a regression line",
         [{"points"}, {"lines"}]),
        ("Box plots of the power of each rack as small multiples", [{"boxes"}]),
        ("violin plot of the power", [{"areas"}]),
        ("correlation heat map", [{"cells"}]),
        ("a correlation plot of both", [{"cells", "points"}]),
        ("stacked bars of node-hours", [{"bars"}]),
        ("pie chart and nested donuts", [{"slices"}]),
        ("2D histogram of power and temperature", [{"cells"}]),
        ("scatter matrix of all", [{"points"}]),
        ("stacked area chart", [{"areas"}]),
        ("radar chart of the racks", [{"polar axes"}]),
        ("3d scatter plot", [{"axes in depth"}]),
        ("plot the power with error bars", [{"error bars"}]),
        ("histogram or a box plot of the power", [{"bins", "boxes"}]),
        ("a histogram, not a bar chart", [{"bins"}]),
        ("violin plot instead of a box plot", [{"areas"}]),
        ("a density plot of the power", []),
        ("histogram or density plot of the power", []),
        ("plot the power of node 3", []),
        ("fit a linear trend to the power", []),
        ("the power, and no pie chart", []),
    ],
)  # fmt: skip
def test_a_kind_that_is_named_wants_its_marks(text: str, marks: list[set[str]]) -> None:
    assert [set(one.any_of) for one in wanted_marks(text)] == marks


def test_a_figure_of_another_kind_is_told_with_what_it_shows_instead() -> None:
    (problem,) = kind_problems("histogram of the power with a trend line", ["lines", "bars"])

    assert "'histogram', which shows bins" in problem
    assert "the figure shows bars, lines" in problem


def test_a_figure_may_show_more_than_was_asked_for() -> None:
    assert kind_problems("histogram of the power", ["bins", "lines"]) == ()
