"""Puts one question of a set, with the replies to what is asked back, and makes its line."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from agent import Cost, NeedsClarification
from bot.answer_json import Json, answer_json
from bot.conversation import Conversation
from bot.evaluation.question_set import PutQuestion
from bot.evaluation.replies import MOST_REPLIES, reply_to
from bot.messages import IncomingMessage, Thread
from bot.outcome import Outcome

_AUTHOR = "evaluation"


@dataclass(frozen=True, slots=True)
class Said:
    """One turn: what was said, and what came of it."""

    text: str
    outcome: Outcome


def put(
    question: PutQuestion, now: datetime, conversation: Conversation, note: Callable[[str], None]
) -> tuple[Said, ...]:
    """All turns of ``question`` in a thread of its own."""
    thread = Thread("command", "evaluate", uuid4().hex)
    said: list[Said] = []
    to_say, replies = list(question.turns), 0
    while to_say:
        text = to_say.pop(0)
        message = IncomingMessage(thread, uuid4().hex, _AUTHOR, text, now, addressed=True)
        outcome = conversation.outcome_of(message, note)
        said.append(Said(text, outcome))
        if isinstance(outcome.answer, NeedsClarification) and replies < MOST_REPLIES:
            reply = reply_to(question, [choice.label for choice in outcome.answer.choices])
            if reply is not None:
                replies += 1
                to_say.insert(0, reply)
    return tuple(said)


def line_of(question: PutQuestion, repeat: int, said: Sequence[Said], folder: Path) -> Json:
    """The line of an answers file: the last answer, all turns, and what they cost together.

    Tables and pictures are copied to ``folder``, which lies beside the file.
    """
    answers = [answer_json(each.outcome) for each in said]
    for number, answer in enumerate(answers):
        _keep(answer, folder, f"{question.id}-{repeat}-{number}")
    cost = sum((each.outcome.answer.cost for each in said), Cost())
    turns = [
        {"question": each.text, "answer": answer}
        for each, answer in zip(said, answers, strict=True)
    ]
    seconds = round(sum(each.outcome.seconds for each in said), 3)
    return {
        **answers[-1],
        "id": question.id,
        "repeat": repeat,
        "asked_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "put": question.model_dump(include={"kind", "artefact", "sources"}),
        "turns": turns,
        "usage": asdict(cost.total),
        "cost": asdict(cost),
        "output_share": output_share(cost),
        "seconds": seconds,
    }


def output_share(cost: Cost) -> float | None:
    """Tokens written of all tokens; None where there were none."""
    total = cost.total
    tokens = total.prompt_tokens + total.completion_tokens
    return round(total.completion_tokens / tokens, 4) if tokens else None


def _keep(answer: Json, folder: Path, stem: str) -> None:
    """Copy the files of ``answer`` to ``folder``; their paths become relative to its parent."""
    for key, place, letter in (("tables", "csv", "t"), ("artifacts", "path", "a")):
        files = answer[key]
        assert isinstance(files, list)
        for number, file in enumerate(files):
            source = Path(file[place])
            name = f"{stem}-{letter}{number}{source.suffix}"
            folder.mkdir(exist_ok=True)
            shutil.copyfile(source, folder / name)
            file[place] = f"{folder.name}/{name}"
