"""Made-up answers of a run, as lines of a file or as records."""

from typing import Any

from bot.evaluation.record import Record
from bot.evaluation.run import Run

RUN = Run(
    config="nsa",
    steps="open",
    model="none",
    questions="q",
    lake="l",
    zone="UTC",
    version="0.1.0",
)


def a_line(name: str = "Q01", repeat: int = 1, run: Run = RUN, **changed: Any) -> dict[str, Any]:
    """What stands in a file of answers for one question."""
    kind = "end_to_end" if name.startswith("Q") else "retrieval"
    return {
        "id": name,
        "repeat": repeat,
        "asked_at": "2026-12-01T22:00:00+00:00",
        "put": {"kind": kind, "artefact": None, "sources": []},
        "run": run.model_dump(),
        "machine": "2 x processor",
        "status": "completed",
        "summary": "It was 5 W.",
        "metrics": [],
        "sparql": ["SELECT"],
        "tables": [],
        "artifacts": [],
        "evidence": {"execution": "graph"},
        "cost": a_cost(),
        "seconds": 1.0,
        **changed,
    }


def a_record(name: str = "Q01", repeat: int = 1, run: Run = RUN, **changed: Any) -> Record:
    return Record.model_validate(a_line(name, repeat, run, **changed))


def a_cost(
    coordinator: tuple[int, int] = (0, 0),
    retrieval: tuple[int, int] = (0, 0),
    code: tuple[int, int] = (0, 0),
    retries: int = 0,
) -> dict[str, Any]:
    """Tokens sent and written by component."""
    parts = {"coordinator": coordinator, "retrieval": retrieval, "code": code}
    usage = {
        name: {"llm_calls": int(sent > 0), "prompt_tokens": sent, "completion_tokens": written}
        for name, (sent, written) in parts.items()
    }
    return {**usage, "retries": retries}
