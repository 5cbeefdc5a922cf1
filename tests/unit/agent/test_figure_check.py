import json

import pytest

from agent.figure_check import parse_report


def a_report(**changes: object) -> str:
    content: dict[str, object] = {
        "kind": "line", "series": 2, "points": 10, "drawn": 10, "missing": 1, "ink": 900,
        "notes": ["1 value is missing."], "problems": [],
    }  # fmt: skip
    return json.dumps({"figure_report": content | changes})


def test_reads_the_report_among_other_output() -> None:
    report = parse_report(f"a warning\n{a_report()}\n")

    assert report.is_good
    assert (report.kind_drawn, report.points, report.notes) == (
        "line",
        10,
        ("1 value is missing.",),
    )


def test_takes_the_last_report() -> None:
    report = parse_report(f"{a_report(points=1)}\n{a_report(points=2)}")

    assert report.points == 2


def test_keeps_the_problems_of_a_bad_figure() -> None:
    report = parse_report(a_report(drawn=0, ink=0, problems=["no data were drawn"]))

    assert report.problems == ("no data were drawn",)


@pytest.mark.parametrize(
    "stdout",
    ["", "done", '{"figure_report": 3}', '{"figure_report": {"kind": "line"}}',
     a_report(points="9"),
     '{"figure_report"', a_report(more=1)],
)  # fmt: skip
def test_a_figure_without_a_readable_report_is_not_good(stdout: str) -> None:
    assert not parse_report(stdout).is_good


@pytest.mark.parametrize("changes", [{"drawn": 0}, {"ink": 0}])
def test_a_figure_without_data_is_not_good_whatever_it_claims(changes: dict[str, object]) -> None:
    assert not parse_report(a_report(**changes)).is_good
