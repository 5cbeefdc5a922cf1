"""Words for charts and fits that no program of ours draws."""

from datetime import UTC, datetime

import pytest

from agent.chart import ChartKind
from agent.free_charts import free_wish
from agent.planner import as_free, asking_of
from agent.session import Turn

LINE, BOX, BAR, GROUPED = ChartKind.LINE, ChartKind.BOX, ChartKind.BAR, ChartKind.GROUPED_BAR
NOW = datetime(2022, 6, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    ("kind", "words", "text"),
    [
        (BOX, "violin plot", "violin plot of the power of rack 5"),
        (GROUPED, "stacked bar chart", "a stacked bar chart of jobs by state"),
        (BOX, "ecdf", "ecdf of the inlet temperature"),
        (BOX, "CDF plot", "CDF plot of job run times"),
        (LINE, "scatter matrix", "scatter matrix of power and fan speed"),
        (LINE, "regression line", "plot the power with a regression line"),
        (LINE, "line of best fit", "scatter plot of x against y with a line of best fit"),
        (LINE, "fit a trend", "fit a trend to the power of node 900"),
        (LINE, "2x2 panel", "2x2 panel of power of nodes 900, 901, 902 and 903"),
        (LINE, "2x2 grid of subplots", "plot the power in a 2x2 grid of subplots"),
        (LINE, "separate panels", "plot power and temperature in separate panels"),
        (LINE, "moving average of 30 minutes", "power with a moving average of 30 minutes"),
        (LINE, "3D surface plot", "3D surface plot of the power of rack 5"),
        (BAR, "radar chart", "radar chart of the average power"),
        (BAR, "treemap", "treemap of jobs by user"),
        (LINE, "autocorrelation", "show the autocorrelation of the power"),
    ],
)
def test_finds_the_words_and_the_data_that_they_need(
    kind: ChartKind, words: str, text: str
) -> None:
    wish = free_wish(text)

    assert wish is not None
    assert (wish.kind, wish.words) == (kind, words)
    assert wish.wants_numbers is (words == "fit a trend")


@pytest.mark.parametrize(
    "text",
    [
        "plot the power of node 900",
        "box plot of the power of rack 5",
        "temperature of panel 2",
        "inlet temperature of the panels",
        "is there a trend in the power of node 900?",
        "what is the slope of the power of node 900",
        "average power of the racks 2 by 4 hours",
        "correlation heat map of power and temperature",
        "how many jobs stepped down",
        "jobs of user 2 x 3",
    ],
)
def test_leaves_our_own_charts_and_other_words_alone(text: str) -> None:
    assert free_wish(text) is None


def test_numbers_and_pictures_are_told_apart() -> None:
    fit = free_wish("fit a linear trend to the power and give the slope")
    both = free_wish("fit a linear trend to the power and draw a scatter matrix")

    assert fit is not None
    assert both is not None
    assert fit.words == "fit a linear trend, give the slope"
    assert (fit.wants_picture, fit.wants_numbers) == (False, True)
    assert (both.wants_picture, both.wants_numbers) == (True, True)


def test_the_reader_is_spared_the_words_only_where_a_program_may_be_written() -> None:
    turn = Turn("plot the power of node 900 on 1 June 2022 with a regression line", NOW)

    plain, free = asking_of(turn), asking_of(as_free(turn))

    said = [turn.question[start:end] for start, end in free.taken]
    assert (plain.chart.words, free.chart.words) == ("", "regression line")
    assert "with a regression line" in said
    assert len(plain.taken) == len(free.taken) - 1


def test_a_kind_that_is_named_beside_it_decides_which_data_are_needed() -> None:
    turn = as_free(Turn("scatter plot of power against heat with a line of best fit", NOW))
    matrix = as_free(Turn("scatter matrix of power and heat", NOW))

    assert asking_of(turn).chart.kind == "scatter"
    assert asking_of(matrix).chart.kind == "line"


def test_a_chart_that_one_of_ours_stands_in_for_is_read_as_before() -> None:
    asking = asking_of(Turn("violin plot of the power of rack 5", NOW))

    assert (asking.chart.kind, asking.chart.words) == ("box", "violin plot")
