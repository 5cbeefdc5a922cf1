"""Sub-agent: a grounded request, or a chain of two, to tables."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from agent.chart import ChartKind
from agent.event_retrieval import chosen_event
from agent.period_times import STANDS, extreme_time, times_of
from agent.plan import Plan, Retrieve
from agent.run_context import RunContext
from agent.traced_data import AnswersRequests, TracedData
from retrieval.data_request import (
    EventThenJobs,
    EventThenReadings,
    ExtremeThen,
    JobsThenReadings,
    PeriodsThenReadings,
    ReadingsRequest,
    UsersThenReadings,
)
from retrieval.event_rules import around, jobs_around, of_job_nodes
from retrieval.extreme_rules import at_time
from retrieval.job_request import JobFilter
from retrieval.measures import Group, Measure, Wanted
from retrieval.outcome import NoData, Retrieval, Retrieved
from retrieval.treatment import treatment_around
from retrieval.understanding import NotUnderstood, Unclear

Outcome = Retrieval | Unclear | NotUnderstood

_TIME_GROUPS = frozenset({Group.HOUR, Group.DAY, Group.WEEK, Group.MONTH})


@dataclass(frozen=True, slots=True)
class Retriever:
    """Requests in, tables out."""

    data: AnswersRequests

    def of(self, context: RunContext) -> "Retriever":
        """The same for one question: its requests are traced, and end where it is stopped."""
        return Retriever(TracedData(self.data, context.tracer, context.budget))

    def retrieve(
        self, step: Retrieve, plan: Plan, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        """The results of ``step``, in the order in which they were computed.

        A chain gives the choice of jobs or users first, then their readings, then what a chart
        of them needs.
        """
        match step.asked:
            case JobsThenReadings():
                return self._of_jobs(step.asked, plan, folder, note)
            case UsersThenReadings():
                return self._of_users(step.asked, plan, folder, note)
            case EventThenReadings():
                return self._of_event(step.asked, folder, note)
            case EventThenJobs():
                return self._jobs_of_event(step.asked, folder, note)
            case ExtremeThen():
                return self._at_extreme(step.asked, folder, note)
            case PeriodsThenReadings():
                return self._in_periods(step.asked, folder, note)
            case request:
                note("retrieving the data")
                found: list[Outcome] = [self.data.run(request, folder)]
                if isinstance(request, ReadingsRequest) and _wants_line(request, plan):
                    found.append(self.data.run(_as_series(request), folder))
                return tuple(found)

    def _of_jobs(
        self, chain: JobsThenReadings, plan: Plan, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("choosing the jobs")
        chosen = self.data.run(chain.jobs, folder)
        if not isinstance(chosen, Retrieved) or not chosen.tables[0].row_count:
            return (chosen,)
        ids = tuple(int(str(value)) for value in column(chosen, "job"))
        readings = replace(chain.readings, during=JobFilter(ids=ids))
        note("retrieving the readings of these jobs")
        found: list[Outcome] = [chosen, self.data.run(readings, folder)]
        if plan.chart is not None:
            series = replace(
                readings, wanted=Wanted.SERIES, measures=(), groups=(Group.JOB,), ranking=None
            )
            found.append(self.data.run(series, folder))
        return tuple(found)

    def _of_event(
        self, chain: EventThenReadings, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("finding the event")
        found = self.data.run(chain.event, folder)
        if not isinstance(found, Retrieved):
            return (found,)
        event = chosen_event(chain, found)
        windows = around(chain, event.start, event.end) if event is not None else None
        if event is None or not windows:
            return (_no_event(chain, found),)
        readings = replace(of_job_nodes(chain.readings, event.nodes), windows=windows)
        note("retrieving the readings around it")
        measured: list[Outcome] = [self.data.run(readings, folder)]
        if isinstance(measured[0], NoData) and len(windows) > 1:
            measured = [self.data.run(replace(readings, windows=(w,)), folder) for w in windows]
        there = [one for one in measured if isinstance(one, Retrieved)]
        if not there:
            return (found, *measured)
        told = [one.text for one in measured if isinstance(one, NoData)]
        noted = replace(
            there[0],
            notes=(event.note, *told, *there[0].notes),
            treatment=(*there[0].treatment, treatment_around(chain)),
        )
        return (found, noted, *there[1:])

    def _jobs_of_event(
        self, chain: EventThenJobs, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("finding the event")
        found = self.data.run(chain.event, folder)
        if not isinstance(found, Retrieved):
            return (found,)
        event = chosen_event(chain, found)
        if event is None:
            return (_no_event(chain, found),)
        note("listing the jobs around it")
        listed = self.data.run(jobs_around(chain, event.start, event.end), folder)
        if isinstance(listed, Retrieved):
            listed = replace(listed, notes=(event.note, *listed.notes))
        return (found, listed)

    def _in_periods(
        self, chain: PeriodsThenReadings, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("finding the times")
        found = self.data.run(chain.periods, folder)
        if not isinstance(found, Retrieved) or not found.tables[0].row_count:
            return (found,)
        times = times_of(found)
        if isinstance(times, NotUnderstood):
            return (times,)
        note("retrieving the readings in them")
        measured = self.data.run(replace(chain.readings, inside=times), folder)
        if isinstance(measured, Retrieved):
            measured = replace(measured, notes=(STANDS, *measured.notes))
        return (found, measured)

    def _at_extreme(
        self, chain: ExtremeThen, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("finding the time")
        found = self.data.run(chain.first, folder)
        window = extreme_time(found) if isinstance(found, Retrieved) else None
        if window is None:
            return (found,)
        note("looking at that time")
        return (found, self.data.run(at_time(chain, window), folder))

    def _of_users(
        self, chain: UsersThenReadings, plan: Plan, folder: Path, note: Callable[[str], None]
    ) -> tuple[Outcome, ...]:
        note("choosing the users")
        chosen = self.data.run(chain.users, folder)
        if not isinstance(chosen, Retrieved) or not chosen.tables[0].row_count:
            return (chosen,)
        users = tuple(str(value) for value in column(chosen, "user"))
        during = replace(chain.readings.during or JobFilter(), users=users)
        readings = replace(chain.readings, during=during)
        note("retrieving the readings of their jobs")
        measured = self.data.run(readings, folder)
        if not isinstance(measured, Retrieved):
            return (chosen, measured)
        found: list[Outcome] = [self.data.side_by_side((chosen, measured), folder)]
        if plan.chart is not None:
            by_job = replace(
                readings, measures=(Measure.AVERAGE,), groups=(Group.USER, Group.JOB), ranking=None
            )
            found.append(self.data.run(by_job, folder))
        return tuple(found)


def _no_event(chain: EventThenReadings | EventThenJobs, found: Retrieved) -> NoData:
    return NoData(chain.event, "There is no such event in this time.", found.queries)


def _wants_line(request: ReadingsRequest, plan: Plan) -> bool:
    """Whether a line is to be drawn of what the request only sums up in single numbers."""
    over_time = _TIME_GROUPS & set(request.groups)
    lines = plan.chart is not None and plan.chart.kind in (
        None,
        ChartKind.LINE,
        ChartKind.DUAL_AXIS,
    )
    single = request.wanted is Wanted.MEASURES and not request.instant and not request.ranking
    return lines and single and not over_time and not request.difference


def _as_series(request: ReadingsRequest) -> ReadingsRequest:
    named = all(owner.names for owner in request.owners)
    keys = {Group.RACK, Group.JOB} & set(request.groups)
    groups = (Group.OWNER, *sorted(keys)) if named else tuple(sorted(keys))
    bucket = "" if named or keys == {Group.JOB} else "PT5M"
    return replace(
        request, wanted=Wanted.SERIES, measures=(), groups=groups, bucket=bucket, unit=request.unit
    )


def column(retrieved: Retrieved, variable: str) -> list[object]:
    """The values of one column of the first table."""
    table = retrieved.tables[0]
    position = [c.variable for c in table.columns].index(variable)
    return [row[position] for row in table.rows]
