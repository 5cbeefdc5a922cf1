import json
import logging
from pathlib import Path
from typing import Any

from bot.telemetry import JsonLines, tracing, without_credentials


def as_line(message: str, **extra: object) -> dict[str, Any]:
    record = logging.makeLogRecord({"name": "test", "levelname": "INFO", "msg": message, **extra})
    line: dict[str, Any] = json.loads(JsonLines().format(record))
    return line


def test_a_line_is_json_with_its_extra_fields() -> None:
    line = as_line("a turn\nended", action="turn_ended", path=Path("/a"))

    assert line["message"] == "a turn\nended"
    assert (line["level"], line["action"], line["path"]) == ("INFO", "turn_ended", "/a")
    assert line["time"].endswith("+00:00")


def test_lines_of_a_question_carry_its_trace_id() -> None:
    with tracing("abc"):
        inside = as_line("x")
    outside = as_line("x")

    assert inside["trace_id"] == "abc"
    assert "trace_id" not in outside


def test_an_error_comes_with_its_traceback_but_no_password() -> None:
    error = ValueError("cannot reach redis://odabot:hunter2@db:6379/0")

    line = as_line("x", exc_info=(ValueError, error, None))

    assert "ValueError" in line["error"]
    assert "hunter2" not in line["error"]


def test_only_the_credentials_of_an_address_are_left_out() -> None:
    assert without_credentials("see redis://:p@db/0 and http://a.example/x@y") == (
        "see redis://***@db/0 and http://a.example/x@y"
    )
