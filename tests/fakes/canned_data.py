"""A stand-in for the data service: says what a question amounts to, and what came of a request."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from retrieval.asking import Asking
from retrieval.data_request import DataRequest
from retrieval.data_scope import DataScope
from retrieval.data_service import DataService
from retrieval.outcome import Retrieval, Retrieved
from retrieval.query_watch import UNWATCHED, QueryWatch
from retrieval.understanding import NotUnderstood, Unclear, Understanding, Understood, Why
from retrieval.written_request import WrittenRequest

_UNKNOWN = NotUnderstood(Why.NOT_UNDERSTOOD, "I did not understand that.")


class CannedData:
    """Knows the questions it was given; a question with settled choices under ``text#choice``."""

    def __init__(
        self,
        understood: Mapping[str, Understanding],
        outcome: Retrieval | Unclear | NotUnderstood | Exception | None = None,
    ) -> None:
        self._understood = understood
        self._outcome = outcome
        self.asked: list[Asking] = []
        self.requests: list[DataRequest] = []

    @property
    def service(self) -> DataService:
        """Itself, as what it stands in for."""
        return cast(DataService, self)

    def within(self, scope: DataScope) -> DataService:
        assert scope.is_whole
        return self.service

    def read(self, asking: Asking) -> Understanding:
        self.asked.append(asking)
        choices = "".join(f"#{choice}" for choice in asking.settled.values())
        found = self._understood.get(f"{asking.text}{choices}", _UNKNOWN)
        return replace(found, chart=asking.chart) if isinstance(found, Understood) else found

    def is_time(self, text: str) -> bool:
        return text == "yesterday"

    def run(
        self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED
    ) -> Retrieval | Unclear | NotUnderstood:
        self.requests.append(request)
        assert self._outcome is not None
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        return results[-1]


def understood(request: DataRequest, *notes: str) -> Understood:
    """A question that was read as ``request``."""
    assert not isinstance(request, WrittenRequest)
    return Understood(request, notes)
