"""Algorithm 1 and the life of a request, with a model that says what it is told."""

import json

import pytest

from agent.answer import Answer, Answered, Declined, DeclineReason, NeedsClarification, Usage
from agent.run_store import RunStatus, Stage
from retrieval.request import Entity, EntityKind
from tests.fakes.canned_likeness import CannedLikeness
from tests.fakes.canned_queries import QUERY, TABLE, CannedQueries
from tests.reflecting import (
    PLAIN,
    Reflecting,
    a_context,
    intent,
    parts,
    plugin,
    saying,
    times,
)

POWER = "average total power of node 5 on 1 June 2022"


def asked(text: str, **replies: list[str]) -> tuple[Reflecting, Answer]:
    reflecting = Reflecting(
        saying({**PLAIN, **{k.replace("_", "-"): v for k, v in replies.items()}})
    )
    return reflecting, reflecting.agent().query(text, a_context())


def test_a_plain_request_goes_through_every_step_to_a_finding() -> None:
    reflecting, answer = asked(POWER)

    assert isinstance(answer, Answered)
    assert answer.text == "812.5 W"
    assert reflecting.steps == ["intent", "plugin", "time-words"]
    (grounded,) = reflecting.queries.written
    assert [m.name for m in grounded.metrics] == ["total_power"]
    assert grounded.entities == (Entity(EntityKind.NODE, "5"),)
    assert [w.start.isoformat() for w in grounded.windows] == ["2022-06-01T00:00:00+00:00"]
    assert answer.cost.retrieval == Usage(3, 300, 30)
    state = reflecting.state
    assert (state.stage, state.status) == (Stage.EXECUTION, RunStatus.COMPLETED)
    assert state.artefacts["query"] == {"query": QUERY, "confidence": 0.95}


def test_an_intent_in_doubt_is_asked_again_with_the_doubt_stated() -> None:
    reflecting, answer = asked(POWER, intent=[intent(confidence=60), intent(confidence=70)])

    assert isinstance(answer, Answered)
    first, second = reflecting.model.asked[:2]
    shown, reply = second.examples[-1]
    assert shown == first.request
    assert json.loads(reply) == json.loads(intent(confidence=60))
    assert "60 %" in second.request
    assert POWER in second.request


def test_an_intent_that_stays_in_doubt_is_no_request() -> None:
    reflecting, answer = asked(POWER, intent=[intent(confidence=60)])

    assert isinstance(answer, Declined)
    assert answer.reason is DeclineReason.NOT_UNDERSTOOD
    assert reflecting.steps == ["intent"] * 3
    assert reflecting.state.status is RunStatus.REJECTED


@pytest.mark.parametrize(
    ("text", "about", "of_jobs", "plugins"),
    [
        ("number of failed jobs on 1 June 2022", "jobs", True, set()),
        ("how many nodes does rack 4 have", "topology", False, set()),
        ("which nodes were down on 1 June 2022", "checks", False, {"nagios_pub"}),
    ],
)
def test_what_measures_nothing_needs_no_metric(
    text: str, about: str, of_jobs: bool, plugins: set[str]
) -> None:
    reflecting, answer = asked(text, intent=[intent(about)], time_words=[times()])

    assert isinstance(answer, Answered)
    (grounded,) = reflecting.queries.written
    assert grounded.jobs is of_jobs
    assert {part.plugin for part in grounded.parts} == plugins
    assert "plugin" not in reflecting.steps


def test_what_is_no_question_to_the_telemetry_is_refused() -> None:
    reflecting, answer = asked("Write me a sonnet", intent=[intent("other")])

    assert isinstance(answer, Declined)
    assert answer.reason is DeclineReason.OUT_OF_SCOPE
    assert reflecting.queries.written == []


@pytest.mark.parametrize("about", ["other", "topology", "jobs", "checks"])
def test_what_the_rules_read_cannot_be_thought_away(about: str) -> None:
    reflecting, answer = asked(POWER, intent=[intent(about), intent()])

    assert isinstance(answer, Answered)
    assert "names a metric" in reflecting.model.asked[1].request


