from datetime import UTC, datetime

import pytest

from agent.chart_window import window_text


@pytest.mark.parametrize(
    ("start", "end", "zone", "text"),
    [
        ("2022-06-01T08:00", "2022-06-01T15:00", "Europe/Rome",
         "1 Jun 2022 10:00\u201317:00 CEST (08:00\u201315:00 UTC)"),
        ("2022-06-01T08:00", "2022-06-01T15:00", "UTC", "1 Jun 2022 08:00\u201315:00 UTC"),
        ("2022-06-01T20:00", "2022-06-01T23:59", "Europe/Rome",
         "1 Jun 22:00 \u2013 2 Jun 2022 01:59 CEST (1 Jun 2022 20:00\u201323:59 UTC)"),
        ("2022-03-26T23:00", "2022-03-27T22:00", "Europe/Rome",
         "27 Mar 00:00 \u2013 28 Mar 2022 00:00 CET/CEST "
         "(26 Mar 23:00 \u2013 27 Mar 2022 22:00 UTC)"),
        ("2021-12-31T00:00", "2022-01-02T00:00:30", "UTC",
         "31 Dec 2021 00:00 \u2013 2 Jan 2022 00:00:30 UTC"),
    ],
)  # fmt: skip
def test_writes_a_window_in_the_zone_and_in_utc(start: str, end: str, zone: str, text: str) -> None:
    first, last = (datetime.fromisoformat(time).replace(tzinfo=UTC) for time in (start, end))

    assert window_text(first, last, zone) == text
