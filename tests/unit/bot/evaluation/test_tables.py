from typing import Any

import pytest

from bot.errors import EvaluationError
from bot.evaluation.cost_tables import costs, repeats
from bot.evaluation.evaluated import Evaluated, spread, whole_repeats
from bot.evaluation.grid_text import markdown, plain
from bot.evaluation.report import grids
from bot.evaluation.tables import Grid, by_question, components, retrieval, success
from bot.evaluation.verdicts import Verdict
from tests.unit.bot.evaluation.records import RUN, a_cost, a_record

PICTURE: dict[str, Any] = {"put": {"kind": "end_to_end", "artefact": "line", "sources": []}}
DRAWN: dict[str, Any] = {**PICTURE, "artifacts": [{"path": "a.png"}]}


def test_table_one_counts_the_stages_that_were_completed() -> None:
    records = (
        a_record("Q01"),
        a_record("Q02", **DRAWN),
        a_record("Q03", **PICTURE),
        a_record("Q04", status="rejected", sparql=[]),
        a_record("Q05", sparql=[], **DRAWN),
        a_record("R01"),
    )

    (row,) = success([Evaluated(RUN, records)]).rows

    # Both stages: Q01, which wants no picture, and Q02. Q05 has a picture of no data.
    assert row == ("EXASAGE Reflect Agent, symbolic first", "none", "3", "3", "2", "5")


def test_table_one_shows_the_spread_over_repeats() -> None:
    records = (
        a_record("Q01", 1),
        a_record("Q01", 2, status="failed"),
        a_record("Q02", 1),
        a_record("Q02", 2),
    )

    (row,) = success([Evaluated(RUN, records)]).rows

    assert row[2:] == ("2 (1 to 2)",) * 3 + ("2",)


def test_table_two_shares_out_the_tokens() -> None:
    cost = a_cost(coordinator=(90, 10), retrieval=(250, 50), code=(60, 40), retries=2)
    run = Evaluated(RUN, (a_record("Q01", cost=cost, seconds=12.25),))

    grid = by_question(run)

    assert dict(zip(grid.heads, grid.rows[0], strict=True)) == {
        "Q": "Q01",
        "Ended": "completed",
        "St.": "not graded",
        "Tokens": "500",
        "Coord%": "20.0",
        "Data%": "60.0",
        "Code%": "20.0",
        "Out%": "20.0",
        "Rt": "2",
        "Calls": "3",
        "s": "12.2",
    }


def test_table_two_has_a_letter_for_each_repeat_and_sums_up() -> None:
    records = tuple(
        a_record(name, repeat, cost=a_cost(retrieval=(tokens, 0)))
        for name, repeat, tokens in [("Q01", 1, 10), ("Q01", 2, 30), ("Q02", 1, 7), ("Q02", 2, 9)]
    )
    verdicts = {
        ("Q01", 1): Verdict.CORRECT,
        ("Q01", 2): Verdict.CORRECT,
        ("Q02", 1): Verdict.INCOMPLETE,
        ("Q02", 2): Verdict.HALLUCINATED,
    }

    grid = by_question(Evaluated(RUN, records, verdicts))

    assert [row[2] for row in grid.rows] == ["CC", "IH"]
    assert grid.rows[0][3] == "20 (10 to 30)"
    assert grid.notes[1].startswith("1 correct, 0 (0 to 1) hallucinated, 0 (0 to 1) incomplete")
    assert "median tokens of a correct answer 20;" in grid.notes[1]


def test_table_three_counts_answered_and_correct_retrievals() -> None:
    records = (a_record("R01"), a_record("R02"), a_record("R03", status="rejected"), a_record())
    verdicts = {
        ("R01", 1): Verdict.CORRECT,
        ("R02", 1): Verdict.HALLUCINATED,
        ("R03", 1): Verdict.FAILED,
    }

    (graded,) = retrieval([Evaluated(RUN, records, verdicts)]).rows
    (ungraded,) = retrieval([Evaluated(RUN, records)]).rows

    assert graded[2:] == ("2", "1", "1", "3")
    assert ungraded[2:] == ("2", "not graded", "not graded", "3")


def test_a_question_without_a_verdict_is_not_counted_as_wrong() -> None:
    records = (a_record("R01"), a_record("R02"))

    (row,) = retrieval([Evaluated(RUN, records, {("R01", 1): Verdict.CORRECT})]).rows

    assert row[3:5] == ("not graded", "not graded")


