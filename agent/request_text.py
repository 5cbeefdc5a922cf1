"""What a request over readings is about, in words: of what, of whom, under which bound."""

from agent.number_text import number_text, with_unit
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Comparison, Condition, Group, Measure, Owners, Wanted
from retrieval.request import EntityKind

_COMPARED = {
    Comparison.ABOVE: "above",
    Comparison.AT_LEAST: "at least",
    Comparison.BELOW: "below",
    Comparison.AT_MOST: "at most",
    Comparison.EQUAL: "equal to",
    Comparison.UNEQUAL: "other than",
}
_PLURALS = {
    EntityKind.NODE: "compute nodes",
    EntityKind.CRAC: "CRAC units",
    EntityKind.PANEL: "cooling panels",
    EntityKind.PARTITION: "partitions",
    EntityKind.METER: "meters",
    EntityKind.RACK: "racks",
}


def bound_text(comparison: Comparison, bound: float, unit: str) -> str:
    """A bound in words: ``above 28 °C``."""
    return f"{_COMPARED[comparison]} {with_unit(bound, unit)}"


def scope_text(owners: Owners) -> str:
    """Whose readings: ``of node 900``, ``of racks 28, 29``, ``of all compute nodes``."""
    if owners.names:
        noun = "CRAC" if owners.kind is EntityKind.CRAC else owners.kind.value
        if len(owners.names) > 12:
            return f" of {number_text(len(owners.names))} {_PLURALS.get(owners.kind, noun)}"
        plural = "s" if len(owners.names) > 1 else ""
        return f" of {noun}{plural} {', '.join(owners.names)}"
    if owners.racks:
        plural = "s" if len(owners.racks) > 1 else ""
        return f" of the nodes of rack{plural} {', '.join(owners.racks)}"
    if owners.kind in _PLURALS and owners.kind is not EntityKind.METER:
        return f" of all {_PLURALS[owners.kind]}"
    return ""


def subject_text(request: ReadingsRequest) -> str:
    """What was computed of whom, and over which samples."""
    labels = list(dict.fromkeys(q.label for q in request.quantities))
    text = " and ".join(capital(label) if i == 0 else label for i, label in enumerate(labels))
    scopes = list(dict.fromkeys(scope_text(owner) for owner in request.owners))
    text += scopes[0] if len(scopes) == 1 else ""
    if request.during is not None:
        ids = request.during.ids
        jobs = f"job{'s' if len(ids) > 1 else ''} {', '.join(str(i) for i in ids)}"
        text += f" while {jobs} ran" if ids else f" while jobs{_of_filter(request)} ran on them"
    condition = request.condition
    if condition is not None:
        flagged = {Measure.DURATION, Measure.SHARE} & set(request.measures)
        timed = request.wanted is Wanted.COURSE or bool(flagged)
        linked = "" if timed else "while "
        text += f" {linked}{condition_text(condition, request)}"
    text += meanwhile_text(request)
    owners = request.owners[0]
    apart = request.instant and Group.OWNER in request.groups
    if request.combined and not (apart and owners.kind is EntityKind.PARTITION):
        return text + ", all added up"
    many = len(owners.names) != 1 and owners.kind is EntityKind.NODE
    grouped = {Group.OWNER, Group.JOB, Group.USER} & set(request.groups)
    pooled = Measure.AVERAGE in request.measures
    parts = next((q.index_noun for q in request.quantities if len(q.metrics) > 1), "")
    if pooled and parts and Group.INDEX not in request.groups:
        return f"{text}, mean per {parts}"
    return text + (", mean per node" if many and not grouped and pooled else "")


def _of_filter(request: ReadingsRequest) -> str:
    """Whose jobs, in words."""
    during = request.during
    if during is None:
        return ""
    parts = []
    for names, words in (
        (during.users, " of user "),
        (during.partitions, " of partition "),
        (during.states, " with state "),
    ):
        if names:
            parts.append(words + ", ".join(names))
    return "".join(parts)


def meanwhile_text(request: ReadingsRequest) -> str:
    """The bound on another quantity, in words."""
    other = request.meanwhile
    if other is None:
        return " in these times" if request.inside else ""
    bound = bound_text(other.condition.comparison, other.condition.bound, other.quantity.unit)
    return f" while {other.quantity.label} was {bound}"


def article(text: str) -> str:
    """The article before ``text``."""
    return "an" if text[:1].lower() in "aeio" else "a"


def capital(text: str) -> str:
    """``text`` with a capital letter first."""
    return text[:1].upper() + text[1:]


def condition_text(condition: Condition, request: ReadingsRequest) -> str:
    """The bound in words: ``above 28 °C``."""
    unit = request.quantities[0].unit
    if condition.upper is not None:
        return f"between {number_text(condition.bound)} and {number_text(condition.upper)} {unit}"
    if condition.comparison is Comparison.ABOVE and condition.words == "other than zero":
        return "other than zero"
    return bound_text(condition.comparison, condition.bound, "" if unit == "s" else unit)
