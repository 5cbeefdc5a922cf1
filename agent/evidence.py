"""What an answer rests on, gathered from the results it was made of."""

from collections.abc import Sequence
from datetime import UTC
from zoneinfo import ZoneInfo

from agent.answer import AnswerTable, Certified, Evidence, MetricUse, TimeRange
from agent.code_agent import Drawn
from retrieval.certificates import certificate_of
from retrieval.data_request import ReadingsRequest
from retrieval.export import headings
from retrieval.job_request import JobsRequest
from retrieval.outcome import NoData, Retrieval, Retrieved, oldest
from retrieval.site_request import ChecksRequest

PREVIEW_ROWS = 20


def answer_tables(
    results: Sequence[Retrieved], rows: int = PREVIEW_ROWS
) -> tuple[AnswerTable, ...]:
    """The tables of ``results`` as an answer carries them, with so many rows in memory."""
    return tuple(
        AnswerTable(
            table.name,
            tuple(headings(table.columns)),
            table.row_count,
            table.csv,
            table.rows[:rows],
        )
        for retrieved in results
        for table in retrieved.tables
    )


def evidence_of(
    results: Sequence[Retrieval], notes: tuple[str, ...], zone: ZoneInfo, drawn: Drawn | None
) -> Evidence:
    """The evidence that ``results`` give."""
    found = [r for r in results if isinstance(r, Retrieved)]
    queries = [q for r in results for q in r.queries]
    covered = [r.coverage for r in found if r.coverage is not None]
    metrics = dict.fromkeys(MetricUse(m.plugin, m.name, m.unit) for r in found for m in r.metrics)
    ranges = dict.fromkeys(
        TimeRange(w.start.astimezone(UTC), w.end.astimezone(UTC)) for r in found for w in r.windows
    )
    # The review was of what queries give, not of what a program makes of that.
    computed = drawn is not None and bool(drawn.tables or drawn.asked_for)
    return Evidence(
        time_ranges=tuple(ranges),
        zone=str(zone),
        metrics=tuple(metrics),
        entities=tuple(dict.fromkeys(e for r in results for e in _entities(r))),
        queries=tuple(dict.fromkeys(queries)),
        execution=", ".join(dict.fromkeys(h for r in found for h in r.how)),
        graph_age=oldest(r.graph_age for r in found),
        samples_got=covered[0].got if covered else None,
        samples_expected=covered[0].expected if covered else None,
        notes=notes,
        code=(drawn.code,) if drawn is not None and drawn.code else (),
        certified=_certified(found) if len(found) == len(results) and not computed else None,
    )


def _certified(found: Sequence[Retrieved]) -> Certified | None:
    certificate = certificate_of(found)
    if certificate is None:
        return None
    return Certified(certificate.pair, certificate.owner, certificate.reviewed, certificate.answers)


def _entities(result: Retrieved | NoData) -> list[str]:
    match result.request:
        case ReadingsRequest():
            named = [f"{o.kind.value} {n}" for o in result.request.owners for n in o.names]
            return named + [f"rack {r}" for o in result.request.owners for r in o.racks]
        case JobsRequest():
            which = result.request.which
            return [
                *(f"job {i}" for i in which.ids),
                *(f"user {u}" for u in which.users),
                *(f"node {n}" for n in which.nodes),
                *(f"rack {r}" for r in which.racks),
            ]
        case ChecksRequest():
            return [f"node {n}" for n in result.request.nodes]
        case _:
            return [f"{e.kind.value} {e.name}" for e in result.request.entities]
