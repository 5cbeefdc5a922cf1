import json
from dataclasses import replace
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from retrieval.certificates import certificate_of, written_certificates
from retrieval.curated_pairs import CuratedPair, NearestPairs, documents_of_pairs
from retrieval.outcome import Retrieved
from retrieval.site_request import SiteRequest, Subject
from retrieval.vector_index import VectorIndex
from tests.curated_asking import curated_pairs
from tests.fakes.hash_embedder import HashEmbedder


def all_pairs() -> list[CuratedPair]:
    return [*curated_pairs().values()]


def result_of(pair: CuratedPair) -> Retrieved:
    """As if the pair's own question had been answered."""
    request = SiteRequest(Subject.NODES)
    return Retrieved(request, (), (), (), data_queries=pair.queries, treatment=pair.treatment)


def a_pair(name: str) -> CuratedPair:
    return curated_pairs()[name]


def nearest_over(folder: Path) -> NearestPairs:
    index = VectorIndex(folder, HashEmbedder(), documents_of_pairs(all_pairs()))
    return NearestPairs(all_pairs(), index)


def test_there_are_many_pairs_of_several_owners() -> None:
    assert len(all_pairs()) >= 60
    assert {pair.owner for pair in all_pairs()} == {"operations", "facility", "user support"}
    assert len({pair.question for pair in all_pairs()}) == len(all_pairs())


def test_every_pair_says_what_it_answers_and_was_reviewed_after_it_was_asked() -> None:
    for pair in all_pairs():
        assert pair.answers.endswith("."), pair.id
        assert pair.queries, pair.id
        assert pair.treatment, pair.id
        assert pair.asked_at == datetime(2022, 6, 2, tzinfo=UTC), pair.id


def test_the_certificates_are_those_of_the_pairs() -> None:
    # python -m tests.curated_asking > retrieval/examples/certificates.json
    kept = files("retrieval").joinpath("examples", "certificates.json").read_text("utf-8")

    assert kept == written_certificates(all_pairs())


def test_no_two_pairs_have_the_same_kin() -> None:
    rows = json.loads(written_certificates(all_pairs()))

    assert len({(row["kin"], *row["treatment"]) for row in rows}) == len(rows)


def test_the_certificate_names_pair_owner_and_review() -> None:
    pair = a_pair("pue-mean")

    certificate = certificate_of([result_of(pair)])

    assert certificate is not None
    assert (certificate.pair, certificate.owner) == ("pue-mean", "facility")
    assert (certificate.reviewed, certificate.answers) == (pair.reviewed, pair.answers)


def test_rows_that_are_treated_otherwise_have_another_certificate_or_none() -> None:
    longest = result_of(a_pair("periods-power-above-longest"))

    first = certificate_of([replace(longest, treatment=("first period",))])
    none = certificate_of([replace(longest, treatment=("longest period", "ranked"))])

    assert first is not None
    assert first.pair == "periods-power-above-first"
    assert none is None


def test_all_queries_of_an_answer_count_and_none_may_be_missing() -> None:
    correlation, mean = a_pair("pue-outdoor-correlation"), a_pair("pue-mean")
    whole = result_of(correlation)

    less = replace(whole, data_queries=correlation.queries[1:])
    more = replace(whole, data_queries=(*correlation.queries, *mean.queries))

    assert certificate_of([whole]) is not None
    assert certificate_of([less]) is None
    assert certificate_of([more]) is None


def test_several_results_are_one_answer() -> None:
    chain = a_pair("job-longest-power")
    jobs = replace(result_of(chain), data_queries=chain.queries[:1], treatment=("jobs",))
    readings = replace(result_of(chain), data_queries=chain.queries[1:], treatment=("measures",))

    certificate = certificate_of([jobs, readings])

    assert certificate is not None
    assert certificate.pair == "job-longest-power"
    assert certificate_of([jobs]) is None


def test_what_has_no_queries_has_no_certificate() -> None:
    result = replace(result_of(a_pair("pue-mean")), data_queries=())

    assert certificate_of([]) is None
    assert certificate_of([result]) is None
    assert certificate_of([result_of(a_pair("pue-mean")), result]) is None


def test_the_nearest_pairs_begin_with_the_question_itself(tmp_path: Path) -> None:
    pair = a_pair("jobs-by-state")

    found = nearest_over(tmp_path).nearest(pair.question, 5)

    assert found[0] == pair
    assert len(found) == 5


def test_the_nearest_pairs_come_in_the_same_order_every_time(tmp_path: Path) -> None:
    question = "How much energy did the racks use on 1 June 2022?"
    first = nearest_over(tmp_path / "one").nearest(question, 10)

    again = nearest_over(tmp_path / "two").nearest(question, 10)

    assert [pair.id for pair in again] == [pair.id for pair in first]
