"""Runs a query that passed the gate and was held to no request, for one baseline alone.

Nobody's question comes here: such a query conforms to the ontology and may still ask something
else than whoever asked meant. A contract of the imports lets only the baselines in.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from ontology.conformance import Rejection, check_query
from ontology.schema import Schema
from retrieval.execution import Execution
from retrieval.export import write_table
from retrieval.outcome import ResultTable
from retrieval.query_text import HEADER, Column, Role
from retrieval.scope import GraphScope


@dataclass(frozen=True, slots=True)
class Ran:
    """What a query gave, and how it ran."""

    table: ResultTable
    query: str
    how: str


RunsQueries = Callable[[str, GraphScope, Path], Ran | Rejection]


@dataclass(frozen=True, slots=True)
class UngroundedRun:
    """The gate, and the same graph that every query runs over."""

    schema: Schema
    execution: Execution

    def __call__(self, query: str, scope: GraphScope, folder: Path) -> Ran | Rejection:
        """The table of ``query`` below ``folder``, or why it does not conform.

        Our prefixes stand before it. Columns are named like its variables. Raises LakeError,
        ScopeTooLarge or GraphStoreError.
        """
        checked = check_query(f"{HEADER}\n{query}", self.schema)
        if isinstance(checked, Rejection):
            return checked
        result = self.execution.run(checked, scope)
        columns = tuple(Column(name, name, Role.VALUE) for name in result.frame.columns)
        table = write_table(result.frame, columns, "result", folder)
        return Ran(table, checked.text, result.how)
