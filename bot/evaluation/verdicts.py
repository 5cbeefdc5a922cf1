"""Verdicts of an independent grader, read from its file: JSON lines or CSV."""

import csv
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType

from bot.errors import EvaluationError


class Verdict(StrEnum):
    """What an answer is worth, in the paper's words."""

    CORRECT = "correct"
    HALLUCINATED = "hallucinated"
    INCOMPLETE = "incomplete"
    FAILED = "failed"

    @property
    def letter(self) -> str:
        """As the paper's tables have it."""
        return self.value[0].upper()


WORDS: Mapping[str, Verdict] = MappingProxyType(
    {
        **{verdict.value: verdict for verdict in Verdict},
        "clarified-correctly": Verdict.CORRECT,
        "refused-correctly": Verdict.CORRECT,
        "wrong": Verdict.HALLUCINATED,
    }
)
"""The words that graders use for them."""

Verdicts = Mapping[tuple[str, int], Verdict]
"""By id and repeat of a question."""


@dataclass(frozen=True, slots=True)
class VerdictsFile:
    """Where verdicts stand, and of which repeat they are where they do not say so."""

    path: Path
    repeat: int | None = None
    """None: of the last one. A grader that knows no repeats takes the last answer of each id."""


def read_verdicts(path: Path, repeat_unsaid: int) -> Verdicts:
    """The verdicts in ``path``, each with an ``id``, a ``verdict`` and maybe a ``repeat``.

    The file has a JSON object a line, or is CSV with these headings; whatever else it has is
    ignored. A verdict without a repeat is of ``repeat_unsaid``. Raises EvaluationError.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"the verdicts {path} cannot be read: {error}") from error
    rows = _csv_rows(lines) if path.suffix.lower() == ".csv" else _json_rows(path, lines)
    verdicts: dict[tuple[str, int], Verdict] = {}
    for number, row in rows:
        name, word = row.get("id"), row.get("verdict")
        if not isinstance(name, str) or not isinstance(word, str) or word not in WORDS:
            known = ", ".join(WORDS)
            raise EvaluationError(
                f"{path}, line {number}: an id and a verdict are wanted; verdicts are {known}"
            )
        repeat = str(row.get("repeat") or repeat_unsaid)
        if not repeat.isdecimal():
            raise EvaluationError(f"{path}, line {number}: {repeat!r} is no repeat")
        key = (name, int(repeat))
        if verdicts.setdefault(key, WORDS[word]) is not WORDS[word]:
            raise EvaluationError(f"{path} has several verdicts on {name}, repeat {repeat}")
    return MappingProxyType(verdicts)


def _csv_rows(lines: list[str]) -> Iterable[tuple[int, Mapping[str, object]]]:
    reader = csv.DictReader(lines)
    for row in reader:
        yield reader.line_num, row


def _json_rows(path: Path, lines: list[str]) -> Iterable[tuple[int, Mapping[str, object]]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise EvaluationError(f"{path}, line {number} is no JSON: {error}") from error
        if not isinstance(row, dict):
            raise EvaluationError(f"{path}, line {number} is no JSON object")
        yield number, row
