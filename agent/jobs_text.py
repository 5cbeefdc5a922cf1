"""Findings over jobs in words."""

from agent.number_text import cell_text, name_text, number_text
from agent.row_text import LISTED, keys_of, listed_names, rows_text, share_text, values_of
from retrieval.job_request import JobFilter, JobMeasure, JobsRequest
from retrieval.measures import Condition
from retrieval.outcome import Retrieved
from retrieval.query_text import Role
from retrieval.shares import SHARE


def jobs_sentences(retrieved: Retrieved, request: JobsRequest, when: str) -> list[str]:
    """What was found of jobs, in one sentence."""
    table = retrieved.tables[0]
    which = filter_text(request.which)
    if table.name == SHARE:
        return [f"Jobs{which} {_relation(request, when)}: {share_text(table)}"]
    if request.measures:
        return [_measures(retrieved, request, which, when)]
    if not table.row_count:
        if request.which.ids:
            ids = ", ".join(str(i) for i in request.which.ids)
            return [f"The job table has no job {ids}."]
        return [f"No job{which} {_relation(request, when)}."]
    names = [c.variable for c in table.columns]
    if "job" not in names:
        ids = ", ".join(str(i) for i in request.which.ids)
        plural = "s" if len(request.which.ids) > 1 else ""
        jobs = f"Job{plural} {ids}" if ids else f"The jobs{which}"
        return [
            f"{jobs} used {number_text(table.row_count)}"
            f" node{'s' if table.row_count > 1 else ''}: {listed_names(table, 0)}."
        ]
    if table.row_count <= 5:
        return [" ".join(_job(retrieved, i) for i in range(table.row_count))]
    listed = listed_names(table, names.index("job"))
    return [
        f"{number_text(table.row_count)} jobs{which} {_relation(request, when)}: {listed}."
        if table.row_count <= LISTED
        else f"{number_text(table.row_count)} jobs{which} {_relation(request, when)};"
        " they are listed in the table."
    ]


def _measures(retrieved: Retrieved, request: JobsRequest, which: str, when: str) -> str:
    table = retrieved.tables[0]
    lead = f"Jobs{which} {_relation(request, when)}"
    if request.having and keys_of(table):
        noun = table.columns[keys_of(table)[0]].heading
        bounds = " and ".join(having_text(measure, bound) for measure, bound in request.having)
        lead += f", {noun}s with {bounds}"
        if table.row_count:
            lead += f" ({number_text(table.row_count)})"
    if not keys_of(table):
        row = table.rows[0]
        parts = [
            f"{table.columns[i].heading} {cell_text(row[i], table.columns[i].unit)}"
            for i in values_of(table)
        ]
        return f"{lead}: {', '.join(parts)}."
    if not table.row_count:
        return f"{lead}: none."
    rows = rows_text(table)
    if table.row_count <= 12:
        return f"{lead}: {rows}."
    keys = keys_of(table)
    noun = table.columns[keys[0]].heading
    if len(keys) > 1:
        headings = " and ".join(table.columns[key].heading for key in keys)
        return f"{lead}: {number_text(table.row_count)} rows by {headings}; they are in the table."
    listed = table.row_count <= LISTED and table.columns[keys[0]].role is not Role.TIME
    names = f" {listed_names(table, keys[0])}" if listed else ""
    told = f"{lead}: {number_text(table.row_count)} {noun}s"
    return f"{told}:{names}." if names else f"{told}; {rows}." if rows else f"{told}."


def _job(retrieved: Retrieved, number: int) -> str:
    table = retrieved.tables[0]
    row = table.rows[number]
    parts = []
    job = ""
    for column, cell in zip(table.columns, row, strict=True):
        if column.variable == "job":
            job = f"Job {name_text(cell)}"
        else:
            value = cell if isinstance(cell, str) else cell_text(cell, column.unit)
            parts.append(f"{column.heading} {value}")
    return f"{job}: {', '.join(parts)}."


def _relation(request: JobsRequest, when: str) -> str:
    return f"{request.which.time.value} the time {when}" if when else "of the job table"


def having_text(measure: JobMeasure, bound: Condition) -> str:
    """A bound on what is counted of each group: ``jobs > 3``."""
    unit = "" if measure is JobMeasure.COUNT else "h"
    return f"{measure.value}{_bound(bound, unit)}"


def filter_text(which: JobFilter) -> str:
    """Which jobs, in words: `` of user 17 on node 5 with state FAILED``."""
    parts = []
    if which.ids:
        parts.append(f" {', '.join(str(i) for i in which.ids)}")
    for names, words in (
        (which.users, " of user "),
        (which.partitions, " of partition "),
        (which.nodes, " on node "),
        (which.racks, " on rack "),
        (which.states, " with state "),
    ):
        if names:
            parts.append(words + ", ".join(names))
    parts += [
        f" with {heading}{_bound(condition, unit)}"
        for condition, heading, unit in (
            (which.node_count, "node count", ""),
            (which.run_seconds, "a run time", "s"),
            (which.wait_seconds, "a waiting time", "s"),
            (which.gpu_count, "GPUs", ""),
        )
        if condition is not None
    ]
    return "".join(parts)


def _bound(condition: Condition, unit: str) -> str:
    """A bound in words: `` > 2 h``, or `` from 1 h to 2 h`` where it has two ends."""
    low = cell_text(condition.bound, unit)
    if condition.upper is not None:
        return f" from {low} to {cell_text(condition.upper, unit)}"
    return f" {condition.comparison.value} {low}"
