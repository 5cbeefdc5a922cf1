"""Which of the sensors that a request should read have no samples at all, in words."""

from collections.abc import Sequence

from retrieval.coverage import Counted, adds_up, owners_query
from retrieval.data_request import ReadingsRequest
from retrieval.measures import Measure
from retrieval.outcome import Coverage
from retrieval.request_run import RequestRun

LISTED = 20
_FEW = 0.001
"""So small a share of missing samples is not worth a word."""


def silent_notes(
    run: RequestRun, request: ReadingsRequest, counted: Sequence[Counted]
) -> list[str]:
    """What must be said of things without samples: those that are named, and those in a sum."""
    told = []
    for one in counted:
        seen = {iri.rsplit("/", 1)[-1] for iri in one.frame["s"]}
        kind = one.owners.kind.value
        if 1 < len(one.owners.names) <= LISTED:
            missing = [name for name in one.owners.names if name.split("/")[-1] not in seen]
            if missing:
                names = ", ".join(missing)
                told.append(
                    f"There are no samples of {one.quantity.label} of {kind} {names} in this time."
                )
        elif adds_up(request) and one.frame["s"].n_unique() < one.sensors:
            told.append(_of_sum(run, one))
    return list(dict.fromkeys(told))


def energy_notes(request: ReadingsRequest, coverage: Coverage) -> list[str]:
    """What an energy lacks where samples are missing."""
    missing = coverage.expected - coverage.got
    if Measure.ENERGY not in request.measures or missing <= _FEW * coverage.expected:
        return []
    return [
        "A time without samples adds nothing to an energy:"
        f" {missing:,} of {coverage.expected:,} samples are missing."
    ]


def _of_sum(run: RequestRun, one: Counted) -> str:
    """What a sum lacks: the names of few, or else the number of those that it has."""
    kind, sensors = one.owners.kind.value, one.frame["s"].n_unique()
    owners = run.part(owners_query(one.quantity, one.owners))
    name = owners.keys[0].variable if owners.keys else ""
    silent = []
    if name in one.frame.columns:
        speaking = set(one.frame[name])
        silent = [owner for owner in owners.frame[name].sort() if owner not in speaking]
    if 0 < len(silent) <= LISTED and one.sensors - sensors <= LISTED:
        names = ", ".join(str(owner) for owner in silent)
        return f"The sum is without {kind} {names}, of which there are no samples in this time."
    return f"The sum is of {sensors:,} of {one.sensors:,} sensors: the others have no samples then."
