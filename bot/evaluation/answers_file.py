"""A file of answers, a JSON line each, that can be gone on with after any interruption."""

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from pydantic import ValidationError

from bot.errors import EvaluationError
from bot.evaluation.record import Record
from bot.evaluation.run import Run


class AnswersFile:
    """Grows by whole lines; a line that was cut off is taken away when the file is opened."""

    def __init__(self, path: Path, file: BinaryIO, records: tuple[Record, ...]) -> None:
        self.path = path
        self._file = file
        self._records = list(records)

    @property
    def records(self) -> tuple[Record, ...]:
        """All that stand in the file."""
        return tuple(self._records)

    @property
    def folder(self) -> Path:
        """Where the tables and pictures of the answers lie, beside the file."""
        return self.path.with_name(self.path.name + ".files")

    def has(self, question: str, repeat: int) -> bool:
        """Whether that question was answered in that repeat."""
        return any(r.id == question and r.repeat == repeat for r in self._records)

    def append(self, line: Mapping[str, object]) -> Record:
        """Write one answer, which is on the disk when this returns; as it will be read."""
        text = json.dumps(line)
        record = Record.model_validate_json(text)
        self._file.write(text.encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._records.append(record)
        return record


@contextmanager
def opened(path: Path, run: Run) -> Iterator[AnswersFile]:
    """The file ``path`` to write answers of ``run`` to, made where there is none.

    Raises EvaluationError where it holds something else, answers of another run, or is written to
    by another process.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        file = path.open("a+b")
    except OSError as error:
        raise EvaluationError(f"answers cannot be written to {path}: {error}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise EvaluationError(f"another run is writing to {path}") from error
        file.seek(0)
        whole, cut = _whole_lines(file.read())
        records = _records(path, whole)
        for record in records:
            if difference := run.difference(record.run):
                raise EvaluationError(
                    f"{path} holds answers of another run ({difference}): name another --out"
                )
        if cut.strip() and not cut.startswith(b"{"):
            raise EvaluationError(f"{path} is no file of answers")
        file.truncate(len(whole))
        yield AnswersFile(path, file, records)


def read_answers(path: Path) -> tuple[Record, ...]:
    """The answers in the file ``path``, all of one run; raises EvaluationError."""
    try:
        whole, _ = _whole_lines(path.read_bytes())
    except OSError as error:
        raise EvaluationError(f"the answers {path} cannot be read: {error}") from error
    records = _records(path, whole)
    if not records:
        raise EvaluationError(f"{path} holds no answer")
    if difference := next((d for r in records if (d := records[0].run.difference(r.run))), ""):
        raise EvaluationError(f"{path} holds answers of several runs: {difference}")
    return records


def _whole_lines(content: bytes) -> tuple[bytes, bytes]:
    """The lines that are finished, and the beginning of one that is not."""
    end = content.rfind(b"\n") + 1
    return content[:end], content[end:]


def _records(path: Path, content: bytes) -> tuple[Record, ...]:
    records = []
    for number, line in enumerate(content.splitlines(), 1):
        try:
            records.append(Record.model_validate_json(line))
        except ValidationError as error:
            wrong = error.errors()[0]
            where = ".".join(map(str, wrong["loc"]))
            raise EvaluationError(
                f"{path}, line {number} is no answer of odabot evaluate: {where} {wrong['msg']}"
            ) from error
    return tuple(records)
