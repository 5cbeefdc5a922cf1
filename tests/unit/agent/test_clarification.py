"""Which of the offered choices a reply makes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.clarification import Chosen, choice_in

CHOICES = (
    ("inlet_temperature", "inlet (ambient) temperature"),
    ("cpu_core_temperature", "CPU core temperature"),
    ("gpu_temperature", "GPU temperature"),
    ("dimm_temperature", "memory module temperature"),
)


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("gpu_temperature", "gpu_temperature"),
        ("GPU temperature", "gpu_temperature"),
        ("  gpu temperature. ", "gpu_temperature"),
        ("GPU temperature please!", "gpu_temperature"),
        ("the GPU one", "gpu_temperature"),
        ("gpu", "gpu_temperature"),
        ("the ambient one", "inlet_temperature"),
        ("inlet", "inlet_temperature"),
        ("1", "inlet_temperature"),
        ("2.", "cpu_core_temperature"),
        ("option 3", "gpu_temperature"),
        ("number 4", "dimm_temperature"),
        ("the first one", "inlet_temperature"),
        ("second", "cpu_core_temperature"),
        ("the last one", "dimm_temperature"),
        ("I mean the memory module", "dimm_temperature"),
        ("the processor", "cpu_core_temperature"),
        ("the inlet sensor, please", "inlet_temperature"),
    ],
)
def test_takes_an_id_a_label_a_position_or_telling_words(reply: str, chosen: str) -> None:
    assert choice_in(reply, CHOICES) == Chosen(chosen)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "   ",
        "?",
        "0",
        "5",
        "temperature",
        "all of them",
        "none of them",
        "never mind",
        "both cpu and gpu",
        "and for node 901?",
        "how many nodes are there",
        "list the racks",
    ],
)
def test_takes_nothing_where_no_choice_is_made_or_several(reply: str) -> None:
    assert choice_in(reply, CHOICES) is None


@pytest.mark.parametrize(
    "question",
    [
        "What was the average CPU utilisation of node 7 on 2 June 2022?",
        "average GPU power of node 5 on 1 June 2022",
        "memory usage of node 5 yesterday",
        "how many GPU nodes failed yesterday",
        "not the inlet",
    ],
)
def test_a_new_question_is_no_choice(question: str) -> None:
    assert choice_in(question, CHOICES) is None


@pytest.mark.parametrize("reply", ["yes", "Yes.", "ok", "exactly"])
def test_yes_takes_the_only_choice_and_none_of_several(reply: str) -> None:
    assert choice_in(reply, CHOICES[:1]) == Chosen(CHOICES[0][0])
    assert choice_in(reply, CHOICES) is None


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        *((reply, "yes") for reply in ("yes", "Yes!", "y", "ok", "yes, please", "correct")),
        *((reply, "no") for reply in ("no", "No.", "no please")),
    ],
)
def test_a_yes_and_a_no_are_taken_where_they_are_the_choices(reply: str, chosen: str) -> None:
    assert choice_in(reply, (("yes", "yes"), ("no", "no"))) == Chosen(chosen)


@pytest.mark.parametrize("reply", ["no yes", "yes or no", "not yes", "hmm", "never"])
def test_what_is_neither_yes_nor_no_is_taken_for_none(reply: str) -> None:
    assert choice_in(reply, (("yes", "yes"), ("no", "no"))) is None


def test_an_ordinal_beyond_the_choices_makes_none() -> None:
    assert choice_in("the fifth", CHOICES) is None


@given(st.text(max_size=60))
def test_gives_only_ids_that_were_offered(reply: str) -> None:
    chosen = choice_in(reply, CHOICES)

    assert chosen is None or chosen.id in {key for key, _ in CHOICES}


@given(st.sampled_from(CHOICES))
def test_every_id_and_every_label_makes_its_choice(choice: tuple[str, str]) -> None:
    by_id, by_label = choice_in(choice[0], CHOICES), choice_in(choice[1].upper(), CHOICES)

    assert by_id == by_label == Chosen(choice[0])


QUESTION = "What was the temperature of node 88 on 1 June 2022?"


@pytest.mark.parametrize(
    ("reply", "chosen"),
    [
        ("the inlet temperature, on average", Chosen("inlet_temperature", "average")),
        ("max GPU temperature", Chosen("gpu_temperature", "max")),
        ("ambient temperature of node 88", Chosen("inlet_temperature")),
        ("the temperature of the GPU on 1 June", Chosen("gpu_temperature")),
    ],
)
def test_takes_a_measure_and_words_of_the_question_beside_a_choice(
    reply: str, chosen: Chosen
) -> None:
    assert choice_in(reply, CHOICES, QUESTION) == chosen


@pytest.mark.parametrize(
    "reply",
    [
        "max GPU temperature of node 89",
        "GPU temperature per hour",
        "inlet temperature yesterday",
        "average of the CPU and the GPU",
    ],
)
def test_other_words_beside_a_choice_make_a_new_question(reply: str) -> None:
    assert choice_in(reply, CHOICES, QUESTION) is None
