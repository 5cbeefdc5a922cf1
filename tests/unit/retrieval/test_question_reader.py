"""Questions in plain words, and what the reader makes of them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from retrieval.asking import Asking
from retrieval.understanding import NotUnderstood, Unclear, Understood, Why
from retrieval.unreadable import LONGEST_QUESTION
from tests.unit.retrieval.reader_cases import (
    NOW,
    Case,
    a_reader,
    cases,
    comparable,
    read,
    reading_of,
)
from tests.unit.retrieval.reading_words import told


def test_the_table_is_large() -> None:
    assert len(cases()) >= 150


@pytest.mark.parametrize("case", cases())
def test_reads_a_question(case: Case) -> None:
    words = told(reading_of(case))

    assert comparable(words, case.expected) == case.expected


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("average power of node 900 on 1 June 2022 ignoring outliers", "ignoring"),
        ("maximum frobnication and power of node 900 on 1 June 2022", "frobnication"),
        ("jobs of node 5 on 1 June 2022 written in Fortran", "Fortran"),
        ("which racks are painted blue", "painted"),
        ("which nodes were drained by Mallory on 1 June 2022", "Mallory"),
    ],
)
def test_a_word_that_no_rule_knows_leads_to_a_refusal_that_names_it(text: str, word: str) -> None:
    understanding = read(text)

    assert isinstance(understanding, NotUnderstood)
    assert understanding.why is Why.NOT_UNDERSTOOD
    assert f"'{word}'" in understanding.text


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("which nodes were drained on 1 June 2022 per rack", "by rack"),
        ("average power on 1 June 2022 per partition", "by partition"),
        ("How many jobs ran on 1 June 2022 above 28 °C?", "above 28 °c"),
        ("Which racks are in row Y=2 above 28 °C", "above 28 °c"),
        ("correlation of jobs in May 2022", "the correlation"),
        ("how many racks are there per week", "by week"),
        ("top 5 users by failed jobs and top 5 nodes by power yesterday", "a second ranking"),
        ("the hottest GPU and the hottest node yesterday", "a second ranking"),
        ("the hottest and the coolest node yesterday", "a second ranking"),
        ("top 3 nodes and bottom 3 nodes by power yesterday", "a second ranking"),
        ("top 3 users by jobs and top 3 partitions by jobs yesterday", "a second ranking"),
        ("jobs with a time limit over 12 hours yesterday", "the bound on the time limit"),
        ("how many jobs of each qos yesterday", "qos"),
        ("jobs in partition 1 or user 161 yesterday", "'or' between conditions of different kinds"),
        ("gpu hours per node yesterday", "hours or lengths of a part of the jobs' nodes"),
        ("hottest node of user 161's jobs yesterday", "hottest"),
        ("jobs on the hottest node yesterday", "the jobs on them"),
        ("jobs on the node with the highest power yesterday", "the jobs on them"),
        ("number of critical states per check and per rack yesterday", "by rack"),
        ("list plugins and their number of metrics", "metrics by plugin"),
        ("which nodes?", "which of them"),
        ("on which nodes", "which of them"),
        ("top 3 nodes by power in each rack on 1 June 2022", "the first in each"),
        ("hottest node per rack yesterday", "the first in each"),
        ("hottest rack of each day in the first week of June 2022", "the first in each"),
        ("how many nodes had all GPUs above 50 C yesterday", "all or both of them"),
        ("nodes where both p0 and p1 power exceeded 200 W yesterday", "all or both of them"),
        ("power of the top 3 racks yesterday in total", "the sum over those that are ranked"),
        ("highest and lowest power node yesterday", "which one it was"),
        ("lowest inlet temperature now and where", "which one it was"),
        ("mean of the daily maxima of outside temperature in May 2022", "a measure of measures"),
        ("average of the maximum power of the nodes of rack 5 yesterday", "a measure of measures"),
        ("sum of the peak power of the nodes of rack 5 yesterday", "a measure of measures"),
        (
            "share of racks with average inlet temperature above 25 °C yesterday",
            "the share of the racks",
        ),
        ("share of chillers in total power yesterday", "a share of what does not contain it"),
        ("total flow of both panels yesterday", "the sum over them"),
        ("energy of nodes 1 and 2 in total yesterday", "the sum over them"),
        ("total bytes received by rack 2 yesterday", "an amount, where only its rate is measured"),
        ("which node is the coolest now and which one draws the most?", "a second ranking"),
        ("average of the sum of both PSU input powers of node 17 yesterday", "by index"),
        ("only compute nodes", "only"),
        ("maximum power of node 5 now, per hour", "parts of one moment"),
    ],
)
def test_a_part_that_the_request_cannot_take_up_leads_to_a_refusal(text: str, part: str) -> None:
    understanding = read(text)

    assert isinstance(understanding, NotUnderstood)
    assert f"'{part}'" in understanding.text


@pytest.mark.parametrize(
    "text",
    ["jobs with 2 or more nodes yesterday", "jobs with 128 cores yesterday"],
)
def test_a_number_of_things_that_jobs_have_is_no_id(text: str) -> None:
    assert isinstance(read(text), NotUnderstood)


def test_a_refusal_of_an_unknown_thing_says_what_there_is() -> None:
    understanding = read("power of node 1234 and of node 12 on 1 June 2022")

    assert isinstance(understanding, NotUnderstood)
    assert understanding.text == "There is no node 1234: nodes are 0 to 979."


def test_an_unknown_metric_is_named_with_its_nearest() -> None:
    understanding = read("average happiness of node 12 on 1 June 2022")

    assert isinstance(understanding, NotUnderstood)
    assert "'happiness'" in understanding.text


def test_an_index_that_some_of_the_asked_lack_is_noted() -> None:
    understanding = read("GPU-0-4 utilisation of node 12 on 1 June 2022, average")

    assert isinstance(understanding, Understood)
    assert any("GPU 4" in note for note in understanding.notes)


def test_words_for_a_time_are_read_in_the_zone_of_the_site() -> None:
    rome = a_reader("Europe/Rome")

    understanding = rome.read(Asking("average power of node 5 on 1 June 2022", NOW, {}))

    assert isinstance(understanding, Understood)
    assert understanding.zone == "Europe/Rome"
    assert told(understanding)["window"] == "2022-05-31 22:00 to 2022-06-01 22:00"


def test_data_after_now_are_never_asked_for() -> None:
    understanding = read("average power of node 5 in June 2022")

    assert isinstance(understanding, Understood)
    assert told(understanding)["window"] in (
        "2022-06-01 00:00 to 2022-06-15 10:00",
        "2022-06-01 00:00 through 2022-06-15 10:00",
    )
    assert any("now" in note for note in understanding.notes)


def test_a_very_long_question_is_refused() -> None:
    understanding = read("power " * LONGEST_QUESTION)

    assert isinstance(understanding, NotUnderstood)
    assert f"{LONGEST_QUESTION}" in understanding.text


@pytest.mark.parametrize("control", ["\x00", "\x1b[31m", "\x07", "\x08"])
def test_control_characters_are_refused(control: str) -> None:
    understanding = read(f"average power of node 5{control} on 1 June 2022")

    assert isinstance(understanding, NotUnderstood)
    assert "control characters" in understanding.text


@pytest.mark.parametrize(
    "text",
    [
        "average power of node 5\non 1 June 2022",
        "average\tpower of node 5 on 1 June 2022\r\n",
        "average power\u00a0of node 5 on 1\u202fJune 2022",
        "AVERAGE POWER OF NODE 5 ON 1 JUNE 2022",
        "average power of node 5, 1–1 June 2022",  # noqa: RUF001 - a dash as people type it
    ],
)
def test_white_space_capitals_and_dashes_make_no_difference(text: str) -> None:
    words = told(read(text))

    assert words["metrics"] == "total_power"
    assert words["window"] == "2022-06-01"


_WORDS = st.sampled_from(
    sorted({word for case in cases() for word in case.values[0].ask.split() if word})
)
_ODD = st.sampled_from(["İ", "ß", "ﬁ", "\u2028", "🖥", "٣", "½", "²", "0" * 40, "-1", "1e9", "::"])


@settings(max_examples=100, deadline=None)
@given(st.lists(st.one_of(_WORDS, _ODD), max_size=14))
def test_no_jumble_of_known_words_raises(words: list[str]) -> None:
    told(read(" ".join(words)))


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=80))
def test_no_text_raises(text: str) -> None:
    told(read(text))


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(cases()), _WORDS, st.integers(0, 8))
def test_no_follow_up_raises(case: Any, word: str, place: int) -> None:
    words = case.values[0].ask.split()
    words.insert(min(place, len(words)), word)

    told(read(" ".join(words), (case.values[0].ask or "hello",)))


def test_a_question_back_repeats_no_masks() -> None:
    unclear = read("how much of the memory of node 5 was used on 1 June 2022")

    assert isinstance(unclear, Unclear)
    assert unclear.question == "Which 'memory of used' do you mean?"
