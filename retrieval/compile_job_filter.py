"""Which jobs are wanted, and how long each ran, as patterns and filters of SPARQL."""

from datetime import datetime

from retrieval.job_request import JobFilter, JobTime
from retrieval.query_text import holds, instant, values

TIME_OF = {JobTime.STARTED: "start", JobTime.ENDED: "end", JobTime.SUBMITTED: "submitted"}
"""The variable of the moment that must lie in the window."""


def job_filters(which: JobFilter) -> list[str]:
    """Patterns and filters that keep ``?j``, from ``?start`` to ``?end``, to ``which``."""
    lines = []
    if which.ids:
        ids = " ".join(str(i) for i in which.ids)
        lines += ["?j oda:jobId ?job .", f"VALUES ?job {{ {ids} }}"]
    for names, prop, variable in (
        (which.users, "oda:userId", "user"),
        (which.states, "oda:jobState", "state"),
        (which.partitions, "oda:partitionId", "partition"),
    ):
        if names:
            lines += [f"?j {prop} ?{variable} .", values(variable, names)]
    for condition, prop, variable in (
        (which.node_count, "oda:nodeCount", "wide"),
        (which.wait_seconds, "oda:waitSeconds", "waited"),
        (which.gpu_count, "oda:gpuCount", "accelerators"),
    ):
        if condition is not None:
            lines += [f"?j {prop} ?{variable} .", f"FILTER({holds('?' + variable, condition)})"]
    if which.run_seconds is not None:
        lines += [*run_time(which, "ran"), f"FILTER({holds('?ran', which.run_seconds)})"]
    if which.ended_by is not None:
        lines.append(f"FILTER(?end <= {instant(which.ended_by)})")
    if which.nodes:
        lines += [
            "FILTER EXISTS {",
            "  ?j oda:runsOn ?used . ?used oda:nodeId ?usedNode .",
            f"  {values('usedNode', which.nodes)}",
            "}",
        ]
    if which.racks:
        lines += [
            "FILTER EXISTS {",
            "  ?j oda:runsOn ?used . ?usedRack a oda:Rack ; oda:contains ?used ;"
            " oda:rackId ?usedRackId .",
            f"  {values('usedRackId', which.racks)}",
            "}",
        ]
    return lines + _in_window(which)


def run_time(which: JobFilter, variable: str) -> list[str]:
    """Patterns that bind how long ``?j`` ran, at most until the moment that ends what is known."""
    if which.until is None:
        return [f"?j oda:runSeconds ?{variable} ."]
    so_far = run_so_far(which.until, f"?{variable}InAll")
    return [f"?j oda:runSeconds ?{variable}InAll .", f"BIND({so_far} AS ?{variable})"]


def run_so_far(until: datetime, in_all: str) -> str:
    """How long a job had run at a moment, of one that runs ``in_all`` seconds."""
    return f"IF(?end > {instant(until)}, odaf:secondsBetween(?start, {instant(until)}), {in_all})"


def _in_window(which: JobFilter) -> list[str]:
    window = which.window
    if window is None:
        return []
    start, end = instant(window.start), instant(window.end)
    last = "<=" if window.includes_end else "<"
    if which.time is JobTime.OVERLAPS:
        return [f"FILTER(?start {last} {end} && ?end > {start})"]
    variable = TIME_OF[which.time]
    return [f"FILTER(?{variable} >= {start} && ?{variable} {last} {end})"]
