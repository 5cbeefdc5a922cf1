"""One group of a query: topology, jobs and readings joined in the order that scans least."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import polars as pl
from rdflib import URIRef

from retrieval.lake import Lake
from retrieval.scope import GraphScope
from retrieval.topology_store import TopologyStore
from retrieval.virtual_attach import Attacher
from retrieval.virtual_expressions import condition
from retrieval.virtual_patterns import Star, Triple, sorted_patterns, variable, variables
from retrieval.virtual_rows import NotTranslatable, Rows, join, unit
from retrieval.virtual_scans import jobs
from retrieval.virtual_terms import rows_of
from retrieval.virtual_tree import names_in


@dataclass(frozen=True, slots=True)
class Sources:
    """Where rows come from: the lake, the store of the topology, and the graph's scope."""

    lake: Lake
    store: TopologyStore
    scope: GraphScope


def filtered(rows: Rows, conditions: Sequence[Any]) -> Rows:
    """The rows for which every one of ``conditions`` is true."""
    for test in conditions:
        rows = rows.filtered(condition(test, rows.columns).expr)
    return rows


class GroupJoin:
    """Joins the patterns and operands of one group."""

    def __init__(
        self,
        sources: Sources,
        triples: Sequence[Triple],
        operands: Sequence[Rows],
        conditions: Sequence[Any],
        wanted: set[str],
    ) -> None:
        self._sources = sources
        patterns = sorted_patterns(triples, sources.scope.jobs)
        self._readings = [star for star in patterns.stars if not star.is_job]
        self._jobs = [star for star in patterns.stars if star.is_job]
        self._topology = connected(patterns.topology)
        self._operands = operands
        self._conditions = list(conditions)
        self._wanted = wanted | names_in(self._conditions) | self._shared()

    def rows(self) -> Rows:
        """All solutions, filtered by every condition whose variables the group binds."""
        metrics = self._sources.scope.metrics
        parts = [
            self._sources.store.rows(triples, self._wanted, metrics) for triples in self._topology
        ]
        parts += self._operands
        parts += [self._job_rows(star) for star in self._jobs]
        attacher = Attacher(self._sources.lake, self._sources.store, self._sources.scope)
        large = [part for part in parts if not part.compact]
        # Sensors are looked up while there are few rows of them.
        parts = [part for part in parts if part.compact]
        parts += self._unbound_sensors(parts)
        parts = self._merged(parts)
        for number, star in enumerate(self._readings):
            name = _sensor_column(star, number)
            place = next((i for i, part in enumerate(parts) if name in part.columns), None)
            if place is None:
                raise NotTranslatable(f"?{name} is not bound")
            parts[place] = attacher.keyed(parts[place], name, number)
        for number, star in enumerate(self._readings):
            name = _sensor_column(star, number)
            place = next(i for i, part in enumerate(parts) if name in part.columns)
            attached = attacher.attached(parts[place], star, number, self._wanted, self._conditions)
            parts[place] = self._filtered(attached)
            parts = self._merged(parts)
        rows = unit()
        for part in self._merged([*parts, *large]):
            rows = join(rows, part)
        return self._filtered(rows).narrowed(set(rows.columns))

    def leftover(self) -> list[Any]:
        """The conditions that no solution of the group can decide."""
        return self._conditions

    def _shared(self) -> set[str]:
        """Variables in more than one place, on which rows are joined or compared."""
        seen: Counter[str] = Counter()
        for star in (*self._readings, *self._jobs):
            terms = [star.subject, *star.sensors, *star.nodes, *(o for _, o in star.properties)]
            seen.update(name for term in terms if (name := variable(term)))
        for triples in self._topology:
            seen.update(variables(triples))
        for operand in self._operands:
            seen.update(set(operand.columns))
        return {name for name, times in seen.items() if times > 1}

    def _job_rows(self, star: Star) -> Rows:
        found = jobs(self._sources.lake, star, self._wanted) if self._sources.scope.jobs else None
        if found is None:
            return _nothing(star.names & self._wanted)
        decided = [c for c in self._conditions if names_in(c) and names_in(c) <= set(found.columns)]
        found = filtered(found, decided)
        self._conditions = [c for c in self._conditions if c not in decided]
        if self._readings:
            frame = found.frame.collect(engine="streaming")
            return replace(found, frame=frame.lazy(), compact=True)
        return found

    def _unbound_sensors(self, parts: Sequence[Rows]) -> list[Rows]:
        bound = {name for part in parts for name in part.columns}
        added: list[Rows] = []
        for number, star in enumerate(self._readings):
            name = _sensor_column(star, number)
            if name in bound:
                continue
            bound.add(name)
            tables = [self._sources.store.sensors(m) for m in self._sources.scope.metrics]
            iris = [iri for table in tables for iri in table["sensor"].cast(pl.String)]
            if star.sensors and not variable(star.sensors[0]):
                iris = [iri for iri in iris if iri == str(star.sensors[0])]
            added.append(sensor_rows(name, iris))
        return added

    def _merged(self, parts: Sequence[Rows]) -> list[Rows]:
        """Parts joined as long as two share a variable; compact ones among themselves first."""
        pending = sorted(parts, key=lambda part: not part.compact)
        done: list[Rows] = []
        while pending:
            part = pending.pop(0)
            partner = next(
                (other for other in pending if set(other.columns) & set(part.columns)), None
            )
            if partner is None:
                done.append(self._filtered(part))
                continue
            pending.remove(partner)
            both = join(part, partner)
            if both.compact:
                both = self._filtered(both).collected()
            pending.insert(0, both)
        return done

    def _filtered(self, rows: Rows) -> Rows:
        decided = [c for c in self._conditions if names_in(c) and names_in(c) <= set(rows.columns)]
        self._conditions = [c for c in self._conditions if c not in decided]
        return filtered(rows, decided)


def sensor_rows(name: str, iris: Sequence[str]) -> Rows:
    """One row a sensor, with its IRI in ``name``."""
    return rows_of({name: [URIRef(iri) for iri in iris]}, len(iris))


def _sensor_column(star: Star, number: int) -> str:
    names = [name for term in star.sensors if (name := variable(term))]
    if len(star.sensors) > 1:
        raise NotTranslatable("a reading of more than one sensor")
    return names[0] if names else f"_sensor{number}"


def _nothing(names: set[str]) -> Rows:
    return rows_of({name: [] for name in sorted(names)}, 0)


def connected(triples: Sequence[Triple]) -> list[list[Triple]]:
    """``triples`` in groups that share no variable with each other."""
    groups: list[tuple[set[str], list[Triple]]] = []
    for triple in triples:
        names = variables([triple])
        touching = [group for group in groups if group[0] & names]
        groups = [group for group in groups if not group[0] & names]
        merged = (
            {*names, *(n for g in touching for n in g[0])},
            [t for g in touching for t in g[1]],
        )
        merged[1].append(triple)
        groups.append(merged)
    return [group for _, group in groups]
