"""Results to words, by templates: what was found, over which time, how complete it is."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from agent.checks_text import checks_sentences
from agent.jobs_text import jobs_sentences
from agent.number_text import number_text
from agent.readings_text import readings_sentences
from agent.site_text import site_sentences
from agent.states_text import states_sentences
from agent.written_text import written_sentences
from retrieval.coverage import PARTIAL_BELOW
from retrieval.data_request import ReadingsRequest
from retrieval.job_request import JobsRequest
from retrieval.outcome import Coverage, Retrieved
from retrieval.site_request import CheckResultKind, ChecksRequest, SiteRequest
from retrieval.window_words import window_label
from retrieval.written_request import WrittenRequest


def present(results: Sequence[Retrieved], notes: Sequence[str], zone: ZoneInfo) -> str:
    """The reply to a question whose data are ``results``, without the evidence."""
    sentences = []
    for retrieved in results:
        sentences += _sentences(retrieved, zone)
    for retrieved in results:
        if retrieved.coverage is not None:
            sentences += coverage_sentences(retrieved.coverage)
            break
    return "\n".join([" ".join(sentences), *(f"_{note}_" for note in dict.fromkeys(notes))])


def _sentences(retrieved: Retrieved, zone: ZoneInfo) -> list[str]:
    when = " and ".join(window_label(w, zone) for w in retrieved.windows)
    match retrieved.request:
        case ReadingsRequest():
            return readings_sentences(retrieved, retrieved.request, when)
        case JobsRequest():
            return jobs_sentences(retrieved, retrieved.request, when)
        case ChecksRequest(kind=CheckResultKind.PERIODS):
            return states_sentences(retrieved, retrieved.request, when)
        case ChecksRequest():
            return checks_sentences(retrieved, retrieved.request, when)
        case SiteRequest():
            return site_sentences(retrieved, retrieved.request)
        case WrittenRequest():
            return written_sentences(retrieved, retrieved.request, when)


def coverage_sentences(coverage: Coverage) -> list[str]:
    """What must be said of missing samples; nothing where there are hardly any."""
    told = []
    silent = coverage.sensors_expected - coverage.sensors
    if 0 < silent <= coverage.sensors_expected // 2:
        told.append(
            f"{number_text(silent)} of {number_text(coverage.sensors_expected)} sensors had no"
            " samples in this time."
        )
    if coverage.share < PARTIAL_BELOW:
        told.append(
            f"Partial: only {number_text(round(coverage.share * 100))} % of the expected samples"
            f" are there ({number_text(coverage.got)} of {number_text(coverage.expected)} samples)."
        )
    return told
