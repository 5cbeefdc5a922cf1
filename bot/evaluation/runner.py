"""Puts the questions of a set that were not put yet, one after the other."""

import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from bot.answer_json import Json
from bot.conversation import Conversation
from bot.evaluation.answers_file import AnswersFile
from bot.evaluation.progress import Tells
from bot.evaluation.putting import line_of, put
from bot.evaluation.question_set import PutQuestion, QuestionSet

Pair = tuple[PutQuestion, int]
"""A question, and in which repeat it is put."""


@dataclass(frozen=True, slots=True)
class Runner:
    """Each answer is in the file before the next question is put."""

    questions: QuestionSet
    answers: AnswersFile
    about: Json
    """What every line tells of the run."""
    must_answer: Callable[[], object] = lambda: None
    """Raises where the model is away: an answer that it had no part in must not be kept."""

    def missing(self, repeats: int) -> tuple[Pair, ...]:
        """What is still to be put, whole repeats one after the other."""
        pairs = ((q, n) for n in range(1, repeats + 1) for q in self.questions.questions)
        return tuple((q, n) for q, n in pairs if not self.answers.has(q.id, n))

    def put_all(
        self,
        pairs: Sequence[Pair],
        conversation: Callable[[], Conversation],
        made: Path,
        tells: Tells,
    ) -> None:
        """Put ``pairs``, each in a new ``conversation`` whose files are below ``made``.

        Raises what ``must_answer`` raises; the question that was put then is not kept.
        """
        for question, repeat in pairs:
            tells.doing(question.id)
            now = self.questions.moment_of(question)
            said = put(question, now, conversation(), _noting(question, tells))
            self.must_answer()
            line = line_of(question, repeat, said, self.answers.folder)
            tells.done(self.answers.append({**line, **self.about}))
            # Answers leave more files than are kept.
            _empty(made)


def _noting(question: PutQuestion, tells: Tells) -> Callable[[str], None]:
    return lambda text: tells.doing(f"{question.id}: {text}")


def _empty(folder: Path) -> None:
    for path in folder.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
