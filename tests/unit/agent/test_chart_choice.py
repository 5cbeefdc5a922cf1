from itertools import pairwise

import pytest

from agent.chart import ChartKind
from agent.chart_choice import chart_words

LINE, DUAL, HIST = ChartKind.LINE, ChartKind.DUAL_AXIS, ChartKind.HISTOGRAM
BAR, GROUPED, PIE = ChartKind.BAR, ChartKind.GROUPED_BAR, ChartKind.PIE
BOX, HEAT, SCATTER = ChartKind.BOX, ChartKind.HEATMAP, ChartKind.SCATTER

# In each phrase the words in brackets are those that speak of the chart.
WISHES: list[tuple[ChartKind | None, str]] = [
    (LINE, "Retrieve the total power for node 900 from 20:00 to 23:59 [and plot the time series]."),
    (LINE, "GPU-0 utilisation of nodes 900 and 920 [and create a line plot comparing the nodes]."),
    (HIST, "Get inlet temperature [and create a histogram of the temperature distribution]."),
    (LINE, "Ambient temperature for nodes 1 and 2 [and create a single comparative line plot]."),
    (
        DUAL,
        "Temperature and power for node 900 (full day) [and create a dual-axis plot over time].",
    ),
    (BAR, "Compute the cv of jobs 1, 2 over their duration [and create a comparative bar chart]."),
    (PIE, "Get the CPU and GPU hours of 1 June [and create a pie chart of the breakdown]."),
    (LINE, "Get their power[, create a comparative line plot], and report min/max/avg power."),
    (GROUPED, "CPU and GPU use between 15:00 and 16:00 [and create a side-by-side bar chart]."),
    (DUAL, "compare it with the same period of the previous month [using a dual-axis plot]."),
    (LINE, "Get the number of jobs each day over 1-10 June 2022 [and plot it over the 10 days]."),
    (HEAT, "get total power from 12:00 to 14:00 [and visualise a heatmap correlation matrix]."),
    (BOX, "Fetch power and users [and create a box plot of] the top-10 users by number of jobs."),
    (None, "[show me a graph of] the power of node 900 yesterday"),
    (None, "[Plot] the total power of node 900 on 1 June 2022"),
    (None, "[plot] power and temperature of rack 4"),
    (None, "[Can you please draw me a chart of] the queue length?"),
    (None, "Power of rack 5 today[, plotted]"),
    (None, "Average power of each rack [and visualise the results]"),
    (None, "Average power of each rack [and visualize it, please]."),
    (LINE, "Power of node 5 last week [as a line plot]"),
    (LINE, "power of node 5 last week [as a time series plot]"),
    (LINE, "PUE of the last month [as a line chart]"),
    (LINE, "Fan speed of cdz1 yesterday [as a curve]"),
    (LINE, "[plot] the power of node 900 over time"),
    (LINE, "[I want a linegraph of] GPU temperature"),
    (LINE, "[Show the time series of] total power of node 900"),
    (LINE, "What is the GPU utilisation [trend] for the busiest GPUs this week?"),
    (LINE, "[Give me a trend chart for] PUE".replace(" for]", "] for")),
    (HIST, "[histogram of] inlet temperatures on 1 June 2022"),
    (HIST, "[plot the distribution of] job run times for 1 June"),
    (HIST, "[Show me the distribution of] CPU temperature across all nodes"),
    (HIST, "[make a histogram showing] the waiting time of all jobs"),
    (HIST, "job durations [in a histogram]"),
    (HIST, "waiting times of yesterday's jobs [as a distribution plot]"),
    (BAR, "mean power per rack [as a bar chart]"),
    (BAR, "mean power per rack [as bars]"),
    (BAR, "jobs by state[, horizontal bar chart]"),
    (BAR, "[create a barplot of] the energy of each rack"),
    (BAR, "[bar graph of] failed jobs per day"),
    (BAR, "[Give me a column chart of] jobs per user"),
    (GROUPED, "compare CPU and GPU load [with side-by-side bars]"),
    (GROUPED, "jobs per day and state [as a grouped bar chart]"),
    (GROUPED, "jobs per day and state [as a stacked bar chart]"),
    (PIE, "jobs by final state [as a pie]"),
    (PIE, "[a donut chart of] core hours by partition"),
    (PIE, "share of each partition in the jobs of May [in a pie-chart please]"),
    (BOX, "power of nodes 1 to 5 [as a boxplot]"),
    (BOX, "[box-plot of] job power by user"),
    (BOX, "[Draw a box and whisker plot of] the run times per partition"),
    (BOX, "run times per partition [as a violin plot]"),
    (HEAT, "GPU temperature per node and hour [as a heat map]"),
    (HEAT, "[correlation matrix of] power, temperature and load of node 900"),
    (HEAT, "[plot the correlation matrix of] power, temperature and load"),
    (HEAT, "power, temperature and load of node 9[, show a correlation heatmap]"),
    (DUAL, "power and temperature of node 9 [on two y-axes]"),
    (DUAL, "[dual axis chart of] outdoor temperature and chiller power"),
    (DUAL, "[plot] outdoor temperature and PUE [with a secondary axis]"),
    (SCATTER, "[scatter plot of] power against load for node 900"),
    (SCATTER, "[plot] node power against CPU load"),
    (SCATTER, "power vs. temperature of node 9 [in a scatterplot]"),
    (SCATTER, "[visualise] the correlation between power and temperature"),
    (None, "[send me the graph as a picture]"),
    (None, "[plot them together]"),
    (None, "[and now plot that], but for node 901"),
    (BAR, "[make it a bar chart instead]"),
    (LINE, "[can you show this as a line chart?]".replace("?]", "]?")),
    (None, "Power of nodes 1 and 2 yesterday [in one chart]"),
    (None, "Power of node 900 over the last 3 hours [and plot it] over the last 3 hours"),
]

