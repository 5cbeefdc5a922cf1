"""``odabot evaluate``: puts a question set, keeps the answers, prints the paper's tables."""

import re
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.text import Text

from agent import Analyst
from bot import wiring
from bot.answer_json import Json
from bot.commands.running import begin
from bot.errors import SettingsError
from bot.evaluation.answers_file import opened, read_answers
from bot.evaluation.evaluated import Evaluated, whole_repeats
from bot.evaluation.grid_text import markdown, plain
from bot.evaluation.progress import telling
from bot.evaluation.question_set import QuestionSet, read_question_set
from bot.evaluation.record import Record
from bot.evaluation.report import grids
from bot.evaluation.run import Run, lake_digest, own_version, this_machine
from bot.evaluation.runner import Pair, Runner
from bot.evaluation.verdicts import VerdictsFile, read_verdicts
from bot.evaluation_wiring import Configuration
from bot.memory_sessions import MemorySessions
from bot.settings import Settings

BuildConfigured = Callable[[Settings, Configuration, Path], Analyst]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be evaluated, and how it is told."""

    questions: Path
    chosen: Configuration
    model: str = "none"
    """As its endpoint calls it."""
    repeats: int = 1
    out: Path | None = None
    """File of the answers; None: one in the data folder that is named after the run."""
    only: tuple[str, ...] = ()
    """Ids of questions; none: all."""
    verdicts: tuple[VerdictsFile, ...] = ()
    beside: tuple[tuple[Path, tuple[VerdictsFile, ...]], ...] = ()
    """Answers of other runs, each with its verdicts, that stand in the same tables."""
    as_markdown: bool = False
    must_answer: Callable[[], object] = lambda: None
    """Raises ModelError where the model is away."""


def verdicts_file(text: str) -> VerdictsFile:
    """``FILE``, or ``REPEAT=FILE`` where its verdicts do not say of which repeat they are."""
    repeat, _, path = text.partition("=")
    if path and repeat.isdecimal():
        return VerdictsFile(Path(path), int(repeat))
    return VerdictsFile(Path(text))


def with_verdicts(text: str) -> tuple[Path, tuple[VerdictsFile, ...]]:
    """``ANSWERS``, or ``ANSWERS=VERDICTS``."""
    answers, _, verdicts = text.partition("=")
    return Path(answers), (VerdictsFile(Path(verdicts)),) if verdicts else ()


def evaluate(
    wanted: Wanted, settings: Settings, build: BuildConfigured, out: TextIO, notes: Console
) -> None:
    """Put what was not put yet, then print the tables to ``out``.

    Raises one of ``bot.health.OPERATOR_ERRORS``.
    """
    begin(settings)
    lake = settings.retrieval.lake
    if lake is None:
        raise SettingsError("no lake is named: set ODABOT_RETRIEVAL__LAKE, or use --lake")
    questions = read_question_set(wanted.questions)
    # Before anything is put: a mistyped name must not be told of an hour later.
    others = [_evaluated(read_answers(file), verdicts) for file, verdicts in wanted.beside]
    for file in wanted.verdicts:
        read_verdicts(file.path, 1)
    run = _run_of(wanted, settings, questions, lake)
    path = wanted.out or settings.data / "evaluations" / _name_of(wanted)
    with opened(path, run) as answers:
        about: Json = {"run": run.model_dump(), "machine": this_machine()}
        runner = Runner(questions.only(wanted.only), answers, about, wanted.must_answer)
        if missing := runner.missing(wanted.repeats):
            try:
                _put(runner, missing, wanted, settings, build, notes)
            except KeyboardInterrupt:
                told = f"Interrupted: {len(answers.records)} answers are kept in {path}."
                notes.print(Text(f"{told} The same command goes on from there."), soft_wrap=True)
                raise
        records = answers.records
    notes.print(Text(f"Answers: {path}"), soft_wrap=True)
    for grid in grids((_evaluated(records, wanted.verdicts), *others)):
        out.write((markdown if wanted.as_markdown else plain)(grid) + "\n")


def _put(
    runner: Runner,
    missing: Sequence[Pair],
    wanted: Wanted,
    settings: Settings,
    build: BuildConfigured,
    notes: Console,
) -> None:
    total = wanted.repeats * len(runner.questions.questions)
    with tempfile.TemporaryDirectory(prefix="odabot-") as folder:
        with notes.status("Getting ready"):
            analyst = build(settings, wanted.chosen, Path(folder))
        with closing(analyst), telling(notes, total, total - len(missing)) as tells:
            tells.doing("warming up")
            analyst.warm_up()
            runner.put_all(
                missing,
                lambda: wiring.build_conversation(settings, analyst, MemorySessions()),
                Path(folder),
                tells,
            )


def _run_of(wanted: Wanted, settings: Settings, questions: QuestionSet, lake: Path) -> Run:
    return Run(
        config=wanted.chosen.config,
        steps=wanted.chosen.steps,
        model=wanted.model,
        questions=questions.digest,
        lake=lake_digest(lake),
        zone=settings.site.time_zone,
        version=own_version(),
    )


def _evaluated(records: tuple[Record, ...], files: tuple[VerdictsFile, ...]) -> Evaluated:
    last = max(r.repeat for r in records)
    records = whole_repeats(records)
    verdicts = {
        key: verdict
        for file in files
        for key, verdict in read_verdicts(file.path, file.repeat or last).items()
    }
    return Evaluated(records[0].run, records, verdicts if files else None)


def _name_of(wanted: Wanted) -> str:
    words = (wanted.questions.stem, wanted.chosen.config, wanted.chosen.steps, wanted.model)
    return re.sub(r"[^\w.-]+", "-", "-".join(words)) + ".jsonl"