def test_a_request_that_names_two_metrics_is_not_taken_for_one() -> None:
    text = "average total power and inlet temperature of node 5 on 1 June 2022"
    reflecting, answer = asked(text)

    assert isinstance(answer, Declined)
    assert "several metrics: total power, inlet temperature" in reflecting.model.asked[1].request


def test_a_request_for_two_metrics_is_grounded_part_by_part() -> None:
    text = "average total power and inlet temperature of node 5 on 1 June 2022"
    one = "average total power of node 5 on 1 June 2022"
    other = "average inlet temperature of node 5 on 1 June 2022"
    reflecting, answer = asked(
        text, intent=[intent(cardinality="multi")], decompose=[parts(one, other)]
    )

    assert isinstance(answer, Answered)
    (grounded,) = reflecting.queries.written
    assert [part.text for part in grounded.parts] == [one, other]
    assert [m.name for m in grounded.metrics] == ["total_power", "ambient"]


@pytest.mark.parametrize(
    ("made_up", "doubt"),
    [
        (("power of node 6 on 1 June 2022", "inlet temperature"), "'6'"),
        (("total power of gpu of node 5 on 1 June 2022", "inlet temperature"), "'gpu'"),
        (("total power of node 5", "inlet temperature of node 5"), "'1', 'june', '2022'"),
        (("", "total power and inlet temperature of node 5 on 1 June 2022"), "empty"),
    ],
)
def test_parts_that_bring_in_or_lose_words_are_not_taken(
    made_up: tuple[str, ...], doubt: str
) -> None:
    text = "total power and inlet temperature of node 5 on 1 June 2022"
    reflecting, answer = asked(
        text, intent=[intent(cardinality="multi")], decompose=[parts(*made_up)]
    )

    assert isinstance(answer, Declined)
    assert doubt in reflecting.model.asked[2].request
    assert reflecting.steps == ["intent", *["decompose"] * 3]


def test_a_plugin_in_doubt_is_asked_again() -> None:
    reflecting, answer = asked(POWER, plugin=[plugin("ipmi_pub", 50), plugin("ipmi_pub", 80)])

    assert isinstance(answer, Answered)
    assert reflecting.steps == ["intent", "plugin", "plugin", "time-words"]


def test_a_part_whose_plugin_stays_in_doubt_is_left_out_and_that_is_said() -> None:
    text = "average total power and inlet temperature of node 5 on 1 June 2022"
    one = "average total power of node 5 on 1 June 2022"
    other = "average inlet temperature of node 5 on 1 June 2022"
    reflecting, answer = asked(
        text,
        intent=[intent(cardinality="multi")],
        decompose=[parts(one, other)],
        plugin=[plugin("ipmi_pub"), plugin("ipmi_pub", 30)],
    )

    assert isinstance(answer, Answered)
    assert f"not sure what measures it: '{other}'" in answer.text
    assert [part.text for part in reflecting.queries.written[0].parts] == [one]


def test_nothing_is_looked_up_where_no_plugin_is_sure() -> None:
    reflecting, answer = asked(POWER, plugin=[plugin("ipmi_pub", 30)])

    assert isinstance(answer, Declined)
    assert answer.reason is DeclineReason.UNKNOWN_METRIC
    assert reflecting.queries.written == []


def test_words_that_the_rules_know_to_be_measured_elsewhere_are_not_looked_for_there() -> None:
    text = "average power of the chillers on 1 June 2022"
    reflecting, answer = asked(text, plugin=[plugin("schneider_pub"), plugin("logics_pub")])

    assert isinstance(answer, Answered)
    assert "is measured by logics_pub" in reflecting.model.asked[2].request


def test_a_plugin_that_measures_nothing_of_the_things_is_not_taken() -> None:
    index = CannedLikeness(guzzle=(("node_power", 0.9),))
    replies = {**PLAIN, "plugin": [plugin("vertiv_pub"), plugin("ipmi_pub")]}
    reflecting = Reflecting(saying(replies), index)

    answer = reflecting.agent().query(GUZZLED, a_context())

    assert isinstance(answer, Answered)
    assert "vertiv_pub measures nothing of a node" in reflecting.model.asked[2].request


GUZZLED = "what did node 5 guzzle on average on 1 June 2022"


