"""Results in words: what was found, over which time, and how complete it is."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agent.number_guard import unsupported_numbers
from agent.presenter import coverage_sentences, present
from retrieval.job_request import JobColumn, JobFilter, JobMeasure, JobTime
from retrieval.measures import (
    Applies,
    Comparison,
    Condition,
    Course,
    Group,
    Measure,
    Owners,
    Ranking,
    Wanted,
)
from retrieval.outcome import Coverage, Retrieved
from retrieval.query_text import Column, Role
from retrieval.request import Entity, EntityKind, TimeWindow
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest, Subject
from tests.unit.agent.results import (
    DAY,
    NODE,
    TIME,
    a_quantity,
    a_table,
    count,
    jobs,
    nodes,
    readings,
    retrieved,
    value,
)

UTC_ZONE = ZoneInfo("UTC")
INLET = a_quantity("inlet temperature", "°C")
ABOVE_28 = Condition(Comparison.ABOVE, 28)
NOON = datetime(2022, 6, 1, 12, 0, 20, tzinfo=UTC)
JOB = Column("job", "job", Role.KEY)
CHECK = Column("check", "check", Role.KEY)


def _measured() -> Retrieved:
    columns = (value("average"), value("maximum"))
    return retrieved(readings(), a_table(columns, (612.3456, 1020)))


def _by_node() -> Retrieved:
    request = readings(owners=nodes("900", "920"), groups=(Group.OWNER,))
    return retrieved(request, a_table((NODE, value("average")), ("900", 612.3), ("920", 700.0)))


def _when() -> Retrieved:
    columns = (
        value("maximum", "°C"),
        Column("time_of_maximum", "time of the maximum", Role.TIME),
    )
    measures = (Measure.MAXIMUM, Measure.TIME_OF_MAXIMUM)
    request = readings(quantity=INLET, owners=nodes(racks=("3", "4")), measures=measures)
    return retrieved(request, a_table(columns, (41.2, NOON)))


def _hot(*rows: tuple[str, float]) -> Retrieved:
    columns = (NODE, value("maximum", "°C"), count("samples"))
    request = readings(Wanted.OWNERS, INLET, nodes(), groups=(Group.OWNER,), condition=ABOVE_28)
    return retrieved(request, a_table(columns, *((n, v, 3) for n, v in rows)))


def _long() -> Retrieved:
    request = readings(owners=nodes(), groups=(Group.OWNER,))
    rows = [(str(n), 100.0 + n) for n in range(30)]
    return retrieved(request, a_table((NODE, value("average")), *rows))


def _duration() -> Retrieved:
    request = readings(measures=(Measure.DURATION,), condition=Condition(Comparison.ABOVE, 1400))
    return retrieved(request, a_table((value("duration", "min", "time"),), (150.0,)))


def _periods(*rows: tuple[str, datetime, datetime, float, int, float]) -> Retrieved:
    columns = (
        NODE,
        Column("since", "first sample", Role.TIME),
        Column("till", "last sample", Role.TIME),
        value("minutes", "min"),
        count("samples"),
        value("peak", "°C", "highest"),
    )
    request = readings(
        Wanted.COURSE, INLET, nodes("5", "6"), course=Course.PERIODS, condition=ABOVE_28
    )
    return retrieved(request, a_table(columns, *rows))


def _silent() -> Retrieved:
    column = Column("day", "day without data", Role.TIME)
    request = readings(Wanted.SILENT_DAYS)
    return retrieved(request, a_table((column,), (datetime(2022, 6, 1, tzinfo=UTC),)))


def _correlated() -> Retrieved:
    columns = (Column("one", "one", Role.KEY), Column("other", "other", Role.KEY), value("r", ""))
    request = readings(Wanted.CORRELATION, bucket="PT1H")
    return retrieved(request, a_table(columns, ("power", "inlet", 0.873), name="correlation"))


def _counted() -> Retrieved:
    request = jobs(JobFilter(states=("FAILED",), window=DAY), measures=(JobMeasure.COUNT,))
    return retrieved(request, a_table((count("count", "jobs"),), (42,), name="jobs"))


def _one_job() -> Retrieved:
    columns = (JOB, Column("user", "user", Role.KEY), value("run", "s", "run time"))
    request = jobs(JobFilter(ids=(7,)), columns=(JobColumn.USER, JobColumn.RUN))
    return retrieved(request, a_table(columns, (7, "17", 7200), name="jobs"), windows=())


def _checks() -> Retrieved:
    request = ChecksRequest(CheckResultKind.NODES, DAY, checks=("ssh::daemon",), states=(2,))
    columns = (NODE, count("samples"))
    return retrieved(request, a_table(columns, ("240", 3), ("241", 4), name="nodes"))


def _rack_of() -> Retrieved:
    request = SiteRequest(Subject.RACK_OF, entities=(Entity(EntityKind.NODE, "618"),))
    columns = (NODE, value("rack", ""), value("slot", ""))
    return retrieved(request, a_table(columns, ("618", "30", 18), name="rack"), windows=())


def _counted_nodes() -> Retrieved:
    request = SiteRequest(Subject.NODES, count=True)
    return retrieved(request, a_table((count("number"),), (980,), name="nodes"), windows=())


@pytest.mark.parametrize(
    ("result", "parts"),
    [
        (
            _measured(),
            ["Total node power of node 900 on 2022-06-01 UTC: average 612.35 W, maximum 1,020 W."],
        ),
        (
            _by_node(),
            [
                "Total node power of nodes 900, 920 on 2022-06-01 UTC:",
                "node 900: average 612.3 W; node 920: average 700 W.",
            ],
        ),
        (
            _when(),
            [
                "Inlet temperature of the nodes of racks 3, 4 on 2022-06-01 UTC: maximum 41.2 °C,",
                "time of the maximum 2022-06-01 12:00:20 UTC.",
            ],
        ),
        (
            _hot(("5", 30.5), ("7", 29.0)),
            ["2 nodes had a", "inlet temperature above 28 °C on 2022-06-01 UTC: 5, 7."],
        ),
        (_hot(), ["No node had a", "inlet temperature above 28 °C on 2022-06-01 UTC."]),
        (_duration(), ["Total node power of node 900 above 1,400 W", "150 min (2.5 h)."]),
        (
            _periods(("5", NOON, NOON.replace(hour=13), 60.0, 181, 29.5)),
            [
                "Inlet temperature of nodes 5, 6 above 28 °C on 2022-06-01 UTC: 1 period:",
                "node 5 from 2022-06-01 12:00:20 UTC to 2022-06-01 13:00:20 UTC (60 min,"
                " highest 29.5 °C).",
            ],
        ),
        (_periods(), ["Inlet temperature of nodes 5, 6 above 28 °C on 2022-06-01 UTC: never."]),
        (
            _silent(),
            ["1 day without any sample of total node power of node 900", ": 2022-06-01."],
        ),
        (
            _correlated(),
            ["Pearson correlation of hourly means of node 900", "power with inlet: r = 0.873."],
        ),
        (_counted(), ["state FAILED", "on 2022-06-01 UTC: jobs 42."]),
        (_one_job(), ["Job 7: user 17, run time 2 h."]),
        (_checks(), ["2 nodes had", "CRITICAL of ssh::daemon on 2022-06-01 UTC: 240, 241."]),
        (_rack_of(), ["Node 618 is in rack 30, slot 18."]),
        (_counted_nodes(), ["There are 980 compute nodes."]),
    ],
    ids=lambda given: given[0] if isinstance(given, list) else "",
)
def test_tells_what_was_found(result: Retrieved, parts: list[str]) -> None:
    text = present([result], [], UTC_ZONE)

    assert [part for part in parts if part not in text] == []


def test_the_article_fits_the_word_behind_it() -> None:
    assert " a inlet" not in present([_hot(("5", 30.5))], [], UTC_ZONE)


RESULTS = [
    _measured(), _by_node(), _when(), _hot(("5", 30.5)), _hot(), _long(), _duration(),
    _periods(("5", NOON, NOON.replace(hour=13), 60.0, 181, 29.5)), _silent(), _correlated(),
    _counted(), _one_job(), _checks(), _rack_of(), _counted_nodes(),
]  # fmt: skip


@pytest.mark.parametrize("result", RESULTS, ids=[str(i) for i in range(len(RESULTS))])
def test_every_number_of_a_reply_can_be_accounted_for(result: Retrieved) -> None:
    text = present([result], [], UTC_ZONE)

    assert unsupported_numbers(text, [result]) == ()


def test_a_long_table_is_told_by_its_two_ends() -> None:
    text = present([_long()], [], UTC_ZONE)

    assert "highest average: node 29 with 129 W; lowest: node 0 with 100 W" in text
    assert len(text) < 250


def test_a_series_is_told_by_its_size() -> None:
    request = readings(Wanted.SERIES)
    table = a_table((TIME, value("v", heading="total node power")), (NOON, 1.0), (NOON, 2.0))

    text = present([retrieved(request, table)], [], UTC_ZONE)

    assert text == ("Total node power of node 900 on 2022-06-01 UTC: 2 samples, all in the table.")


def test_a_missing_value_is_said_to_be_missing() -> None:
    result = retrieved(readings(), a_table((value("average"),), (None,)))

    assert "average no value" in present([result], [], UTC_ZONE)


def test_notes_follow_once_each() -> None:
    text = present([_measured()], ["Taken as started.", "Taken as started.", "Cut."], UTC_ZONE)

    assert text.splitlines()[1:] == ["_Taken as started._", "_Cut._"]


def test_results_of_a_chain_are_told_one_after_the_other() -> None:
    text = present([_one_job(), _measured()], [], UTC_ZONE)

    assert text.startswith("Job 7: user 17, run time 2 h. Total node power")


def test_a_window_is_told_in_utc_and_in_the_zone_of_the_site() -> None:
    day = TimeWindow(datetime(2022, 5, 31, 22, tzinfo=UTC), datetime(2022, 6, 1, 22, tzinfo=UTC))
    result = retrieved(readings(windows=(day,)), a_table((value("average"),), (1.0,)),
                       windows=(day,))  # fmt: skip

    text = present([result], [], ZoneInfo("Europe/Rome"))

    assert "from 2022-05-31 22:00 to 2022-06-01 22:00 UTC (on 2022-06-01 CEST)" in text


def test_an_order_is_told_from_the_first_on() -> None:
    request = readings(
        owners=nodes(), groups=(Group.OWNER,), ranking=Ranking(descending=True, limit=2)
    )
    table = a_table((NODE, value("average")), ("920", 700.0), ("900", 612.0))

    text = present([retrieved(request, table)], [], UTC_ZONE)

    assert text.index("node 920") < text.index("node 900")
    assert "of all compute nodes" in text


def test_a_bound_on_a_measure_names_the_measure() -> None:
    condition = Condition(Comparison.ABOVE, 25, Applies.MEASURE, Measure.AVERAGE)
    request = readings(Wanted.OWNER_COUNT, INLET, nodes(), condition=condition)
    table = a_table((NODE, value("average", "°C")), ("5", 26.0))

    text = present([retrieved(request, table)], [], UTC_ZONE)

    assert "average inlet temperature above 25 °C" in text


def test_owners_of_other_kinds_are_called_by_their_names() -> None:
    request = readings(owners=Owners(EntityKind.CRAC, ("cdz1",)))
    result = retrieved(request, a_table((value("average"),), (1.0,)))

    assert "of CRAC cdz1 on" in present([result], [], UTC_ZONE)


def test_no_job_is_told_with_what_was_looked_for() -> None:
    request = jobs(JobFilter(users=("17",), window=DAY, time=JobTime.STARTED))
    result = retrieved(request, a_table((JOB,), name="jobs"))

    text = present([result], [], UTC_ZONE)

    assert text == "No job of user 17 started in the time on 2022-06-01 UTC."


def test_a_job_that_does_not_exist_is_named() -> None:
    result = retrieved(jobs(JobFilter(ids=(99,))), a_table((JOB,), name="jobs"), windows=())

    assert present([result], [], UTC_ZONE) == "The job table has no job 99."


def test_checks_by_node_name_their_states() -> None:
    request = ChecksRequest(CheckResultKind.BY_NODE, DAY, states=(1, 2), nodes=("240",))
    table = a_table((NODE, CHECK, value("worst", "")), ("240", "ssh::daemon", 2), name="checks")

    text = present([retrieved(request, table)], [], UTC_ZONE)

    assert "node 240 ssh::daemon CRITICAL" in text


def _coverage(got: int, expected: int, sensors: int = 1, of: int = 1) -> Coverage:
    return Coverage(got, expected, sensors, of, 20)


def test_complete_data_need_no_word() -> None:
    assert coverage_sentences(_coverage(4320, 4320)) == []


def test_few_samples_are_told_as_partial() -> None:
    (sentence,) = coverage_sentences(_coverage(2000, 4320))

    assert sentence.startswith("Partial: only 46 % of the expected samples")
    assert "2,000 of 4,320" in sentence


def test_some_silent_sensors_are_counted() -> None:
    sentences = coverage_sentences(_coverage(4200, 4320, sensors=978, of=980))

    assert sentences == ["2 of 980 sensors had no samples in this time."]


def test_the_coverage_of_a_result_is_told_with_it() -> None:
    result = retrieved(
        readings(), a_table((value("average"),), (612.0,)), coverage=_coverage(2000, 4320)
    )

    assert "Partial" in present([result], [], UTC_ZONE)
