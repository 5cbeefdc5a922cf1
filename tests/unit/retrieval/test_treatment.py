from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from retrieval.job_request import JobFilter, JobMeasure, JobsRequest, JobTime
from retrieval.measures import Comparison, Condition, Course, Group, Measure, Ranking, Wanted
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from retrieval.treatment import treatment_of
from tests.unit.agent.results import DAY, readings

TWICE = Condition(Comparison.AT_LEAST, 2)
TOP = Ranking(descending=True, limit=3)
LATER = replace(DAY, start=DAY.start + timedelta(days=1), end=DAY.end + timedelta(days=1))
MEAN = readings(wanted=Wanted.MEASURES, measures=(Measure.AVERAGE,), windows=(DAY,))
PERIODS = replace(MEAN, wanted=Wanted.COURSE, course=Course.PERIODS)
JOBS = JobsRequest(JobFilter(window=DAY, time=JobTime.STARTED), (JobMeasure.COUNT,))
STATES = ChecksRequest(CheckResultKind.PERIODS, DAY, drained=True)


@pytest.mark.parametrize(
    ("request_", "change"),
    [
        (MEAN, {"ranking": TOP}),
        (MEAN, {"unit": "kW"}),
        (MEAN, {"windows": (LATER,)}),
        (replace(MEAN, wanted=Wanted.OWNERS), {"wanted": Wanted.OWNER_COUNT}),
        (replace(PERIODS, often=TWICE), {"often": replace(TWICE, bound=5)}),
        (replace(PERIODS, longer=60.0), {"longer": 90.0}),
        (JOBS, {"ranking": TOP}),
        (JOBS, {"groups": (Group.HOUR,)}),
        (STATES, {"nodes": ("5",)}),
    ],
)
def test_what_the_queries_hold_is_no_treatment(request_: Any, change: dict[str, Any]) -> None:
    assert treatment_of(replace(request_, **change)) == treatment_of(request_)


@pytest.mark.parametrize(
    ("request_", "change"),
    [
        (MEAN, {"windows": (DAY, LATER)}),
        (MEAN, {"difference": True}),
        (MEAN, {"share": True}),
        (PERIODS, {"course": Course.LONGEST_PERIOD}),
        (PERIODS, {"longer": 60.0}),
        (PERIODS, {"often": TWICE}),
        (replace(PERIODS, often=TWICE), {"often": replace(TWICE, comparison=Comparison.BELOW)}),
        (PERIODS, {"ranking": TOP}),
        (JOBS, {"share_of": ()}),
        (JOBS, {"share_of": ("FAILED",)}),
        (JOBS, {"windows": (DAY, LATER)}),
        (JOBS, {"groups": (Group.HOUR,), "which": JobFilter(window=DAY)}),
        (STATES, {"ongoing": True}),
        (STATES, {"course": Course.LONGEST_PERIOD}),
        (STATES, {"often": TWICE}),
    ],
)
def test_what_is_done_with_their_rows_is(request_: Any, change: dict[str, Any]) -> None:
    assert treatment_of(replace(request_, **change)) != treatment_of(request_)


def test_jobs_that_are_counted_bucket_after_bucket_may_be_ranked_over_all() -> None:
    each_hour = replace(JOBS, groups=(Group.HOUR,), which=JobFilter(window=DAY))

    assert treatment_of(replace(each_hour, ranking=TOP)) != treatment_of(each_hour)


def test_kinds_of_request_are_never_treated_alike() -> None:
    requests: list[Any] = [MEAN, JOBS, STATES, SiteRequest(Subject.NODES)]

    assert len({treatment_of(request) for request in requests}) == 4