def over(index: CannedLikeness, text: str = GUZZLED) -> tuple[Reflecting, Answer]:
    reflecting = Reflecting(saying(PLAIN), index)
    return reflecting, reflecting.agent().query(text, a_context())


def test_a_metric_that_is_near_and_alone_is_accepted() -> None:
    reflecting, answer = over(CannedLikeness(guzzle=(("node_power", 0.7), ("fan_speed", 0.4))))

    assert isinstance(answer, Answered)
    assert [m.name for m in reflecting.queries.written[0].metrics] == ["total_power"]
    assert reflecting.index.asked == [("guzzle", ("ipmi_pub",))]
    assert "'guzzle' is taken as total node power." in answer.text


def test_metrics_that_are_somewhat_near_are_asked_about_and_then_taken() -> None:
    near = (("node_power", 0.69), ("fan_speed", 0.5), ("inlet_temperature", 0.49))
    reflecting, back = over(CannedLikeness(guzzle=near))

    assert isinstance(back, NeedsClarification)
    assert [choice.id for choice in back.choices] == ["node_power", "fan_speed"]
    assert reflecting.state.status is RunStatus.WAITING
    before = len(reflecting.steps)

    answer = reflecting.agent().clarify("trace", "2", a_context("another"))

    assert isinstance(answer, Answered)
    assert {m.family for m in reflecting.queries.written[0].metrics} == {"fan"}
    assert reflecting.steps[before:] == ["time-words"]


def test_an_answer_that_makes_no_choice_leaves_the_request_waiting() -> None:
    reflecting, back = over(CannedLikeness(guzzle=(("node_power", 0.6),)))

    again = reflecting.agent().clarify("trace", "bananas", a_context())

    assert isinstance(again, NeedsClarification)
    assert isinstance(back, NeedsClarification)
    assert again.choices == back.choices
    assert "'bananas' is none of the options" in again.text
    assert reflecting.state.status is RunStatus.WAITING


def test_what_else_a_choice_asks_for_is_a_part_of_the_request() -> None:
    near = (("node_power", 0.6), ("fan_speed", 0.55))
    reflecting, _ = over(CannedLikeness(guzzle=near), "what did node 5 guzzle on 1 June 2022")

    reflecting.agent().clarify("trace", "total node power, maximum", a_context())

    assert reflecting.queries.written[0].request.endswith(", maximum")
    assert [str(m) for m in reflecting.queries.written[0].measures] == ["maximum"]


def test_metrics_that_are_not_near_end_the_request() -> None:
    reflecting, answer = over(CannedLikeness(guzzle=(("node_power", 0.49),)))

    assert isinstance(answer, Declined)
    assert "other words" in answer.text
    assert reflecting.state.status is RunStatus.REJECTED


def test_a_number_that_is_no_part_of_the_metric_is_not_passed_over() -> None:
    index = CannedLikeness(warmth=(("gpu_temperature", 0.9),))
    reflecting, answer = over(index, "warmth of card no 9 of node 5 on 1 June 2022")

    assert isinstance(answer, Declined)
    assert reflecting.queries.written == []


def test_a_word_that_turns_the_question_and_is_not_read_is_not_left_out() -> None:
    reflecting, answer = asked("average total power of node 5 excluding spikes on 1 June 2022")

    assert isinstance(answer, Declined)
    assert "'excluding'" in answer.text
    assert reflecting.steps == []


def test_words_that_the_model_alone_has_read_are_told() -> None:
    text = "number of failed jobs that were boring on 1 June 2022"
    _, answer = asked(text, intent=[intent("jobs")])

    assert isinstance(answer, Answered)
    assert "No rule knows 'boring'" in answer.text


@pytest.mark.parametrize("text", ["total power 7 of node 5", "total power of node 5 slot 12"])
def test_a_number_that_nothing_is_known_of_is_not_left_out(text: str) -> None:
    reflecting, answer = asked(f"{text} on 1 June 2022")

    assert isinstance(answer, Declined)
    assert reflecting.queries.written == []


def test_an_unknown_node_is_rejected_before_the_model_is_asked() -> None:
    reflecting, answer = asked("average total power of node 9999 on 1 June 2022")

    assert isinstance(answer, Declined)
    assert answer.reason is DeclineReason.UNKNOWN_ENTITY
    assert reflecting.steps == []
    assert reflecting.state.status is RunStatus.REJECTED


