"""What the retrieval tools reply: requests by name, clear complaints, CSV in parts."""

import os
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from agent.answer import Answer, Answered, AnswerTable, Choice, NeedsClarification, Usage
from agent.answer_codec import cost_of
from agent.budget import Allowance, Budget
from agent.errors import RunStoreError
from agent.run_context import RunContext
from agent.run_store import RunState, RunStatus
from agent.session import Question
from bot.mcp.request_folders import RequestFolders
from bot.mcp.retrieval_desk import Asker, RetrievalDesk
from bot.memory_runs import MemoryRuns
from retrieval.errors import LakeError

NOW = datetime(2022, 6, 15, 10, tzinfo=UTC)
CSV = "node,name\n" + "".join(f"{n},nœud {n}\n" for n in range(100))


class CannedRetrieval:
    """Asks back first; answers a choice with one table of a hundred rows."""

    def __init__(self, runs: MemoryRuns) -> None:
        self._runs = runs
        self.questions: list[Question] = []
        self.budgets: list[Budget] = []

    def query(self, request: str, context: RunContext) -> Answer:
        self.questions.append(context.question)
        self.budgets.append(context.budget)
        if request == "broken":
            context.budget.charge("retrieval", Usage(2, 300, 20))
            raise LakeError("part 7 of /secret/lake is damaged")
        self._save(context, RunStatus.WAITING)
        return NeedsClarification("Which one?", (Choice("gpu", "GPU"),))

    def clarify(self, request_id: str, choice: str, context: RunContext) -> Answer:
        self.questions.append(context.question)
        csv = context.folder / "nodes.csv"
        csv.write_text(CSV)
        self._save(context, RunStatus.COMPLETED)
        return Answered(f"{choice} it is.", (AnswerTable("nodes", ("node", "name"), 100, csv, ()),))

    def _save(self, context: RunContext, status: RunStatus) -> None:
        self._runs.save(RunState(context.question.trace_id, status=status))


class Counter:
    """A desk over canned retrieval, and what it was asked."""

    def __init__(self, folder: Path) -> None:
        runs = MemoryRuns()
        self.tools = CannedRetrieval(runs)
        self.desk = RetrievalDesk(
            self.tools,
            runs,
            lambda question, note: RunContext(
                question, self._folder(folder, question.trace_id), Budget(100, 7, 1, lambda: 0.0)
            ),
            folder,
            ZoneInfo("Europe/Rome"),
            lambda: NOW,
        )

    def _folder(self, folder: Path, trace: str) -> Path:
        made = folder / trace
        made.mkdir(exist_ok=True)
        return made

    def asked(self) -> str:
        return str(self.desk.query("temperature?", None, Asker())["request_id"])

    def answered(self) -> str:
        request_id = self.asked()
        self.desk.clarify(request_id, "gpu", Asker())
        return request_id


@pytest.fixture
def counter(tmp_path: Path) -> Counter:
    return Counter(tmp_path)


def test_a_request_that_asks_back_goes_on_under_its_name(counter: Counter) -> None:
    first = counter.desk.query("temperature?", None, Asker("ann", "t"))
    second = counter.desk.clarify(str(first["request_id"]), "gpu", Asker("ann"))

    assert first["status"] == "clarification"
    assert first["options"] == [{"id": "gpu", "label": "GPU"}]
    assert (second["status"], second["text"]) == ("completed", "gpu it is.")
    assert second["request_id"] == first["request_id"]
    asked = counter.tools.questions
    assert [each.trace_id for each in asked] == [first["request_id"]] * 2
    assert (asked[0].user, asked[0].conversation, asked[0].asked_at) == ("ann", "t", NOW)


@pytest.mark.parametrize(
    ("given", "read"),
    [
        (datetime(2022, 6, 1, 12), datetime(2022, 6, 1, 10, tzinfo=UTC)),  # noqa: DTZ001 - without a zone
        (datetime(2022, 6, 1, 12, tzinfo=UTC), datetime(2022, 6, 1, 12, tzinfo=UTC)),
    ],
)
def test_a_moment_without_a_zone_is_of_the_site(
    counter: Counter, given: datetime, read: datetime
) -> None:
    counter.desk.query("temperature?", given, Asker())

    assert counter.tools.questions[0].asked_at == read


@pytest.mark.parametrize("year", [1, 1969, 2200, 9999])
def test_a_moment_outside_of_all_telemetry_is_refused(counter: Counter, year: int) -> None:
    reply = counter.desk.query("today", datetime(year, 12, 31, 23, tzinfo=UTC), Asker())

    assert reply["status"] == "failed"
    assert f"the year {year}" in str(reply["text"])


STEP = f"00-{'a' * 32}-{'b' * 16}-01"
LATER_STEP = f"00-{'a' * 32}-{'c' * 16}-01"
OF_ANOTHER = f"00-{'d' * 32}-{'b' * 16}-01"


def test_who_takes_a_question_over_finds_its_requests_by_their_names(counter: Counter) -> None:
    def name(request: str = "temperature?", user: str = "ann", parent: str = STEP) -> object:
        return counter.desk.query(request, NOW, Asker(user, "", parent))["request_id"]

    first = name()

    assert name(parent=LATER_STEP) == first
    assert len({first, name("power?"), name(user="bob"), name(parent=OF_ANOTHER)}) == 4
    assert len({name(parent=""), name(parent="")}) == 2


def test_a_request_spends_no_more_than_whoever_asks_has_left(counter: Counter) -> None:
    asker = Asker(allowance=Allowance(50, 3, 0.5), has_left=lambda: True)
    counter.desk.query("temperature?", None, asker)
    counter.desk.query("temperature?", None, Asker(allowance=Allowance(5000, 300, 60.0)))
    counter.desk.query("temperature?", None, Asker())

    bounded, wide, own = counter.tools.budgets
    assert (bounded.tokens, bounded.calls, bounded.seconds) == (50, 3, 0.5)
    assert bounded.is_stopped
    assert [(b.tokens, b.calls, b.seconds) for b in (wide, own)] == [(100, 7, 1)] * 2
    assert not own.is_stopped