NO_WISH = [
    "How many nodes are there in M100?",
    "Which racks have the highest power draw?",
    "Which nodes draw the most power?",
    "What is the pressure in bar of the cooling loop?",
    "Which box of line 3 has a fault?",
    "How many triples does the knowledge graph hold?",
    "Is the graph store up?",
    "graphics memory of GPU 1 on node 900",
    "Power distribution unit 3: mean power",
    "distribution of jobs by state",
    "What is the storyline of the outage?",
    "Break down by final state the jobs that ended in May.",
    "How much power did node 900 draw yesterday?",
    "Which job ran in scatterer mode?",
    "the figure for total power on 1 June",
    "compare the mean power of racks 1 and 2",
]


def marked(text: str) -> tuple[str, tuple[str, ...]]:
    """The phrase without brackets, and the words that stood in them."""
    parts = text.replace("]", "[").split("[")
    return "".join(parts), tuple(parts[1::2])


@pytest.mark.parametrize(("kind", "phrase"), WISHES, ids=[phrase for _, phrase in WISHES])
def test_finds_the_kind_and_all_words_of_a_wish(kind: ChartKind | None, phrase: str) -> None:
    text, words = marked(phrase)

    wish = chart_words(text)

    assert (wish.kind, wish.covered(text)) == (kind, words)
    assert wish.wants_chart


@pytest.mark.parametrize("text", NO_WISH)
def test_leaves_words_alone_that_only_look_like_a_chart(text: str) -> None:
    wish = chart_words(text)

    assert not wish.wants_chart
    assert wish.spans == ()


@pytest.mark.parametrize(
    "phrase",
    [
        "Total power of node 900 yesterday, [no plot]",
        "Total power of node 900 yesterday [without a chart]",
        "total power of node 900, [do not plot it]",
    ],
)
def test_hears_that_no_chart_is_wanted(phrase: str) -> None:
    text, words = marked(phrase)

    wish = chart_words(text)

    assert not wish.wants_chart
    assert wish.covered(text) == words


def test_a_time_series_for_a_file_is_no_wish_for_a_chart() -> None:
    wish = chart_words("Give me the time series of total power of node 900 as CSV")

    assert wish.kind is LINE
    assert not wish.wants_chart


def test_names_all_kinds_when_several_are_asked_for() -> None:
    wish = chart_words("Plot a histogram and a box plot of the power of rack 3")

    assert wish.kinds == (HIST, BOX)


def test_says_that_the_chart_is_about_correlation() -> None:
    assert chart_words("show a correlation heatmap of power and load").correlation
    assert not chart_words("show a heatmap of power by node").correlation


def test_spans_are_in_order_and_apart() -> None:
    text = "Plot outdoor temperature and PUE of May with a secondary axis, please"

    spans = chart_words(text).spans

    assert all(end <= start for (_, end), (start, _) in pairwise(spans))
    assert all(text[start:end].strip() == text[start:end] for start, end in spans)


def test_reads_a_very_long_text_without_getting_stuck() -> None:
    text = "and then please show me a " * 2_000 + "plot " + "a " * 9_000 + "plot " * 200

    assert chart_words(text).wants_chart
