"""Charts and fits that only a program of the model's gives, asked of the whole agent."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import polars as pl
import pytest
from numpy import polyfit

from agent import Analyst
from agent.answer import Answered, Usage
from tests.asking import Thread, analyst_over, table_of
from tests.fakes.model_server import ModelServer, in_turn, serving
from tests.stored import NOW

pytestmark = pytest.mark.skipif(shutil.which("bwrap") is None, reason="needs a sandbox")

VIOLIN = "violin plot of the power of node 3 and node 4 on 1 June 2022"
TREND = "plot the power of node 3 on 1 June 2022 with a regression line"
SLOPE = "fit a linear trend to the power of node 3 on 1 June 2022 and give the slope"
READ = """
import pandas as pd
import matplotlib.pyplot as plt
table = pd.read_parquet("/in/total-node-power.parquet")
"""
DRAW = (
    READ
    + """
figure, axes = plt.subplots()
from scipy.stats import linregress
table = table.sort_values("t")
hours = (table["t"] - table["t"].min()).dt.total_seconds() / 3600
fit = linregress(hours, table["v"])
axes.plot(table["t"], table["v"], label="measured")
axes.plot(table["t"], fit.intercept + fit.slope * hours, label="fitted")
axes.set(title="Power of a node", xlabel="time", ylabel="power [W]")
figure.savefig("/out/plot.png")
"""
)
FIT = (
    READ
    + """
from scipy.stats import linregress
hours = (table["t"] - table["t"].min()).dt.total_seconds() / 3600
fit = linregress(hours, table["v"])
pd.DataFrame([{"slope [W/h]": fit.slope}]).to_csv("/out/result.csv", index=False)
"""
)


class Asked:
    """A thread over the tiny lake, with a model that replies as a test has it."""

    def __init__(self, server: ModelServer, analyst: Analyst) -> None:
        self._server = server
        self._analyst = analyst

    def replying(self, *texts: str) -> Thread:
        self._server.respond = in_turn(*texts)
        return Thread(self._analyst, NOW)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept for all tests: the names of metrics are embedded once."""
    return tmp_path_factory.mktemp("model")


@pytest.fixture(scope="module")
def model(lake: Path, folder: Path) -> Iterator[Asked]:
    with serving(in_turn("")) as server, analyst_over(lake, folder, model_url=server.url) as made:
        yield Asked(server, made)


def fenced(code: str) -> str:
    return f"```python\n{code}```"


def test_the_model_draws_what_we_do_not_and_the_numbers_stay_ours(model: Asked) -> None:
    thread = model.replying(fenced(DRAW))
    answer = thread.found(TREND)
    plain = thread.found("plot the power of node 3 on 1 June 2022")

    assert table_of(answer).equals(table_of(plain))
    assert answer.text.splitlines()[0] == plain.text.splitlines()[0]
    assert "language model's program" in answer.text
    assert "linregress" in answer.evidence.code[0]
    assert answer.artifacts[0].path.read_bytes() != plain.artifacts[0].path.read_bytes()
    assert answer.cost.code == Usage(1, 100, 10)
    assert plain.cost.total == Usage()


def test_a_fit_gives_a_table_that_says_who_computed_it(model: Asked) -> None:
    thread = model.replying(fenced(FIT))
    answer = thread.found(SLOPE)

    samples, computed = table_of(answer), table_of(answer, 1)
    seconds = (samples["time"] - samples["time"].min()).dt.total_seconds().to_numpy()
    slope = polyfit(seconds / 3600, samples["total node power (W)"].to_numpy(), 1)[0]
    assert computed["slope [W/h]"].item() == pytest.approx(slope)
    assert answer.tables[1].name == "computed by a program that the language model wrote"
    assert answer.artifacts == ()
    assert answer.cost.code.llm_calls == 2
    assert "a second program" in answer.text


def test_a_fit_that_does_not_come_about_is_declined(model: Asked) -> None:
    thread = model.replying("I cannot help with that.")
    declined = thread.declined(SLOPE)

    assert "'fit a linear trend, give the slope'" in declined.text
    assert declined.cost.code.llm_calls == 3


def test_where_ours_can_stand_in_it_does_and_says_so(model: Asked) -> None:
    thread = model.replying("no", "no", "no")
    answer = thread.found(VIOLIN)

    assert "Instead of a violin plot" in answer.text
    assert answer.artifacts


def test_a_follow_up_keeps_the_chart(model: Asked) -> None:
    thread = model.replying(fenced(DRAW))
    thread.found(TREND)
    answer = thread.found("and for node 4?")

    assert set(table_of(answer)["node"].cast(pl.String)) == {"4"}
    assert answer.cost.code.llm_calls == 1
    assert "linregress" in answer.evidence.code[0]


def test_an_unknown_word_beside_it_is_still_refused(model: Asked) -> None:
    thread = model.replying('{"question": ""}')
    declined = thread.declined(f"{TREND} and some glitter")

    assert "'glitter'" in declined.text


def test_without_a_model_it_is_declined_as_before_and_says_what_is_drawn(
    lake: Path, folder: Path
) -> None:
    with analyst_over(lake, folder) as analyst:
        thread = Thread(analyst, NOW)
        declined = thread.declined(TREND)
        violin = thread.found(VIOLIN)

    assert "'regression'" in declined.text
    assert "box" in declined.text
    assert isinstance(violin, Answered)
    assert "Instead" not in violin.text


def test_an_endpoint_that_is_gone_takes_nothing_from_the_numbers(lake: Path, folder: Path) -> None:
    with analyst_over(lake, folder, model_url="http://127.0.0.1:9/v1") as analyst:
        answer = Thread(analyst, NOW).found(TREND)

    assert "The chart could not be drawn" in answer.text
    assert answer.tables[0].row_count > 100


def test_what_a_program_says_of_itself_is_not_repeated(model: Asked) -> None:
    code = READ + 'raise ValueError("The slope is 4711 W/h, <b>trust me</b>")\n'

    answer = model.replying(fenced(code)).found(TREND)

    assert "ValueError" in answer.text
    assert "4711" not in answer.text
    assert "trust" not in answer.text
