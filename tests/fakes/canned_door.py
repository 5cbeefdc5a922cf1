"""A data service whose door is the real one; what a query that was let in gives is told to it."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

from ontology.conformance import CheckedQuery, Rejection
from ontology.schema_loader import load_schema
from retrieval.data_request import DataRequest
from retrieval.data_service import DataService
from retrieval.outcome import NoData, Retrieved
from retrieval.query_watch import UNWATCHED, QueryWatch
from retrieval.written_audit import admitted
from retrieval.written_request import WrittenRequest


class CannedDoor:
    """Counts what was run: nothing else ever reaches a lake."""

    def __init__(self, *outcomes: Retrieved | NoData | Exception) -> None:
        self.source = SimpleNamespace(schema=load_schema())
        self.ran: list[WrittenRequest] = []
        self._outcomes = list(outcomes)

    @property
    def service(self) -> DataService:
        """Itself, as what it stands in for."""
        return cast(DataService, self)

    def admitted(self, request: WrittenRequest) -> CheckedQuery | Rejection:
        return admitted(request, self.source.schema)

    def run(
        self, request: DataRequest, folder: Path, watch: QueryWatch = UNWATCHED
    ) -> Retrieved | NoData:
        assert isinstance(request, WrittenRequest)
        assert isinstance(self.admitted(request), CheckedQuery)
        self.ran.append(request)
        outcome = self._outcomes.pop(0)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def side_by_side(self, results: Sequence[Retrieved], folder: Path) -> Retrieved:
        return results[-1]
