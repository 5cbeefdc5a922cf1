"""One run with its answers and verdicts, and the words and numbers that tables say of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

from bot.evaluation.record import Record
from bot.evaluation.run import Run
from bot.evaluation.verdicts import Verdict, Verdicts

NOT_GRADED = "not graded"
BACKENDS = {
    "nsa": "EXASAGE Reflect Agent",
    "exasage": "EXASAGE Query Tool",
    "datalake": "Datalake Query Tool",
}
STEPS = {"open": "symbolic first", "every": "every step by the model"}


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The answers of one run, in all repeats; without ``verdicts`` they are not graded."""

    run: Run
    records: tuple[Record, ...]
    verdicts: Verdicts | None = None

    @property
    def backend(self) -> str:
        """What stood behind the tools of retrieval; of ours also how the model was used."""
        name = BACKENDS[self.run.config]
        return f"{name}, {STEPS[self.run.steps]}" if self.run.config == "nsa" else name

    @property
    def repeats(self) -> tuple[int, ...]:
        """The numbers of the repeats."""
        return tuple(sorted({r.repeat for r in self.records}))

    @property
    def ids(self) -> tuple[str, ...]:
        """The questions, in alphabetical order."""
        return tuple(sorted({r.id for r in self.records}))

    def only(self, wanted: Callable[[Record], bool]) -> "Evaluated":
        """The same run with the answers that are ``wanted``."""
        return Evaluated(self.run, tuple(r for r in self.records if wanted(r)), self.verdicts)

    def of(self, name: str) -> tuple[Record, ...]:
        """The answers to one question, repeat by repeat."""
        return tuple(sorted((r for r in self.records if r.id == name), key=lambda r: r.repeat))

    def verdict_on(self, record: Record) -> Verdict | None:
        """What a grader said of it; None where none did."""
        return None if self.verdicts is None else self.verdicts.get((record.id, record.repeat))

    def count(self, wanted: Callable[[Record], bool]) -> tuple[int, ...]:
        """How many answers are ``wanted``, repeat by repeat."""
        return tuple(
            sum(wanted(r) for r in self.records if r.repeat == repeat) for repeat in self.repeats
        )

    def graded(self, *verdicts: Verdict) -> tuple[int, ...] | None:
        """How many answers have one of ``verdicts``, by repeat; None where any was not graded."""
        if any(self.verdict_on(r) is None for r in self.records):
            return None
        return self.count(lambda r: self.verdict_on(r) in verdicts)


def whole_repeats(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """Those of ``records`` whose repeat has an answer to every question; all, where none has.

    What was interrupted in the middle must not look like a repeat that answered less.
    """
    asked = {r.id for r in records}
    whole = {
        n for n in {r.repeat for r in records} if {r.id for r in records if r.repeat == n} == asked
    }
    return tuple(r for r in records if r.repeat in whole) if whole else records


def spread(values: Sequence[float], form: str = "{:,.0f}") -> str:
    """The median of ``values``, with the least and the greatest where they differ."""
    if not values:
        return "-"
    middle, least, most = (form.format(v) for v in (median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least} to {most})"