def test_table_four_looks_at_each_component() -> None:
    needs: dict[str, Any] = {
        "put": {"kind": "retrieval", "sources": ["ipmi_pub/total_power", "topology"]}
    }
    power: dict[str, Any] = {"metrics": [{"plugin": "ipmi_pub", "metric": "total_power"}]}
    records = (
        a_record("R01", **needs, **power),
        a_record("R02", **needs, **power, sparql=[], evidence={}, status="rejected"),
        a_record("R03", **needs, evidence={}),
        a_record("R04", **needs, sparql=[], evidence={}, status="rejected"),
    )
    verdicts = {(r.id, 1): Verdict.FAILED for r in records} | {("R01", 1): Verdict.CORRECT}

    rows = {row[0]: row[1] for row in components(Evaluated(RUN, records, verdicts)).rows}

    assert rows == {
        "Entity extraction": "50.0",
        "SPARQL query generation": "50.0",
        "Virtual Knowledge Graph generation": "25.0",
        "Final answer": "25.0",
    }


def test_a_correct_answer_by_other_metrics_has_found_its_entities() -> None:
    needs: dict[str, Any] = {"put": {"kind": "retrieval", "sources": ["ganglia_pub/cpu_idle"]}}
    run = Evaluated(RUN, (a_record("R01", **needs),), {("R01", 1): Verdict.CORRECT})

    assert components(run).rows[0] == ("Entity extraction", "100.0")


def test_costs_are_told_by_kind_of_question() -> None:
    records = (
        a_record("Q01", cost=a_cost(code=(10, 0), retries=1), seconds=2.0),
        a_record("R01", cost=a_cost(retrieval=(5, 1)), seconds=1.0),
        a_record("R02", seconds=3.0),
        a_record("R03", seconds=9.0),
    )

    first, second = costs([Evaluated(RUN, records)]).rows

    assert first[2:] == ("10", "10", "1", "1", "1", "2.0", "2.0")
    assert second[2:] == ("0", "6", "0", "1", "0", "3.0", "9.0")


def test_repeats_agree_where_they_end_alike_with_the_same_numbers() -> None:
    records = (
        a_record("Q01", 1, summary="It was 5 W."),
        a_record("Q01", 2, summary="5 W it was."),
        a_record("Q02", 1, summary="It was 5 W."),
        a_record("Q02", 2, summary="It was 6 W."),
        a_record("Q03", 1, status="rejected", summary=""),
        a_record("Q03", 2, summary=""),
    )

    grid = repeats([Evaluated(RUN, records)])

    assert grid is not None
    assert grid.notes == (
        "EXASAGE Reflect Agent, symbolic first, none: 1 of 3 questions ended alike and"
        " with the same numbers in all repeats.",
    )
    assert grid.rows[0][2:] == ("2", "2", "2", "3")
    assert repeats([Evaluated(RUN, records[:1])]) is None


def test_a_repeat_that_was_interrupted_is_left_out() -> None:
    whole = (a_record("Q01"), a_record("Q02"))

    assert whole_repeats((*whole, a_record("Q01", 2))) == whole
    assert whole_repeats((a_record("Q01"), a_record("Q02", 2))) != ()


def test_runs_of_other_questions_do_not_share_tables() -> None:
    other = RUN.model_copy(update={"questions": "others"})

    with pytest.raises(EvaluationError, match="other questions"):
        grids([Evaluated(RUN, (a_record(),)), Evaluated(other, (a_record(run=other),))])


@pytest.mark.parametrize(
    ("config", "steps", "told"),
    [
        ("nsa", "every", "EXASAGE Reflect Agent, every step by the model"),
        ("exasage", "every", "EXASAGE Query Tool"),
        ("datalake", "every", "Datalake Query Tool"),
    ],
)
def test_runs_are_called_as_in_the_paper(config: str, steps: str, told: str) -> None:
    run = RUN.model_copy(update={"config": config, "steps": steps})

    assert Evaluated(run, (a_record(run=run),)).backend == told


def test_tables_without_a_row_are_left_out() -> None:
    titles = [grid.title.split(".")[0] for grid in grids([Evaluated(RUN, (a_record("R01"),))])]

    assert titles == ["III", "IV", "Cost of a question, all repeats together"]


def test_spread_is_one_number_where_nothing_differs() -> None:
    assert spread([3, 3]) == "3"
    assert spread([1, 2, 4_000]) == "2 (1 to 4,000)"
    assert spread([]) == "-"


def test_a_grid_as_text() -> None:
    grid = Grid("T", ("Name", "n"), (("a|b", "1"), ("c", "1,000")), ("a note",))

    assert plain(grid) == "T\n\nName      n\n-----------\na|b       1\nc     1,000\n\na note\n"
    assert markdown(grid) == (
        "**T**\n\n| Name | n |\n|---|---:|\n| a\\|b | 1 |\n| c | 1,000 |\n\na note\n"
    )
