"""What a person is asked to confirm: all that decides what a query gives."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from agent.outline_text import outline_text
from retrieval.measures import Comparison
from retrieval.metric_catalog import MetricCatalog
from retrieval.outline_parts import OutlinedBound, OutlinedRows, OutlinedText, WrittenOutline
from retrieval.request import Entity, EntityKind, Metric, TimeWindow
from retrieval.written_request import WrittenRequest

CATALOG = MetricCatalog.load()
DAY = TimeWindow(datetime(2022, 6, 1, tzinfo=UTC), datetime(2022, 6, 2, tzinfo=UTC))
NEXT = TimeWindow(datetime(2022, 6, 2, tzinfo=UTC), datetime(2022, 6, 3, tzinfo=UTC))
POWER = CATALOG.members("total_power")
ROWS = OutlinedRows(("node", "maximum of total_power (W)"), ("node",), True)


def told(
    outline: WrittenOutline,
    *notes: str,
    quantities: tuple[tuple[Metric, ...], ...] = (POWER,),
    windows: tuple[TimeWindow, ...] = (DAY,),
    entities: tuple[Entity, ...] = (),
    instant: bool = False,
) -> list[str]:
    request = WrittenRequest("", "", quantities, windows, entities, instant=instant)
    return outline_text(outline, request, notes, ZoneInfo("UTC")).splitlines()


def test_every_part_of_it_stands_on_a_line_of_its_own() -> None:
    outline = WrittenOutline(
        ROWS,
        first=(OutlinedRows(("sensor", "average"), ("sensor",), True),),
        conditions=(
            OutlinedBound("total_power", Comparison.AT_LEAST, 800, "W"),
            OutlinedText("job state", ("FAILED", "TIMEOUT")),
        ),
        kinds=("compute node",),
        order=(("maximum of total_power (W)", True),),
        limit=3,
    )

    lines = told(outline, "'might' is taken as total node power.")

    assert "has not been run" in lines[0]
    assert lines[1:-1] == [
        "- Node, maximum of total_power (W), a row for each node",
        "- Before that: sensor, average, a row for each sensor",
        "- Measured: total_power of ipmi_pub (Electrical power of the whole node)",
        "- Of: every compute node",
        "- Time: on 2022-06-01 UTC",
        "- Only where total_power is at least 800 W",
        "- Only where job state is FAILED or TIMEOUT",
        "- Only the first 3 in order of maximum of total_power (W), highest first",
        "_'might' is taken as total node power._",
    ]
    assert lines[-1].startswith("Nothing else of your question is in it.")


@pytest.mark.parametrize(
    ("rows", "line"),
    [
        (OutlinedRows(("average",), (), True), "- Average, of everything together"),
        (OutlinedRows(("node", "time"), (), False), "- Node, time, a row for each match"),
    ],
)
def test_what_there_is_a_row_for(rows: OutlinedRows, line: str) -> None:
    assert told(WrittenOutline(rows))[1] == line


def test_rows_that_stand_once_and_moments_that_are_joined_are_told() -> None:
    lines = told(WrittenOutline(ROWS, joins_times=True, is_distinct=True))

    assert lines[1].endswith("each different row once")
    assert "- Only moments at which each of them has a sample" in lines


@pytest.mark.parametrize(
    ("windows", "instant", "did", "line"),
    [
        ((), False, (), "- Time: all there is"),
        ((DAY, NEXT), False, (), "- Time: on 2022-06-01 UTC and on 2022-06-02 UTC"),
        ((DAY,), True, (), "- Time: the last sample on 2022-06-01 UTC"),
        ((DAY,), False, ("ran",), "- Jobs that ran on 2022-06-01 UTC"),
    ],
)
def test_the_time_is_told(
    windows: tuple[TimeWindow, ...], instant: bool, did: tuple[str, ...], line: str
) -> None:
    outline = WrittenOutline(ROWS, job_times=did)

    assert line in told(outline, windows=windows, instant=instant)


@pytest.mark.parametrize(
    ("step", "line"), [("PT1M", "1 minute"), ("PT5M", "5 minutes"), ("PT2H", "2 hours")]
)
def test_steps_of_time_are_told(step: str, line: str) -> None:
    assert f"- Times in steps of {line}" in told(WrittenOutline(ROWS, steps=(step,)))


def test_many_metrics_and_things_are_counted() -> None:
    nodes = tuple(Entity(EntityKind.NODE, str(number)) for number in range(20))
    checks = CATALOG.of_plugin("ganglia_pub")[:10]

    lines = told(WrittenOutline(ROWS), quantities=(checks,), entities=nodes)

    assert any(line.endswith("and 2 more of ganglia_pub") for line in lines)
    assert any(line.startswith("- Of: node 0, node 1") for line in lines)
    assert any(line.endswith("node 7 and 12 more") for line in lines)
