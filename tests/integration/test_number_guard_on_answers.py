"""The guard lets the numbers of real answers out, and hardly any that was changed."""

import random
import re
from collections.abc import Iterator
from zoneinfo import ZoneInfo

import pytest

from agent.number_guard import unsupported_numbers
from agent.presenter import present
from retrieval.outcome import Retrieved
from tests.curated_asking import Asker, curated_lake, curated_pairs

_ZONE = ZoneInfo("UTC")
_NUMBER = re.compile(r"(?<![\w.:-])-?\d+(?:,\d{3})*(?:\.\d+)?(?![\w:-]|\.\d)")
_FACTORS = (10, 60, 100, 1000, 0.1, 1 / 60, 0.01, 0.001)
_EACH = 6
_CAUGHT = 0.95

Told = tuple[str, str, tuple[Retrieved, ...], list[str]]


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> list[Told]:
    """Question, text, results and notes of every third curated pair."""
    folder = tmp_path_factory.mktemp("answers")
    asker = Asker(curated_lake(folder / "lake"), folder)
    found = []
    for pair in list(curated_pairs().values())[::3]:
        results = asker.ran(pair.question, pair.asked_at).results
        notes = [note for result in results for note in result.notes]
        found.append((pair.question, present(results, notes, _ZONE), results, notes))
    return found


def _changed(written: str, chance: random.Random) -> Iterator[str]:
    """Other numbers in place of ``written``: one digit, a factor, one that is as plausible."""
    number = float(written.replace(",", ""))
    place = chance.choice([i for i, c in enumerate(written) if c.isdigit()])
    digit = chance.choice([d for d in "0123456789" if d != written[place]])
    yield written[:place] + digit + written[place + 1 :]
    yield _text(number * chance.choice(_FACTORS))
    near = number * chance.uniform(0.7, 1.4)
    yield _text(round(near) + 1 if number.is_integer() else round(near, 2))


def _text(number: float) -> str:
    whole = float(number).is_integer()
    return f"{int(number):,}" if whole else f"{number:,.4f}".rstrip("0").rstrip(".")


def test_lets_every_real_answer_out(answers: list[Told]) -> None:
    assert len(answers) > 40
    for question, text, results, notes in answers:
        assert unsupported_numbers(text, results, question, notes, _ZONE) == (), text


def test_catches_numbers_that_were_changed(answers: list[Told]) -> None:
    chance = random.Random(1)
    tried = caught = 0
    for question, text, results, notes in answers:
        places = list(_NUMBER.finditer(text))
        for match in chance.sample(places, min(_EACH, len(places))):
            for other in _changed(match.group(), chance):
                if float(other.replace(",", "")) == float(match.group().replace(",", "")):
                    continue
                told = text[: match.start()] + other + text[match.end() :]
                tried += 1
                caught += bool(unsupported_numbers(told, results, question, notes, _ZONE))
    assert tried > 400
    assert caught / tried >= _CAUGHT
