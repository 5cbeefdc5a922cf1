"""The patterns that hold a query to a request, as our compiler writes them: for others to copy."""

from collections.abc import Iterator, Sequence

from ontology.conformance import CheckedQuery
from ontology.vocabulary import ODA
from retrieval.compile_job_filter import job_filters
from retrieval.compile_readings import JOB_KEYS, OWNER_CLASS, TIME_BUCKETS, pattern
from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobFilter
from retrieval.measures import Group, Owners, Selected, Wanted
from retrieval.query_text import HEADER, text, within
from retrieval.request import Entity, EntityKind, Metric, TimeWindow
from retrieval.sensors import owner_kind
from retrieval.written_names import names_of, pattern_of
from retrieval.written_request import WrittenRequest

_JOBS = ("?j a oda:Job ; oda:startTime ?start ; oda:endTime ?end .", "?j oda:jobId ?job .")


def patterns_for(request: WrittenRequest, groups: Sequence[Group] = ()) -> str:
    """Lines that hold a query to ``request``: a block for each of its quantities.

    Of several windows each has a filter of its own, at the end.
    """
    several = len(request.windows) > 1
    window = request.windows[0] if len(request.windows) == 1 else None
    blocks = [
        "\n".join(_of_quantity(metrics, request, window, groups)) for metrics in request.quantities
    ]
    if not blocks and request.jobs:
        filters = job_filters(_which(request, window))
        blocks = ["\n".join((*_JOBS, *filters, *_keys_of_jobs(request, groups, filters)))]
    if not blocks:
        blocks = ["\n".join(filter(None, map(pattern_of, request.entities)))]
    times = [f"FILTER({within('t', one)})" for one in request.windows if several]
    return "\n\n".join((*blocks, *times)).strip()


def patterns_of(query: CheckedQuery) -> str:
    """The lines of ``query`` that hold it to its request, each once: what a writer is given."""
    lines = (line.strip() for line in query.text.removeprefix(HEADER).splitlines())
    given: list[str] = []
    within_it = False
    for line in lines:
        opens = line.startswith("FILTER EXISTS")
        if (_is_given(line) and line not in given) or (within_it and line == "}"):
            given.append(line)
        within_it = opens or (within_it and line != "}")
    return "\n".join(given)


def classes_for(request: WrittenRequest) -> frozenset[str]:
    """The classes that a query for ``request`` speaks of, for the part of the schema to show."""
    names = {OWNER_CLASS[owner_kind(metric)][0] for metric in request.metrics}
    names |= {"oda:Sensor", "oda:Reading"} if request.metrics else set()
    names |= {"oda:Job"} if request.jobs else set()
    names |= {"oda:ComputeNode"} if not request.quantities else set()
    names |= {"oda:Rack"} if "oda:ComputeNode" in names else set()
    return frozenset(ODA + name.removeprefix("oda:") for name in names)


def owners_of(metric: Metric, entities: Sequence[Entity]) -> Owners:
    """Whose readings of ``metric`` are asked about where ``entities`` are named."""
    kind = owner_kind(metric)
    named = [entity for entity in entities if entity.kind is kind]
    racks = tuple(e.name for e in entities if e.kind is EntityKind.RACK)
    if kind is EntityKind.METER:
        pairs = names_of(named[0]) if len(named) == 1 else ()
        return Owners(kind, where=tuple((f"<{prop}>", name) for prop, name in pairs))
    names = tuple(entity.name for entity in named)
    return Owners(kind, names, racks if kind is EntityKind.NODE and not names else ())


def _keys_of_jobs(
    request: WrittenRequest, groups: Sequence[Group], filters: Sequence[str]
) -> Iterator[str]:
    """Patterns for what jobs are told apart by."""
    for group in groups:
        if group in JOB_KEYS and group is not Group.JOB:
            column, prop = JOB_KEYS[group]
            line = f"?j {prop} ?{column.variable} ."
            yield from () if line in filters else (line,)
        if group in TIME_BUCKETS:
            name, length = TIME_BUCKETS[group]
            yield f"BIND(odaf:floorTime(?start, {text(length)}, {text(request.zone)}) AS ?{name})"


def _is_given(line: str) -> bool:
    given = ("?", "VALUES", "FILTER(?t ", "FILTER(?start", "FILTER(?end", "FILTER EXISTS", "BIND(")
    return line.startswith(given) and not line.startswith("BIND(100")


def _of_quantity(
    metrics: tuple[Metric, ...],
    request: WrittenRequest,
    window: TimeWindow | None,
    groups: Sequence[Group],
) -> Iterator[str]:
    quantity = Selected(metrics[0].family, metrics, index_noun="index")
    owners = owners_of(metrics[0], request.entities)
    by_id = tuple(dict.fromkeys((Group.OWNER, *groups)))
    during = _which(request, None) if request.jobs else None
    asked = ReadingsRequest(
        Wanted.SERIES, (quantity,), (owners,), request.windows, groups=by_id, during=during
    )
    yield from pattern(asked, quantity, owners, window, request.zone).lines


def _which(request: WrittenRequest, window: TimeWindow | None) -> JobFilter:
    named = {kind: tuple(e.name for e in request.entities if e.kind is kind) for kind in EntityKind}
    of_readings = bool(request.quantities)
    return JobFilter(
        ids=tuple(int(name) for name in named[EntityKind.JOB]),
        users=named[EntityKind.USER],
        partitions=named[EntityKind.PARTITION],
        nodes=() if of_readings else named[EntityKind.NODE],
        racks=() if of_readings else named[EntityKind.RACK],
        window=window,
    )
