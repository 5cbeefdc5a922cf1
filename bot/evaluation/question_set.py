"""Question sets: what is put, with which replies to questions back, and nothing of the truth."""

import hashlib
import json
import re
from collections import Counter
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Annotated, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator

from bot.errors import EvaluationError

END_TO_END = "end_to_end"
Kind = Literal["end_to_end", "retrieval", "clarify", "refuse"]


def _instant(value: object) -> object:
    """YAML makes an instant of some texts, and of some only a text; UTC where there is no zone."""
    if isinstance(value, str):
        value = datetime.fromisoformat(value)
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day)  # noqa: DTZ001 - it gets one next
    if isinstance(value, datetime) and value.tzinfo is None:
        return value.replace(tzinfo=UTC)
    return value


Instant = Annotated[datetime, BeforeValidator(_instant)]


class PutQuestion(BaseModel):
    """One question of a set; what only a grader needs of it is not read."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    id: str = Field(min_length=1, pattern=r"^[\w.-]+$")
    kind: Kind
    turns: tuple[str, ...] = Field(min_length=1, strict=False)
    """What is said, one after the other, in one thread."""
    now: Instant | None = None
    """The moment that "today" refers to; None: that of the whole set."""
    choose: tuple[str, ...] = Field((), strict=False)
    """Patterns of the option that settles a question back, the most wanted first."""
    reply: str | None = None
    """What is replied to a question back where no option fits."""
    artefact: str | None = None
    """The picture that is wanted, where one is."""
    sources: tuple[str, ...] = Field((), strict=False)
    """The metrics, as plugin/metric, that an answer needs."""

    @field_validator("choose")
    @classmethod
    def _patterns(cls, patterns: tuple[str, ...]) -> tuple[str, ...]:
        for pattern in patterns:
            try:
                re.compile(pattern)
            except re.error as error:
                raise ValueError(f"{pattern!r} is no pattern: {error}") from error
        return patterns


class QuestionSet(BaseModel):
    """The questions in their order, and the moment at which they are put."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    now: Instant
    questions: tuple[PutQuestion, ...] = Field(min_length=1, strict=False)

    def moment_of(self, question: PutQuestion) -> datetime:
        """What "now" is for ``question``."""
        return question.now or self.now

    def only(self, ids: tuple[str, ...]) -> "QuestionSet":
        """The set of these questions alone, all where none is named; raises EvaluationError."""
        unknown = [name for name in ids if name not in {q.id for q in self.questions}]
        if unknown:
            raise EvaluationError(f"the set has no question {', '.join(unknown)}")
        kept = tuple(q for q in self.questions if not ids or q.id in ids)
        return self.model_copy(update={"questions": kept})

    @property
    def digest(self) -> str:
        """The same for all files that put the same, whatever they say of the truth."""
        text = json.dumps(self.model_dump(mode="json"), sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def read_question_set(path: Path) -> QuestionSet:
    """The set in the YAML file ``path``; raises EvaluationError that says what is wrong where."""
    try:
        written = yaml.safe_load(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise EvaluationError(f"the question set {path} cannot be read: {error}") from error
    except yaml.YAMLError as error:
        raise EvaluationError(f"the question set {path} is no YAML: {error}") from error
    if not isinstance(written, dict) or not isinstance(written.get("questions"), list):
        raise EvaluationError(f"the question set {path} has no list 'questions'")
    try:
        read = QuestionSet.model_validate(written)
    except ValidationError as error:
        wrong = "; ".join(_complaint(each, written["questions"]) for each in error.errors())
        raise EvaluationError(f"the question set {path}: {wrong}") from error
    twice = [name for name, times in Counter(q.id for q in read.questions).items() if times > 1]
    if twice:
        raise EvaluationError(f"the question set {path} has twice: {', '.join(twice)}")
    return read


def _complaint(error: "object", questions: list[object]) -> str:
    """``error`` of pydantic in words that name the question by its id."""
    assert isinstance(error, dict)
    place, *rest = error["loc"]
    if place == "questions" and rest:
        number, *field = rest
        question = questions[number]
        name = question.get("id") if isinstance(question, dict) else None
        place = f"question {name or f'number {number + 1}'}"
        place = f"{place}, {'.'.join(map(str, field))}" if field else place
    return f"{place}: {error['msg']}"