def test_a_missing_time_is_asked_for_and_may_be_given_in_other_words() -> None:
    reflecting, back = asked("average total power of node 5", time_words=[times()])
    assert isinstance(back, NeedsClarification)
    before = len(reflecting.steps)

    answer = reflecting.agent().clarify("trace", "2 June 2022 from 8 to 10", a_context())

    assert isinstance(answer, Answered)
    (window,) = reflecting.queries.written[0].windows
    assert window.start.isoformat() == "2022-06-02T08:00:00+00:00"
    assert reflecting.steps[before:] == []


def test_copied_words_that_say_another_time_are_asked_about() -> None:
    text = "average total power of node 5 on 1 June 2022 from 8 to 10"
    reflecting, back = asked(text, time_words=[times("on 1 June 2022")])

    assert isinstance(back, NeedsClarification)
    assert [choice.label for choice in back.choices] == [
        "1 June 2022",
        "1 June 2022, 08:00 to 10:00",
    ]

    answer = reflecting.agent().clarify("trace", "the second one", a_context())

    assert isinstance(answer, Answered)
    assert reflecting.queries.written[0].windows[0].start.hour == 8


def test_a_time_that_the_model_did_not_copy_is_read_all_the_same() -> None:
    reflecting, answer = asked(POWER, time_words=[times()])

    assert isinstance(answer, Answered)
    assert len(reflecting.queries.written[0].windows) == 1


def test_an_unreadable_reading_of_a_date_is_asked_back_as_the_rules_do() -> None:
    _, back = asked("average total power of node 5 on 03/04/2022", time_words=[times("03/04/2022")])

    assert isinstance(back, NeedsClarification)
    assert len(back.choices) == 2


def test_a_query_that_cannot_be_written_ends_the_request() -> None:
    refused = Declined(DeclineReason.NOT_UNDERSTOOD, "no query conforms")
    reflecting = Reflecting(saying(PLAIN), queries=CannedQueries(refused))

    answer = reflecting.agent().query(POWER, a_context())

    assert isinstance(answer, Declined)
    assert (reflecting.state.stage, reflecting.state.status) == (
        Stage.GENERATION,
        RunStatus.FAILED,
    )
    assert reflecting.queries.ran == []


@pytest.mark.parametrize(
    ("reason", "status"),
    [
        (DeclineReason.NO_DATA, RunStatus.COMPLETED),
        (DeclineReason.TOO_MUCH, RunStatus.FAILED),
    ],
)
def test_a_query_that_finds_nothing_has_been_run(reason: DeclineReason, status: RunStatus) -> None:
    queries = CannedQueries(answer=Declined(reason, "there is none"))
    reflecting = Reflecting(saying(PLAIN), queries=queries)

    reflecting.agent().query(POWER, a_context())

    assert (reflecting.state.stage, reflecting.state.status) == (Stage.EXECUTION, status)


def test_a_request_that_came_to_its_end_is_not_worked_on_again() -> None:
    reflecting, first = asked(POWER)
    asked_before = len(reflecting.steps)

    again = reflecting.agent().query(POWER, a_context())

    assert isinstance(again, Answered)
    assert isinstance(first, Answered)
    assert again.text == first.text
    assert [(t.name, t.csv.name, t.preview) for t in again.tables] == [
        (TABLE.name, TABLE.csv.name, TABLE.preview)
    ]
    assert len(reflecting.steps) == asked_before
    assert reflecting.queries.ran == [QUERY]


def test_another_request_of_the_same_question_begins_anew() -> None:
    reflecting, _ = asked(POWER)

    answer = reflecting.agent().query("average total power of node 6 on 1 June 2022", a_context())

    assert isinstance(answer, Answered)
    assert reflecting.queries.written[-1].entities == (Entity(EntityKind.NODE, "6"),)


def test_nothing_waits_under_a_name_that_is_not_known() -> None:
    reflecting = Reflecting(saying(PLAIN))

    for answer in (
        reflecting.agent().clarify("nobody", "1", a_context()),
        reflecting.agent().resume("nobody", a_context()),
    ):
        assert isinstance(answer, Declined)
