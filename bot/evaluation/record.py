"""One line of a file of answers, as far as the tables need it."""

import re
from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from agent import Cost
from bot.evaluation.question_set import END_TO_END, Kind
from bot.evaluation.run import Run
from bot.messages import Status

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


class _Read(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class MetricName(_Read):
    """A metric that an answer rests on."""

    plugin: str
    metric: str


class _Evidence(_Read):
    execution: str = ""


class Put(_Read):
    """What of the question the tables depend on."""

    kind: Kind
    artefact: str | None = None
    sources: tuple[str, ...] = ()


class Record(_Read):
    """The answer to one question in one repeat, and what it cost."""

    id: str
    repeat: Annotated[int, Field(ge=1)]
    asked_at: datetime
    put: Put
    run: Run
    machine: str = ""
    status: Status
    summary: str
    metrics: tuple[MetricName, ...] = ()
    sparql: tuple[str, ...] = ()
    tables: tuple[object, ...] = ()
    artifacts: tuple[object, ...] = ()
    evidence: _Evidence = _Evidence()
    cost: Cost
    seconds: float

    @property
    def end_to_end(self) -> bool:
        """Whether retrieval and analysis were both wanted."""
        return self.put.kind == END_TO_END

    @property
    def answered(self) -> bool:
        """Whether there was an answer, right or wrong."""
        return self.status is Status.COMPLETED

    @property
    def retrieved(self) -> bool:
        """Whether data were retrieved and an answer made of them, right or wrong."""
        return self.answered and bool(self.sparql or self.tables or self.metrics)

    @property
    def analysed(self) -> bool:
        """Whether the picture was made that is wanted; where none is, whether data were there."""
        return bool(self.artifacts) if self.put.artefact else self.retrieved

    @property
    def grounded(self) -> bool:
        """Whether all metrics that the question needs were found, as far as the set names them."""
        found = {f"{m.plugin}/{m.metric}" for m in self.metrics}
        readings = {s for s in self.put.sources if "/" in s and not s.startswith("job_table/")}
        return readings <= found if readings else bool(self.sparql)

    @property
    def tokens(self) -> int:
        """Tokens sent and written."""
        return self.cost.total.prompt_tokens + self.cost.total.completion_tokens

    @property
    def finding(self) -> tuple[str, tuple[str, ...]]:
        """How it ended and the numbers it told: the same where two repeats agree."""
        return self.status.value, tuple(sorted(_NUMBER.findall(self.summary)))
