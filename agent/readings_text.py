"""Findings over readings in words."""

from agent.change_text import between_times_text, change_sentences
from agent.course_text import course_sentences
from agent.gap_text import gap_sentences
from agent.neighbour_text import neighbour_sentences
from agent.number_text import cell_text, name_text, number_text, with_unit
from agent.request_text import (
    article,
    capital,
    condition_text,
    meanwhile_text,
    scope_text,
    subject_text,
)
from agent.row_text import (
    key_text,
    keys_of,
    listed_names,
    rows_text,
    share_text,
    values_of,
)
from retrieval.data_request import ReadingsRequest
from retrieval.measures import OF_CHANGE, OF_MISSING, Applies, Course, Wanted
from retrieval.outcome import ResultTable, Retrieved
from retrieval.shares import SHARE

_TOLD = 12


def readings_sentences(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    """What was found, in one sentence a table."""
    if request.wanted is Wanted.CORRELATION:
        return _correlation(retrieved, request, when)
    if request.wanted is Wanted.COURSE:
        return _course(retrieved, request, when)
    sentences = []
    for table in retrieved.tables:
        match request.wanted:
            case Wanted.SERIES | Wanted.DISTRIBUTION:
                sentences.append(_series(table, request, when))
            case Wanted.OWNERS | Wanted.OWNER_COUNT if table.name == SHARE:
                sentences.append(share_text(table))
            case Wanted.OWNERS | Wanted.OWNER_COUNT:
                sentences.append(_owners(table, request, when))
            case Wanted.SILENT_DAYS | Wanted.SILENT_OWNERS:
                sentences.append(_silent(table, request, when))
            case _:
                sentences.append(_measures(table, request, when))
    return sentences


def _course(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    if request.course is Course.NEIGHBOURS:
        return neighbour_sentences(retrieved, request, when)
    if request.course in OF_MISSING:
        return gap_sentences(retrieved, request, when)
    if request.course in OF_CHANGE:
        return change_sentences(retrieved, request, when)
    return course_sentences(retrieved, request, when)


def _measures(table: ResultTable, request: ReadingsRequest, when: str) -> str:
    if table.name == "difference":
        value = cell_text(table.rows[0][0], table.columns[0].unit)
        return f"The difference, first minus second: {value}."
    if table.name == SHARE:
        return share_text(table)
    if table.name == "change":
        return between_times_text(table)
    subject = subject_text(request)
    lead = f"{subject} {when}".strip()
    if request.peers is not None:
        if not table.row_count:
            return f"{lead}: none differs so far from the others."
        lead = f"{lead}, what differs from the others"
    if not keys_of(table):
        return f"{lead}: {_single(table)}."
    rows = rows_text(table)
    ranked = request.ranking is not None
    count = f"{number_text(table.row_count)} rows" if not ranked else "in order"
    if table.row_count <= 12:
        return f"{lead}: {rows}."
    return f"{lead}, {count}: {rows}." if rows else f"{lead}: {count}, all in the table."


def _single(table: ResultTable) -> str:
    row = table.rows[0]
    parts = []
    for i in values_of(table):
        column = table.columns[i]
        value = row[i]
        text = cell_text(value, column.unit)
        if column.unit == "min" and isinstance(value, int | float) and value >= 120:
            text = f"{with_unit(value, 'min')} ({number_text(value / 60)} h)"
        parts.append(f"{column.heading} {text}")
    return ", ".join(parts)


def _series(table: ResultTable, request: ReadingsRequest, when: str) -> str:
    rows = number_text(table.row_count)
    label = table.name
    kind = "means of intervals" if request.bucket else "samples"
    kind += ", all sensors added up" if request.combined else ""
    told = f"{capital(label)}{_scopes(request)}{meanwhile_text(request)} {when}"
    return f"{told.strip()}: {rows} {kind}, all in the table."


def _scopes(request: ReadingsRequest) -> str:
    if request.during is not None and request.during.ids:
        return " of jobs " + ", ".join(str(i) for i in request.during.ids)
    scopes = list(dict.fromkeys(scope_text(owner) for owner in request.owners))
    return scopes[0] if len(scopes) == 1 else ""


def _owners(table: ResultTable, request: ReadingsRequest, when: str) -> str:
    keys = keys_of(table)
    noun = table.columns[keys[0]].heading if keys else "entry"
    noun = "GPU" if noun == "index" else noun
    label = request.quantities[0].label
    condition = request.condition
    assert condition is not None
    what = condition_text(condition, request)
    of = ""
    if condition.applies is Applies.MEASURE and condition.measure is not None:
        of = f"{condition.measure.value} "
    always = " for all of the time" if condition.applies is Applies.ALL_SAMPLES else ""
    if request.condition is not None and request.quantities[0].metrics[0].name == "boottime":
        label, what = "boot time", "in this window"
    tail = f"{of}{label} {what}{always} {when}".strip()
    if not table.row_count:
        return f"No {noun} had {article(tail)} {tail}."
    count = len({row[keys[0]] for row in table.rows}) if keys else table.row_count
    plural = noun if count == 1 else f"{noun}s"
    names = listed_names(table, keys[0])
    parts = [i for i in keys if table.columns[i].variable == "index"]
    if parts and len(keys) > 1 and table.row_count <= _TOLD:
        names = "; ".join(key_text(table, row) for row in table.rows)
    elif parts and len(keys) > 1:
        names = f"{noun}s {names}"
    booted = [i for i, c in enumerate(table.columns) if c.heading == "booted at"]
    if booted and table.row_count <= _TOLD:
        names = "; ".join(
            f"{name_text(row[keys[0]])} (booted at {cell_text(row[booted[0]])})"
            for row in table.rows
        )
    counted = f"{number_text(count)} {plural}"
    if parts and len(keys) > 1:
        part = request.quantities[0].index_noun or "part"
        several = "" if table.row_count == 1 else "s"
        # Of a long table not all rows are at hand, and so not all of its nodes.
        whole = table.row_count == len(table.rows)
        counted = f" of {counted}" if whole else ""
        counted = f"{number_text(table.row_count)} {part}{several}{counted}"
    return f"{counted} had {article(tail)} {tail}: {names}."


def _silent(table: ResultTable, request: ReadingsRequest, when: str) -> str:
    label = request.quantities[0].label
    scope = scope_text(request.owners[0])
    if request.wanted is Wanted.SILENT_OWNERS:
        if not table.row_count:
            return f"Every one had samples of {label} {when}."
        noun = table.columns[0].heading
        return (
            f"{number_text(table.row_count)} {noun}{'s' if table.row_count > 1 else ''} had no"
            f" samples of {label} {when}: {listed_names(table, 0)}."
        )
    if not table.row_count:
        return f"There is no day without samples of {label}{scope} {when}."
    position = [c.variable for c in table.columns].index("day")
    days = list(dict.fromkeys(cell_text(row[position])[:10] for row in table.rows))
    return (
        f"{number_text(len(days))} day{'s' if len(days) > 1 else ''} without any sample of"
        f" {label}{scope} {when}: {', '.join(days)}."
    )


def _correlation(retrieved: Retrieved, request: ReadingsRequest, when: str) -> list[str]:
    table = retrieved.tables[0]
    length = {"PT1H": "hourly means", "P1D": "daily means"}.get(request.bucket, "interval means")
    scope = _scopes(request)
    lead = f"Pearson correlation of {length}{scope} {when}"
    if table.row_count <= 3:
        pairs = "; ".join(f"{one} with {other}: r = {cell_text(r)}" for one, other, r in table.rows)
        return [f"{lead}: {pairs}."]
    rows = [row for row in table.rows if isinstance(row[2], float)]
    if not rows:
        return [f"{lead}: no coefficient could be computed."]
    strongest = max(rows, key=lambda row: abs(float(str(row[2]))))
    one, other, r = strongest
    return [
        f"{lead}: {number_text(table.row_count)} pairs; the strongest is {one} with {other},"
        f" r = {cell_text(r)}."
    ]
