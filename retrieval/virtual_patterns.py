"""Triple patterns sorted into readings, jobs, and what the store of the topology answers."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rdflib import BNode, Literal, URIRef, Variable
from rdflib.paths import AlternativePath, InvPath, MulPath, NegatedPath, Path, SequencePath

from ontology.vocabulary import HAS_READING, JOB, ODA, RDF_TYPE, RUNS_ON
from retrieval.mapping import JOB_ONLY, JOB_PROPERTIES, READING_CLASSES, READING_PROPERTIES
from retrieval.virtual_rows import NotTranslatable

Triple = tuple[Any, Any, Any]
_MIXED_CLASSES = {ODA + "LogicalEntity"}
"""Classes that hold jobs as well as things of the topology."""


@dataclass(slots=True)
class Star:
    """All patterns about one reading or one job."""

    subject: Any
    is_job: bool
    sensors: list[Any] = field(default_factory=list)
    """Whose reading it is; more than one pattern must agree."""
    properties: list[tuple[str, Any]] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)
    """What a job runs on, one for each pattern."""
    classes: set[str] = field(default_factory=set)

    @property
    def names(self) -> set[str]:
        """The variables of the star."""
        terms = [self.subject, *self.sensors, *self.nodes, *(o for _, o in self.properties)]
        return {name for term in terms if (name := variable(term))}


@dataclass(frozen=True, slots=True)
class Patterns:
    """One basic graph pattern, sorted."""

    stars: tuple[Star, ...]
    topology: tuple[Triple, ...]


def variable(term: Any) -> str:
    """The name of a variable or blank node as a column, or an empty text."""
    if isinstance(term, Variable):
        return str(term)
    if isinstance(term, BNode):
        return "_b" + "".join(c if c.isalnum() else "_" for c in str(term))
    return ""


def variables(triples: Iterable[Triple]) -> set[str]:
    """All variables of ``triples``."""
    return {name for triple in triples for term in triple if (name := variable(term))}


def leads_to_readings(prop: Any) -> bool:
    """Whether a property, or a path over it, has to do with readings."""
    if isinstance(prop, NegatedPath | Variable | BNode):
        return True
    if isinstance(prop, Path):
        return any(leads_to_readings(part) for part in _parts(prop))
    return str(prop) in READING_PROPERTIES | {HAS_READING, ODA + "isReadingOf"}


def sorted_patterns(triples: Iterable[Triple], with_jobs: bool) -> Patterns:
    """The stars and the rest of a basic graph pattern; raises NotTranslatable.

    ``with_jobs`` says whether the graph holds jobs at all.
    """
    plain = [step for triple in triples for step in _steps(triple, _Fresh())]
    readings = _reading_subjects(plain)
    jobs = {s for s, p, o in plain if str(p) in JOB_ONLY or _is_type(p, o, {JOB})}
    if readings & jobs:
        raise NotTranslatable("something that is a reading and a job")
    stars = {subject: Star(subject, subject in jobs) for subject in [*readings, *jobs]}
    topology = []
    for s, p, o in plain:
        if str(p) == HAS_READING:
            stars[o].sensors.append(s)
        elif s in stars:
            _add(stars[s], p, o)
        elif o in stars:
            raise NotTranslatable(f"{p} leads to a reading or a job")
        else:
            _check(s, p, o, plain, with_jobs)
            topology.append((s, p, o))
    return Patterns(tuple(stars.values()), tuple(topology))


def _reading_subjects(plain: list[Triple]) -> set[Any]:
    return {o for _, p, o in plain if str(p) == HAS_READING} | {
        s for s, p, o in plain if str(p) in READING_PROPERTIES or _is_type(p, o, READING_CLASSES)
    }


def _is_type(prop: Any, value: Any, classes: Iterable[str]) -> bool:
    return str(prop) == RDF_TYPE and str(value) in classes


def _add(star: Star, prop: Any, value: Any) -> None:
    name = str(prop)
    if name == RDF_TYPE:
        if not isinstance(value, URIRef):
            raise NotTranslatable("a variable class of a reading or job")
        star.classes.add(str(value))
    elif star.is_job and name == RUNS_ON:
        star.nodes.append(value)
    elif name in (JOB_PROPERTIES if star.is_job else READING_PROPERTIES):
        star.properties.append((name, value))
    else:
        raise NotTranslatable(f"{name} of a reading or job")


def _check(s: Any, p: Any, o: Any, plain: list[Triple], with_jobs: bool) -> None:
    if isinstance(s, Literal):
        raise NotTranslatable("a literal as subject")
    if isinstance(p, Path):
        if any(str(part) in JOB_ONLY | READING_PROPERTIES | {HAS_READING} for part in _parts(p)):
            raise NotTranslatable("a property path over readings or jobs")
        if _may_be_empty(p) and not any(_is_placed(end, plain) for end in (s, o)):
            raise NotTranslatable("a path of no steps from anything that the graph holds")
        return
    if not isinstance(p, URIRef):
        raise NotTranslatable("a variable property")
    if str(p) == RDF_TYPE:
        if not isinstance(o, URIRef):
            raise NotTranslatable("a variable class")
        if with_jobs and str(o) in _MIXED_CLASSES:
            raise NotTranslatable(f"{o} may be a job")
    if with_jobs and str(p) in JOB_PROPERTIES:
        typed = any(t == s and str(q) == RDF_TYPE for t, q, _ in plain)
        if not typed:
            raise NotTranslatable(f"{p} may be a job's")
    if with_jobs and _is_type(p, o, {ODA + "User"}):
        raise NotTranslatable("users are known by their jobs only")


def _may_be_empty(path: Any) -> bool:
    if isinstance(path, MulPath):
        return path.mod in "*?" or _may_be_empty(path.path)
    if isinstance(path, SequencePath):
        return all(_may_be_empty(part) for part in path.args)
    if isinstance(path, AlternativePath):
        return any(_may_be_empty(part) for part in path.args)
    return isinstance(path, InvPath) and _may_be_empty(path.arg)


def _is_placed(end: Any, plain: list[Triple]) -> bool:
    """Whether ``end`` is written out, or some other pattern holds it to the topology."""
    if not variable(end):
        return True
    return any(end in (s, o) for s, p, o in plain if isinstance(p, URIRef))


class _Fresh:
    """Makes variables that no query has."""

    _numbers = count()

    def variable(self) -> BNode:
        return BNode(f"step{next(self._numbers)}")


_SWAPPED = {
    ODA + "isReadingOf": HAS_READING,
    ODA + "runs": RUNS_ON,
}
"""Inverse properties of readings and jobs, with the one that is mapped."""


def _steps(triple: Triple, fresh: _Fresh) -> list[Triple]:
    """``triple`` with sequences written out and inverses turned round."""
    s, p, o = triple
    if isinstance(p, SequencePath):
        steps: list[Triple] = []
        here = s
        for number, part in enumerate(p.args, 1):
            there = o if number == len(p.args) else fresh.variable()
            steps += _steps((here, part, there), fresh)
            here = there
        return steps
    if isinstance(p, InvPath):
        return _steps((o, p.arg, s), fresh)
    if isinstance(p, NegatedPath):
        raise NotTranslatable("a negated property set")
    if str(p) in _SWAPPED:
        return [(o, URIRef(_SWAPPED[str(p)]), s)]
    return [(s, p, o)]


def _parts(path: Any) -> list[Any]:
    if isinstance(path, AlternativePath | SequencePath):
        return [part for arg in path.args for part in _parts(arg)]
    if isinstance(path, MulPath):
        return _parts(path.path)
    if isinstance(path, InvPath):
        return _parts(path.arg)
    if isinstance(path, NegatedPath):
        raise NotTranslatable("a negated property set")
    return [path]
