"""Whether an answer's queries are kin of those of one curated pair: then it is certified.

``examples/certificates.json`` holds for each pair what its kin share, so that no pair needs to be
parsed for a question; a test holds the file to the pairs.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files

from ontology.conformance import CheckedQuery
from retrieval.curated_pairs import CuratedPair
from retrieval.outcome import Retrieved
from retrieval.query_kin import kin_of


@dataclass(frozen=True, slots=True)
class Certificate:
    """The curated pair that answers the same question but for names, times and numbers."""

    pair: str
    owner: str
    reviewed: date
    answers: str


def certificate_of(results: Sequence[Retrieved]) -> Certificate | None:
    """The certificate of the answer that is made of ``results``, if it has one.

    Every query that made a table must be kin of a query of the pair, and none of these be missing;
    and their rows must be treated as those of the pair are.
    """
    treatment = tuple(step for each in results for step in each.treatment)
    by_kin = _certificates().get(treatment)
    if by_kin is None or not all(each.data_queries for each in results):
        return None
    return by_kin.get(_kin(query for each in results for query in each.data_queries))


def written_certificates(pairs: Sequence[CuratedPair]) -> str:
    """The text of ``certificates.json`` for ``pairs``."""
    rows = [
        {
            "pair": pair.id,
            "owner": pair.owner,
            "reviewed": pair.reviewed.isoformat(),
            "answers": pair.answers,
            "treatment": pair.treatment,
            "kin": _kin(pair.queries),
        }
        for pair in pairs
    ]
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"


def _kin(queries: Iterable[CheckedQuery]) -> str:
    shared = sorted({kin_of(query) for query in queries})
    return hashlib.sha256("\n".join(shared).encode()).hexdigest()[:32]


@cache
def _certificates() -> Mapping[tuple[str, ...], Mapping[str, Certificate]]:
    """The certificates by treatment, then by what kin share."""
    text = files("retrieval").joinpath("examples", "certificates.json").read_text("utf-8")
    found: dict[tuple[str, ...], dict[str, Certificate]] = {}
    for row in json.loads(text):
        reviewed = date.fromisoformat(row["reviewed"])
        certificate = Certificate(row["pair"], row["owner"], reviewed, row["answers"])
        found.setdefault(tuple(row["treatment"]), {})[row["kin"]] = certificate
    return found
