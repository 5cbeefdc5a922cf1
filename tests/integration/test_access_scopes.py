"""What a role leaves out is as good as deleted: no answer tells whether it is there."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings

from agent.answer import Answered, Declined, NeedsClarification
from agent.planner import make_plan
from agent.session import Turn
from retrieval.assembly import Doors
from retrieval.data_scope import DataScope
from retrieval.execution import Execution
from retrieval.request import Entity, EntityKind, Metric, TimeWindow
from retrieval.scope import GraphScope
from retrieval.understanding import NotUnderstood, Unclear
from tests.both_ways import METRICS, START, assert_same, checked
from tests.coverage.operator_questions import entries
from tests.odd_lake import odd_lake
from tests.query_writing import queries
from tests.scoped_world import (
    CATALOG,
    QUANTITIES,
    Kept,
    World,
    all_of,
    parts_over,
    plain,
    without_the_rest,
)

NOW = datetime(2022, 6, 2, tzinfo=UTC)
NODES = frozenset(str(n) for n in (*range(20), 25))
THINGS = frozenset(
    {
        Entity(EntityKind.RACK, "0"),
        Entity(EntityKind.NODE, "25"),
        Entity(EntityKind.CRAC, "cdz1"),
    }
)
_EVERY_SO_MANY = 5
"""Of the questions of people on call, so few are read; all of them take minutes."""
QUESTIONS = (
    "average power of node 5 on 1 June 2022",
    "average power of node 30 on 1 June 2022",
    "average power of node 77777 on 1 June 2022",
    "maximum power of each node on 1 June 2022",
    "average power of each rack on 1 June 2022",
    "total energy of all nodes on 1 June 2022",
    "which node had the highest inlet temperature on 1 June 2022",
    "which nodes drew more than 1000 W on 1 June 2022",
    "number of nodes above 25 degrees at the inlet on 1 June 2022",
    "GPU utilisation of node 25 per hour on 1 June 2022",
    "GPU utilisation of node 26 per hour on 1 June 2022",
    "average temperature of node 5 on 1 June 2022",
    "which nodes had no power samples on 1 June 2022",
    "which nodes rebooted on 1 June 2022",
    "supply air temperature of each CRAC on 1 June 2022",
    "average supply air temperature of CRAC 3 on 1 June 2022",
    "average PUE on 1 June 2022",
    "outdoor temperature on 1 June 2022 at noon",
    "pump P102 fault of panel Q101 on 1 June 2022",
    "how many jobs ran on 1 June 2022",
    "jobs per user on 1 June 2022",
    "how many jobs ran on node 5 on 1 June 2022",
    "how many jobs ran on node 30 on 1 June 2022",
    "the 5 longest jobs on 1 June 2022",
    "which user had the most jobs on 1 June 2022",
    "nodes of job 3423336",
    "average power of job 3423336",
    "energy of each job of user 12 on 1 June 2022",
    "which checks were critical on 1 June 2022",
    "which nodes were down on 1 June 2022",
    "when was node 34 drained",
    "how many nodes are there",
    "which racks are there",
    "which CRACs are there",
    "which partitions are there",
    "which plugins are there",
    "how many metrics are there",
    "in which rack is node 25",
    "in which rack is node 30",
    "where is rack 1",
    "nodes of rack 1",
    "what is the unit of PUE",
    "idle nodes of the whole machine on 1 June 2022 at noon",
    "queued jobs by partition on 1 June 2022 at noon",
    "fan speed of GPU 9 of node 3 yesterday",
    "frobnication of node 3 yesterday",
)

OF_THE_CATALOGUE = (
    "which plugins are there",
    "how many metrics are there",
    "what is the unit of PUE",
)
"""The built-in catalogue has its metrics, whatever the lake holds."""


@dataclass(frozen=True)
class Role:
    """A scope, and what it keeps, said twice over."""

    scope: DataScope
    kept: Kept


@dataclass(frozen=True)
class Seen:
    """A role over the whole lake, and over the lake that holds nothing else."""

    role: Role
    full: World
    cut: World
    alone: World
    """The lake that holds nothing else, with a site of nothing else, asked by whoever may all."""


def _roles(user: str) -> dict[str, Role]:
    racks = DataScope(things=frozenset({THINGS}))
    plugins = frozenset({"ganglia_pub", "job_table", "nagios_pub"})
    own = frozenset({user})
    return {
        "racks": Role(racks, Kept(nodes=NODES, cracs=("cdz1",))),
        "plugins": Role(DataScope(plugins), Kept(plugins)),
        "own jobs": Role(DataScope(users=own), Kept(users=own)),
        "all of it": Role(
            racks & DataScope(plugins, users=own),
            Kept(plugins, NODES, ("cdz1",), own),
        ),
    }


@pytest.fixture(scope="module")
def busiest(lake: Path) -> str:
    """The user with most jobs."""
    path = next(lake.glob("*/plugin=job_table/metric=*/*.parquet"))
    users = pl.read_parquet(path, hive_partitioning=False)["user_id"].cast(pl.String)
    return str(users.drop_nulls().mode().sort().first())


@pytest.fixture(scope="module", params=["racks", "plugins", "own jobs", "all of it"])
def seen(
    request: pytest.FixtureRequest,
    lake: Path,
    busiest: str,
    full: World,
    tmp_path_factory: pytest.TempPathFactory,
) -> Seen:
    role = _roles(busiest)[request.param]
    folder = tmp_path_factory.mktemp("cut")
    cut = without_the_rest(lake, folder / "lake", role.kept)
    return Seen(
        role,
        full,
        World.over(cut, folder / "seen", NOW),
        World.over(cut, folder / "alone", NOW, role.kept.site()),
    )


@pytest.fixture(scope="module")
def full(lake: Path, tmp_path_factory: pytest.TempPathFactory) -> World:
    return World.over(lake, tmp_path_factory.mktemp("full"), NOW)


@pytest.mark.parametrize("question", QUESTIONS)
def test_what_is_left_out_makes_no_difference_to_anything_that_is_told(
    seen: Seen, question: str
) -> None:
    there, deleted = (w.ask(question, seen.role.scope) for w in (seen.full, seen.cut))

    assert all_of(there) == all_of(deleted)


@pytest.mark.parametrize("question", [q for q in QUESTIONS if q not in OF_THE_CATALOGUE])
def test_an_answer_is_that_over_a_lake_which_holds_no_more(seen: Seen, question: str) -> None:
    limits = f"This covers what you may see here: {seen.role.scope.told}."

    scoped, alone = seen.full.ask(question, seen.role.scope), seen.alone.ask(question)

    assert isinstance(scoped, Answered) == isinstance(alone, Answered), (scoped.text, alone.text)
    assert (limits in scoped.text) != isinstance(scoped, NeedsClarification)
    if isinstance(scoped, Answered):
        assert plain(scoped.text.replace(f"\n_{limits}_", "")) == plain(alone.text)
        assert _tables(scoped) == _tables(alone)


def _tables(answer: Answered | Declined | NeedsClarification) -> list[str]:
    return [plain(t.csv.read_text()) for t in answer.tables] if isinstance(answer, Answered) else []


def test_no_reading_names_what_only_others_may_see(seen: Seen) -> None:
    """Over all that people on call ask: whatever is told back, in a refusal or a choice."""
    role, data = seen.role, seen.full.data.within(seen.role.scope)
    hidden = _hidden_words(role)
    leaks = []
    for entry in entries()[::_EVERY_SO_MANY]:
        read = make_plan(data, Turn(entry.asks, NOW), ())
        if isinstance(read, NotUnderstood):
            told = read.text
        elif isinstance(read, Unclear):
            told = " ".join((read.question, *(label for _, label in read.choices)))
        else:
            told = " ".join(m.name for step in read.steps for m in metrics_in(step))
        found = [w for w in hidden if _has(told, w) and not _said(entry.asks, w)]
        if found:
            leaks.append((entry.asks, told, found))

    assert not leaks, leaks


def _hidden_words(role: Role) -> list[str]:
    """Labels and names of what is measured by no metric that the role sees, and its nodes."""
    metrics = {m for m in CATALOG.metrics if _is_kept(m, role.kept)}
    words = [m.name for m in CATALOG.metrics if m not in metrics]
    seen = {q.label for q in QUANTITIES.quantities.values() if set(q.members) & metrics}
    words += [q.label for q in QUANTITIES.quantities.values() if q.label not in seen]
    if role.kept.nodes is not None:
        words += [f"node {n}" for n in range(980) if str(n) not in role.kept.nodes]
        words += [f"rack {n}" for n in range(1, 49)]
    # A label that says less than another one stands in that, too.
    return [w for w in words if len(w) > 3 and not any(w.lower() in s.lower() for s in seen)]


def _is_kept(metric: Metric, kept: Kept) -> bool:
    if kept.plugins is not None and metric.plugin not in kept.plugins:
        return False
    if kept.nodes is None or metric.plugin == "job_table":
        return True
    tags = set(metric.tags)
    return bool(tags & {"node", "partition"}) or tags == {"device"}


def _said(question: str, word: str) -> bool:
    """Whether the question itself has all parts of ``word``: a refusal may say them again."""
    parts = set(re.findall(r"\w+", question.lower()))
    for first, last in re.findall(r"(\d+) (?:to|through) (\d+)", question):
        parts |= {"node", *(str(n) for n in range(int(first), int(last) + 1))}
    return set(word.lower().split()) <= parts


def _has(text: str, word: str) -> bool:
    return re.search(rf"(?<![\w.]){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def metrics_in(value: object) -> Iterator[Metric]:
    """Every metric in a request, wherever it stands there."""
    if isinstance(value, Metric):
        yield value
    elif is_dataclass(value) and not isinstance(value, type):
        for each in fields(value):
            yield from metrics_in(getattr(value, each.name))
    elif isinstance(value, tuple):
        for each in value:
            yield from metrics_in(each)


@dataclass(frozen=True)
class OddWorlds:
    """A lake of oddities: whole, seen in part through the same cache of graphs, and cut down."""

    whole: Execution
    seen: Execution
    alone: Execution
    scope: GraphScope


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> OddWorlds:
    folder = tmp_path_factory.mktemp("odd")
    root = odd_lake(folder / "lake", minutes=12)
    kept = Kept(nodes=("1", "2"))
    things = frozenset({Entity(EntityKind.NODE, name) for name in ("1", "2")})
    scope = DataScope(things=frozenset({things}))
    doors = Doors(parts_over(root, folder))
    cut = without_the_rest(root, folder / "cut", kept)
    alone = Doors(parts_over(cut, folder, kept.site())).whole
    metrics = [metric for name in METRICS if (metric := CATALOG.by_name(name))]
    seen = tuple(metric for metric in metrics if _is_kept(metric, kept))
    return OddWorlds(
        doors.whole.source.execution,
        doors.within(scope).source.execution,
        alone.source.execution,
        GraphScope(seen, (TimeWindow(START, START + timedelta(minutes=12)),), jobs=True),
    )


@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
@given(queries())
def test_any_query_finds_what_a_smaller_lake_has(odd: OddWorlds, body: str) -> None:
    query = checked(body)

    result = odd.seen.run(query, odd.scope)

    assert_same(result, odd.alone.run(query, odd.scope))


def test_a_graph_that_was_kept_for_one_scope_is_not_asked_under_another(odd: OddWorlds) -> None:
    body = "SELECT ?id WHERE { ?n a oda:ComputeNode ; oda:nodeId ?id ; oda:hasSensor ?s }"
    query = checked(body)

    ids = [
        {row[0] for row in execution.materialised(query, odd.scope).frame.iter_rows()}
        for execution in (odd.whole, odd.seen, odd.whole, odd.seen)
    ]

    assert ids == [ids[0], {"1", "2"}, ids[0], {"1", "2"}]
    assert len(ids[0]) > 2
