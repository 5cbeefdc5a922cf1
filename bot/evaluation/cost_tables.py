"""Beside the paper's tables: what answers cost, and how far repeats differ."""

from collections.abc import Callable, Sequence
from statistics import median

from bot.evaluation.evaluated import NOT_GRADED, Evaluated
from bot.evaluation.record import Record
from bot.evaluation.tables import Grid
from bot.evaluation.verdicts import Verdict

_KINDS: tuple[tuple[str, Callable[[Record], bool]], ...] = (
    ("end to end", lambda r: r.end_to_end),
    ("retrieval", lambda r: not r.end_to_end),
)


def costs(runs: Sequence[Evaluated]) -> Grid:
    """Tokens, calls and seconds of a question, by configuration and kind of question."""
    rows = []
    for run in runs:
        for kind, wanted in _KINDS:
            records = run.only(wanted).records
            if records:
                rows.append((f"{run.backend}, {kind}", run.run.model, *_cost_cells(records)))
    return Grid(
        "Cost of a question, all repeats together",
        (
            "Configuration",
            "LLM",
            "Median tokens",
            "Most",
            "Median calls",
            "Most",
            "Failed dispatches",
            "Median s",
            "Longest s",
        ),
        tuple(rows),
        tuple(dict.fromkeys(_where(run) for run in runs if run.records)),
    )


def _cost_cells(records: Sequence[Record]) -> tuple[str, ...]:
    tokens = [r.tokens for r in records]
    calls = [r.cost.total.llm_calls for r in records]
    seconds = [r.seconds for r in records]
    return (
        f"{median(tokens):,.0f}",
        f"{max(tokens):,}",
        f"{median(calls):g}",
        f"{max(calls)}",
        f"{sum(r.cost.retries for r in records)}",
        f"{median(seconds):.1f}",
        f"{max(seconds):.1f}",
    )


def _where(run: Evaluated) -> str:
    days = sorted({r.asked_at.date() for r in run.records})
    when = str(days[0]) if len(days) == 1 else f"{days[0]} to {days[-1]}"
    machines = ", ".join(dict.fromkeys(r.machine for r in run.records if r.machine))
    return f"{run.backend}, {run.run.model}: odabot {run.run.version}, {when}, {machines}."


def repeats(runs: Sequence[Evaluated]) -> Grid | None:
    """Least, median and greatest over the repeats; None where nothing was repeated."""
    repeated = [run for run in runs if len(run.repeats) > 1]
    if not repeated:
        return None
    rows = [row for run in repeated for row in _spread_rows(run)]
    return Grid(
        "Spread over the repeats",
        ("What", "LLM", "Repeats", "Least", "Median", "Greatest"),
        tuple(rows),
        tuple(_agreement(run) for run in repeated),
    )


def _spread_rows(run: Evaluated) -> list[tuple[str, ...]]:
    by_repeat = [[r for r in run.records if r.repeat == n] for n in run.repeats]
    measures: dict[str, Sequence[float] | None] = {
        "answered": run.count(lambda r: r.answered),
        "correct": run.graded(Verdict.CORRECT),
        "tokens in all": [sum(r.tokens for r in records) for records in by_repeat],
        "seconds in all": [sum(r.seconds for r in records) for records in by_repeat],
    }
    return [
        (f"{run.backend}: {name}", run.run.model, str(len(run.repeats)), *_least_to_most(values))
        for name, values in measures.items()
    ]


def _least_to_most(values: Sequence[float] | None) -> tuple[str, str, str]:
    if values is None:
        return NOT_GRADED, "", ""
    return f"{min(values):,.0f}", f"{median(values):,.0f}", f"{max(values):,.0f}"


def _agreement(run: Evaluated) -> str:
    """How many questions ended alike, with the same numbers told, in all repeats."""
    several = [found for name in run.ids if len(found := run.of(name)) > 1]
    alike = sum(len({r.finding for r in found}) == 1 for found in several)
    return (
        f"{run.backend}, {run.run.model}: {alike} of {len(several)} questions ended alike and"
        " with the same numbers in all repeats."
    )
