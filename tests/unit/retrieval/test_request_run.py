"""In which answers rows stand in the order of names, and may be put in that of their numbers."""

from datetime import UTC, datetime

import pytest

from retrieval.data_request import DataRequest
from retrieval.job_request import JobFilter, JobMeasure, JobsRequest
from retrieval.measures import Course, Ranking, Wanted
from retrieval.request import TimeWindow
from retrieval.request_run import in_order_of_names
from retrieval.site_request import CheckResultKind, ChecksRequest
from tests.unit.agent.results import readings

DAY = TimeWindow(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
FIRST = Ranking(descending=True, limit=2)


@pytest.mark.parametrize(
    ("request_", "names"),
    [
        (readings(), True),
        (readings(Wanted.OWNERS), True),
        (readings(ranking=FIRST), False),
        (readings(difference=True), False),
        (readings(Wanted.COURSE, course=Course.LONGEST_GAP), False),
        (JobsRequest(JobFilter(), (JobMeasure.COUNT,)), True),
        (JobsRequest(JobFilter(), (JobMeasure.COUNT,), ranking=FIRST), False),
        (ChecksRequest(CheckResultKind.NODES, DAY), True),
        (ChecksRequest(CheckResultKind.PERIODS, DAY), False),
    ],
)
def test_what_is_told_of_things_may_give_their_order(request_: DataRequest, names: bool) -> None:
    assert in_order_of_names(request_) is names
