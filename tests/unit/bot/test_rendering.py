from pathlib import Path

from agent import Answered, AnswerTable, Artifact, Choice, Declined, DeclineReason
from agent import NeedsClarification as Asked
from bot.messages import Fact, Status
from bot.outcome import Failed
from bot.rendering import render
from tests.fakes.recording_platform import a_thread

TRACE = Fact("Trace", ("abc",))


def a_table(*rows: tuple[str | float | None, ...]) -> AnswerTable:
    return AnswerTable("Power", ("node", "value"), 3_000, Path("power.csv"), rows)


def test_an_answer_keeps_its_words_tables_and_pictures() -> None:
    picture = Artifact(Path("plot.png"), "image/png", "Power over time")
    answer = Answered("**1** W", (a_table(("900", 1.0)),), (picture,))

    reply = render(answer, a_thread(), "UTC", TRACE)

    assert reply.status is Status.COMPLETED
    assert reply.markdown == "**1** W"
    assert reply.tables[0].rows == (("900", "1"),)
    assert reply.tables[0].csv.path == Path("power.csv")
    assert reply.files[0].is_picture
    assert reply.files[0].title == "Power over time"
    assert reply.facts[-1] == TRACE


def test_a_column_is_numeric_only_where_all_its_cells_are_numbers() -> None:
    table = a_table(("900", 1.0), ("901", None), ("902", 2))

    reply = render(Answered("", (table,)), a_thread(), "UTC", TRACE)

    assert reply.tables[0].numeric == (False, True)


def test_a_drawing_that_could_hold_a_script_is_no_picture() -> None:
    drawing = Artifact(Path("plot.svg"), "image/svg+xml", "Power")

    reply = render(Answered("", artifacts=(drawing,)), a_thread(), "UTC", TRACE)

    assert not reply.files[0].is_picture


def test_a_question_back_offers_its_choices() -> None:
    answer = Asked("Which?", (Choice("a", "the \x1binlet"), Choice("b", "the GPU")))

    reply = render(answer, a_thread(), "UTC", TRACE)

    assert reply.status is Status.CLARIFICATION
    assert [c.id for c in reply.choices] == ["a", "b"]
    assert reply.choices[0].label == "the \N{REPLACEMENT CHARACTER}inlet"


def test_a_refusal_is_told_as_one() -> None:
    answer = Declined(DeclineReason.NO_DATA, "There are no data.")

    reply = render(answer, a_thread(), "UTC", TRACE)

    assert (reply.status, reply.markdown) == (Status.REJECTED, "There are no data.")


def test_a_failure_shows_the_trace_but_not_the_cause() -> None:
    reply = render(Failed("Sorry.", "KeyError: 'secret'"), a_thread(), "UTC", TRACE)

    assert reply.status is Status.FAILED
    assert reply.facts == (TRACE,)
    assert "secret" not in repr(reply)
