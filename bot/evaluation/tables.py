"""The paper's tables I to IV of what was run."""

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from agent import Usage
from bot.evaluation.evaluated import NOT_GRADED, Evaluated, spread
from bot.evaluation.record import Record
from bot.evaluation.verdicts import Verdict


@dataclass(frozen=True, slots=True)
class Grid:
    """A table as text: the first column names, the others are set to the right."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


def success(runs: Sequence[Evaluated]) -> Grid:
    """Table I: which stages the end-to-end questions completed; a wrong answer counts as well."""
    rows = []
    for run in (each.only(lambda r: r.end_to_end) for each in runs):
        retrieved = run.count(lambda r: r.retrieved)
        analysed = run.count(lambda r: r.analysed)
        both = run.count(lambda r: r.retrieved and r.analysed)
        if run.records:
            counts = (spread(each) for each in (retrieved, analysed, both))
            rows.append((run.backend, run.run.model, *counts, str(len(run.ids))))
    return Grid(
        "I. End-to-end questions by the stages that were completed",
        ("Configuration", "LLM", "Data retrieval", "Code exec.", "Both", "of"),
        tuple(rows),
        (
            "Completed is also what was answered wrongly. Where no picture is wanted, code is"
            " completed with the data.",
        ),
    )


def by_question(run: Evaluated) -> Grid:
    """Table II: status, tokens with their shares, and retries of each end-to-end question."""
    of = run.only(lambda r: r.end_to_end)
    rows = tuple(_question_row(of, name) for name in of.ids)
    heads = ("Q", "Ended", "St.", "Tokens", "Coord%", "Data%", "Code%", "Out%", "Rt", "Calls", "s")
    notes = ["St.: C correct, H hallucinated, I incomplete, F failed, one letter a repeat."]
    total = of.graded(*Verdict)
    if total is not None:
        told = (f"{spread(of.graded(v) or ())} {v.value}" for v in Verdict)
        right = [r.tokens for r in of.records if of.verdict_on(r) is Verdict.CORRECT]
        notes.append(
            f"{', '.join(told)} of {len(of.ids)}; median tokens of a correct answer"
            f" {f'{median(right):,.0f}' if right else '-'}; median retries"
            f" {median(r.cost.retries for r in of.records):g}."
        )
    return Grid(f"II. {run.backend}, {run.run.model}", heads, rows, tuple(notes))


def _question_row(run: Evaluated, name: str) -> tuple[str, ...]:
    records = run.of(name)
    verdicts = [run.verdict_on(r) for r in records]
    letters = "".join(v.letter if v is not None else "-" for v in verdicts)
    return (
        name,
        "/".join(dict.fromkeys(r.status.value for r in records)),
        letters if any(verdicts) else NOT_GRADED,
        spread([r.tokens for r in records]),
        *_shares(records),
        spread([r.cost.retries for r in records]),
        spread([r.cost.total.llm_calls for r in records]),
        spread([r.seconds for r in records], "{:,.1f}"),
    )


def _shares(records: Sequence[Record]) -> tuple[str, ...]:
    """Percent of the tokens by component, and of those written; over all repeats together."""
    tokens = sum(r.tokens for r in records)
    if not tokens:
        return ("-",) * 4
    parts = (
        sum(_tokens(r.cost.coordinator) for r in records),
        sum(_tokens(r.cost.retrieval) for r in records),
        sum(_tokens(r.cost.code) for r in records),
        sum(r.cost.total.completion_tokens for r in records),
    )
    return tuple(f"{100 * part / tokens:.1f}" for part in parts)


def _tokens(usage: Usage) -> int:
    return usage.prompt_tokens + usage.completion_tokens


def retrieval(runs: Sequence[Evaluated]) -> Grid:
    """Table III: the retrieval questions by backend."""
    rows = []
    for run in (each.only(lambda r: not r.end_to_end) for each in runs):
        if not run.records:
            continue
        answered = spread(run.count(lambda r: r.answered))
        graded = [_or_not_graded(run.graded(v)) for v in (Verdict.CORRECT, Verdict.HALLUCINATED)]
        rows.append((run.backend, run.run.model, answered, *graded, str(len(run.ids))))
    heads = ("Data-retrieval backend", "LLM", "Answered", "Correct", "Hallucinated", "of")
    return Grid("III. Retrieval questions", heads, tuple(rows))


def _or_not_graded(counts: tuple[int, ...] | None) -> str:
    return NOT_GRADED if counts is None else spread(counts)


def components(run: Evaluated) -> Grid:
    """Table IV: how often each component did its part on the retrieval questions, in percent."""
    of = run.only(lambda r: not r.end_to_end)
    done = {
        "Entity extraction": of.count(lambda r: r.grounded or _is_right(of, r)),
        "SPARQL query generation": of.count(lambda r: bool(r.sparql)),
        "Virtual Knowledge Graph generation": of.count(lambda r: bool(r.evidence.execution)),
        "Final answer": of.graded(Verdict.CORRECT),
    }
    rows = tuple((name, _percent(of, counts)) for name, counts in done.items())
    return Grid(
        f"IV. Components on retrieval questions: {run.backend}, {run.run.model}",
        ("Component", "Accuracy [%]"),
        rows,
        (
            "Entities: the metrics that the set names were found. Query: one passed the check and"
            " ran. Graph: there was one to run it over. Answer: what the grader says.",
        ),
    )


def _is_right(run: Evaluated, record: Record) -> bool:
    return run.verdict_on(record) is Verdict.CORRECT


def _percent(run: Evaluated, counts: tuple[int, ...] | None) -> str:
    if counts is None:
        return NOT_GRADED
    return spread([100 * count / len(run.ids) for count in counts], "{:.1f}")
