import io
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from rich.console import Console

from agent.answer import Usage
from agent.tracing import Kind
from bot.commands.trace import list_traces, trace
from bot.errors import TraceError
from bot.settings import Settings
from bot.trace_step import Owner, Plain, Step
from bot.trace_tree import branches_of, line_of, rendered, tree_json

TRACE = "0" * 16 + "6d5a462eb3254c9f"
BEGUN = datetime(2026, 1, 1, tzinfo=UTC)
SPARQL = "PREFIX oda: <urn:x>\nSELECT ?s WHERE {\n  ?s a oda:Rack .\n}"


def a_step(span: str, parent: str, kind: Kind, name: str, given: Plain = None) -> Step:
    begun = BEGUN + timedelta(seconds=int(span))
    return Step(TRACE, span, parent, kind, name, begun, given, Owner("ann", "web:1"), 0.25)


STEPS = (
    a_step("1", "", Kind.QUESTION, "question", {"question": "racks?"}),
    a_step("2", "1", Kind.AGENT, "coordinator"),
    a_step("3", "2", Kind.TOOL, "query", {"sparql": SPARQL}).told({"rows": 49}, None, "", ""),
    a_step("4", "2", Kind.GENERATION, "write").told("x", Usage(1, 300, 20), "small", ""),
    a_step("5", "2", Kind.CHECK, "gate", {"sparql": SPARQL}).told(
        None, None, "", "there is no class oda:Cabinet"
    ),
    a_step("6", "2", Kind.CHECK, "number guard"),
    a_step("7", "2", Kind.TOOL, "sandbox").told(None, None, "", "timed-out"),
)


def printed(*steps: Step) -> str:
    out = io.StringIO()
    Console(file=out, width=300).print(rendered(steps))
    return out.getvalue()


def test_the_tree_has_what_was_run_how_long_it_took_and_what_it_cost() -> None:
    shown = printed(*STEPS)

    assert "question question  250 ms  ann in web:1" in shown
    assert "generation write  250 ms  300 + 20 tokens  small" in shown
    assert "?s a oda:Rack ." in shown
    assert "-> rows: 49" in shown


def test_what_a_check_turned_away_is_marked_and_failures_are_told_from_it() -> None:
    lines = printed(*STEPS).splitlines()

    (rejected,) = [n for n, line in enumerate(lines) if "REJECTED" in line]
    assert lines[rejected].endswith("REJECTED: there is no class oda:Cabinet")
    assert "check gate" in lines[rejected - 1]
    assert [line for line in lines if "FAILED: timed-out" in line]
    assert [line for line in lines if "number guard" in line and line.endswith("accepted")]


def test_steps_are_in_the_order_in_which_they_began_not_ended() -> None:
    (root,) = branches_of(STEPS[::-1])

    assert [branch.step.name for branch in root.below[0].below] == [step.name for step in STEPS[2:]]


def test_a_step_whose_parent_was_never_written_is_shown_all_the_same() -> None:
    shown = printed(*STEPS[2:])

    assert "tool query" in shown
    assert "check gate" in shown


def test_markup_in_what_people_wrote_is_text() -> None:
    assert "[bold]racks[/nothing]" in printed(
        a_step("1", "", Kind.QUESTION, "question", {"question": "[bold]racks[/nothing]"})
    )


@pytest.mark.parametrize(
    "value",
    [
        SPARQL,
        {"query": SPARQL, "problem": "none"},
        {"sparql": "SELECT ?s { ?s a oda:Rack . }"},
        "import polars\n?s a oda:Rack .",
        {"text": "ASK {\n ?s a oda:Rack .\n}"},
    ],
)
def test_queries_and_programs_are_shown_line_by_line(value: Plain) -> None:
    lines = printed(a_step("1", "", Kind.TOOL, "query", value)).splitlines()

    assert [line for line in lines if "?s a oda:Rack ." in line and "PREFIX" not in line]
    assert not [line for line in lines if "\\n" in line]


def test_a_terminal_obeys_nothing_that_was_written_in_a_trace() -> None:
    evil = "\x1b]0;mine\x07\x1b[2J\u202e\r"
    steps = (
        a_step("1", "", Kind.QUESTION, f"question{evil}", {"question": f"racks{evil}?"}),
        a_step("2", "1", Kind.CHECK, "gate", {"query": f"SELECT {evil} {{"}).told(
            f"x{evil}", None, f"m{evil}", f"no{evil}"
        ),
    )
    shown = printed(*steps) + str(line_of(steps[0]))

    assert not set(evil) & set("\x1b\x07\u202e\r") & set(shown)
    assert "racks" in shown


def test_as_json_the_steps_are_nested_and_whole() -> None:
    told = json.loads(json.dumps(tree_json(STEPS)))

    assert told["trace"] == "6d5a462eb3254c9f"
    assert told["opentelemetry_trace"] == TRACE
    (root,) = told["steps"]
    (coordinator,) = root["steps"]
    assert coordinator["steps"][0]["given"] == {"sparql": SPARQL}
    assert coordinator["steps"][1]["usage"]["prompt_tokens"] == 300


@pytest.mark.parametrize("odd", ["6d5a462eb3254c9f", "", "../../log", "é\ud800"])
def test_a_trace_that_is_not_kept_is_said(tmp_path: Path, odd: str) -> None:
    with pytest.raises(TraceError, match="no trace"):
        trace(Settings(data=tmp_path), odd, io.StringIO(), as_json=False)


def test_a_folder_that_cannot_be_read_is_said(tmp_path: Path) -> None:
    (tmp_path / "traces").write_text("")

    with pytest.raises(TraceError, match="cannot be read"):
        list_traces(Settings(data=tmp_path), io.StringIO(), as_json=False)
    with pytest.raises(TraceError, match="cannot be read"):
        trace(Settings(data=tmp_path), "6d5a462eb3254c9f", io.StringIO(), as_json=False)


def test_without_traces_none_is_listed(tmp_path: Path) -> None:
    out = io.StringIO()

    list_traces(Settings(data=tmp_path), out, as_json=False)

    assert out.getvalue() == ""
