from datetime import UTC, date, datetime

import pytest

from agent import Certified, Evidence, MetricUse, TimeRange, Usage
from bot.evidence_text import facts_of, range_text
from bot.messages import FactKind


def a_range(start: str, end: str) -> TimeRange:
    return TimeRange(
        datetime.fromisoformat(start).replace(tzinfo=UTC),
        datetime.fromisoformat(end).replace(tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("start", "end", "zone", "text"),
    [
        ("2022-06-01T08:00", "2022-06-01T09:00", "UTC", "2022-06-01 08:00 to 09:00 UTC"),
        (
            "2022-06-01T08:00",
            "2022-06-01T09:00:20",
            "Europe/Rome",
            "2022-06-01 10:00 to 11:00:20 CEST (Europe/Rome)",
        ),
        ("2022-06-01", "2022-06-02", "UTC", "2022-06-01 00:00 to 2022-06-02 00:00 UTC"),
        (
            "2022-03-26T23:00",
            "2022-03-27T22:00",
            "Europe/Rome",
            "2022-03-27 00:00 CET to 2022-03-28 00:00 CEST (Europe/Rome)",
        ),
    ],
)
def test_a_window_is_written_in_its_zone(start: str, end: str, zone: str, text: str) -> None:
    assert range_text(a_range(start, end), zone) == text


def test_a_window_is_given_in_utc_and_in_the_zone_of_the_site() -> None:
    evidence = Evidence(time_ranges=(a_range("2022-06-01", "2022-06-01T01:00"),))

    facts = facts_of(evidence, Usage(), "Europe/Rome")

    assert facts[0].label == "Time"
    assert facts[0].lines == (
        "2022-06-01 00:00 to 01:00 UTC",
        "2022-06-01 02:00 to 03:00 CEST (Europe/Rome)",
    )


def test_facts_without_content_are_left_out() -> None:
    facts = facts_of(Evidence(), Usage(), "UTC")

    assert [fact.label for fact in facts] == ["Language model"]
    assert facts[0].lines == ("not asked",)


def test_tells_metrics_samples_queries_and_the_cost() -> None:
    evidence = Evidence(
        metrics=(MetricUse("ipmi_pub", "total_power", "W"), MetricUse("nagios_pub", "state", "")),
        samples_got=4_210,
        samples_expected=4_320,
        queries=("SELECT *",),
        execution="virtual",
    )

    facts = {f.label: f for f in facts_of(evidence, Usage(3, 900, 40), "UTC")}

    assert facts["Metrics"].lines == ("total_power (ipmi_pub) in W", "state (nagios_pub)")
    assert facts["Samples"].lines == ("4,210 of 4,320 expected (97.5%)",)
    assert facts["Query"].kind is FactKind.SPARQL
    assert facts["How it ran"].lines[0].startswith("virtual")
    assert facts["Language model"].lines == ("3 calls, 900 + 40 tokens (prompts + replies)",)


def test_more_samples_than_expected_are_not_over_a_hundred_percent() -> None:
    evidence = Evidence(samples_got=11, samples_expected=10)

    facts = {f.label: f for f in facts_of(evidence, Usage(), "UTC")}

    assert facts["Samples"].lines == ("11 of 10 expected (100.0%)",)


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (0.4, "0 seconds ago"),
        (119, "119 seconds ago"),
        (120, "2 minutes ago"),
        (5_400, "90 minutes ago"),
        (7_200, "2 hours ago"),
        (260_000, "3 days ago"),
    ],
)
def test_tells_how_old_a_kept_graph_is(age: float, words: str) -> None:
    evidence = Evidence(execution="graph, materialised", graph_age=age)

    facts = {f.label: f for f in facts_of(evidence, Usage(), "UTC")}

    assert facts["How it ran"].lines[2] == f"that graph was built for an earlier query, {words}"


def test_says_who_certified_such_queries_and_what_they_answer() -> None:
    certified = Certified("pue-mean", "facility", date(2026, 12, 1), "Mean of the PUE samples.")

    facts = facts_of(Evidence(certified=certified), Usage(), "UTC")

    (told,) = (fact.lines for fact in facts if fact.label == "Certified")
    assert told == ("pue-mean, reviewed 2026-12-01 by facility", "Mean of the PUE samples.")