@pytest.mark.parametrize("name", ["0123456789abcdef", "../etc", "", "*"])
def test_an_unknown_request_is_told_so(counter: Counter, name: str) -> None:
    counter.answered()

    for reply in (
        counter.desk.clarify(name, "gpu", Asker()),
        counter.desk.download(name, "nodes.csv", 0, 1000),
    ):
        assert reply["status"] == "failed"
        assert "Ask with exasage_query" in str(reply["text"])


def test_a_request_that_does_not_wait_is_told_so(counter: Counter) -> None:
    reply = counter.desk.clarify(counter.answered(), "gpu", Asker())

    assert reply["status"] == "failed"
    assert "waits for no choice: it is completed" in str(reply["text"])


def test_what_breaks_is_a_failure_that_shows_no_detail(counter: Counter) -> None:
    reply = counter.desk.query("broken", None, Asker())

    assert reply["status"] == "failed"
    assert str(reply["request_id"]) in str(reply["text"])
    assert "secret" not in str(reply)
    assert cost_of(reply).retrieval == Usage(2, 300, 20)


def test_what_waits_in_a_broken_store_is_a_failure(tmp_path: Path) -> None:
    class Broken(MemoryRuns):
        def load(self, request_id: str) -> RunState | None:
            raise RunStoreError("redis://secret is away")

    counter = Counter(tmp_path)
    desk, asked = replace(counter.desk, runs=Broken()), counter.asked()

    reply = desk.clarify(asked, "gpu", Asker())

    assert reply["status"] == "failed"
    assert asked in str(reply["text"])
    assert "secret" not in str(reply)


def test_what_has_waited_too_long_for_its_turn_is_turned_away(counter: Counter) -> None:
    busy = replace(counter.desk, workers=1, wait_seconds=0.01)
    begun, done = threading.Event(), threading.Event()

    class Slow(CannedRetrieval):
        def query(self, request: str, context: RunContext) -> Answer:
            begun.set()
            assert done.wait(20)
            return super().query(request, context)

    slow = replace(busy, tools=Slow(MemoryRuns()))
    first = threading.Thread(target=slow.query, args=("temperature?", None, Asker()))
    first.start()
    assert begun.wait(20)

    second = slow.query("power?", None, Asker())
    done.set()
    first.join()
    third = slow.query("power?", None, Asker())

    assert second["status"] == "failed"
    assert "Ask again later." in str(second["text"])
    assert third["status"] == "clarification"


@pytest.mark.parametrize("limit", [1000, 1001, 1002, 100_000])
def test_the_parts_of_a_table_are_the_table(counter: Counter, limit: int) -> None:
    request_id, parts = counter.answered(), []
    offset: object = 0

    while isinstance(offset, int):
        part = counter.desk.download(request_id, "nodes.csv", offset, limit)
        parts.append(str(part["csv"]))
        offset = part["next_offset"]

    assert "".join(parts) == CSV
    assert all(part.endswith("\n") for part in parts)
    assert all(len(part.encode()) <= limit for part in parts)


def test_a_line_longer_than_a_part_is_cut_between_characters(counter: Counter) -> None:
    request_id = counter.answered()
    long = counter.desk.folder / request_id / "nodes.csv"
    long.write_text("œ" * 3000)

    first = counter.desk.download(request_id, "nodes.csv", 0, 1001)
    second = counter.desk.download(request_id, "nodes.csv", 1000, 100_000)

    assert first["csv"] == "œ" * 500
    assert first["next_offset"] == 1000
    assert second["csv"] == "œ" * 2500


def test_the_only_table_needs_no_name(counter: Counter) -> None:
    assert counter.desk.download(counter.answered(), "", 0, 100_000)["csv"] == CSV


@pytest.mark.parametrize(
    ("table", "offset", "told"),
    [
        ("power.csv", 0, "has no table 'power.csv'. It has nodes.csv."),
        ("../nodes.csv", 0, "has no table"),
        ("nodes.csv", 10**9, "lies behind the end"),
    ],
)
def test_a_wrong_part_is_told_what_there_is(
    counter: Counter, table: str, offset: int, told: str
) -> None:
    reply = counter.desk.download(counter.answered(), table, offset, 1000)

    assert reply["status"] == "failed"
    assert told in str(reply["text"])


def test_several_tables_need_a_name(counter: Counter) -> None:
    request_id = counter.answered()
    (counter.desk.folder / request_id / "more.csv").write_text("a\n")

    reply = counter.desk.download(request_id, "", 0, 1000)

    assert "has not one table. It has more.csv, nodes.csv." in str(reply["text"])


def test_files_of_requests_that_are_too_old_are_removed_and_nothing_else(tmp_path: Path) -> None:
    old, new, other = (tmp_path / name for name in ("0" * 16, "1" * 16, "notes"))
    for folder, days in ((old, 31), (new, 29), (other, 400)):
        folder.mkdir()
        (folder / "t.csv").write_text("a")
        os.utime(folder, (1e9 - days * 86_400,) * 2)
    folders = RequestFolders(tmp_path, 30)

    folders.tidy(1e9)

    assert sorted(tmp_path.iterdir()) == [new, other]
    assert (folders.of(old.name), folders.of(new.name)) == (None, new)


def test_a_place_without_requests_needs_no_tidying(tmp_path: Path) -> None:
    RequestFolders(tmp_path / "none", 30).tidy(1e9)

    assert not (tmp_path / "none").exists()
