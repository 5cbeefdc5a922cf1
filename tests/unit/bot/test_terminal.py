import io
from pathlib import Path

from rich.console import Console

from agent import Choice
from bot.messages import Fact, FactKind, Reply, ReplyFile, ReplyTable, Status
from bot.terminal import print_reply
from tests.fakes.recording_platform import a_thread


def printed(reply: Reply, *, with_code: bool = False) -> str:
    out = io.StringIO()
    print_reply(Console(file=out, width=100), reply, with_code=with_code)
    return out.getvalue()


def a_file(name: str, media_type: str = "text/csv") -> ReplyFile:
    return ReplyFile(name, Path("/answers") / name, media_type, "what it holds")


def test_prints_words_choices_and_where_files_are() -> None:
    picture = a_file("p.png", "image/png")
    choices = (Choice("a", "the inlet"), Choice("b", "the GPU"))
    reply = Reply(a_thread(), Status.CLARIFICATION, "Which?", (), (picture,), choices)

    text = printed(reply)

    for expected in ("Which?", "1. the inlet", "2. the GPU", "/answers/p.png"):
        assert expected in text


def test_prints_the_first_rows_and_says_how_many_there_are() -> None:
    table = ReplyTable("Power", ("node",), (("900",), ("901",)), (False,), 4_000, a_file("p.csv"))

    text = printed(Reply(a_thread(), Status.COMPLETED, "", (table,)))

    for expected in ("Power", "node", "901", "first 2 of 4,000 rows", "/answers/p.csv"):
        assert expected in text


def test_nothing_in_a_reply_is_taken_for_markup() -> None:
    hostile = "[bold red]x[/] [link=http://evil.example]y[/link]"
    table = ReplyTable(hostile, (hostile,), ((hostile,),), (False,), 1, a_file("p.csv"))
    reply = Reply(
        a_thread(), Status.REJECTED, hostile, (table,), facts=(Fact("Notes", (hostile,)),)
    )

    text = printed(reply)

    assert text.count(hostile) == 5


def test_prints_queries_only_on_request() -> None:
    fact = Fact("Query", ("SELECT *",), FactKind.SPARQL)
    reply = Reply(a_thread(), Status.COMPLETED, "x", facts=(fact,))

    assert "SELECT *" not in printed(reply)
    assert "SELECT *" in printed(reply, with_code=True)
