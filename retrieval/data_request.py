"""What is asked of the data after language has been left behind: typed, frozen, grounded."""

from dataclasses import dataclass

from retrieval.job_request import JobFilter, JobsRequest
from retrieval.measures import (
    Condition,
    Course,
    Group,
    Measure,
    Owners,
    Ranking,
    Selected,
    Wanted,
    While,
)
from retrieval.peer_words import PeerWords
from retrieval.request import TimeWindow
from retrieval.site_request import ChecksRequest, SiteRequest
from retrieval.written_request import WrittenRequest


@dataclass(frozen=True, slots=True)
class Ratio:
    """One of two quantities divided by the other."""

    part: int
    """Which of the request's quantities is divided; the other is the whole."""
    percent: bool
    """True for a share in per cent, False for a plain ratio."""

    @property
    def order(self) -> tuple[int, int]:
        """Which quantity is divided by which."""
        return self.part, 1 - self.part


@dataclass(frozen=True, slots=True)
class Quorum:
    """How many sensors of a group must have a sample where they are added up."""

    usual: int
    others: tuple[tuple[tuple[str | int, ...], int], ...] = ()
    """Groups, by the cells of their keys, that have another number."""


@dataclass(frozen=True, slots=True)
class ReadingsRequest:
    """Samples of one or more quantities, or what is computed from them."""

    wanted: Wanted
    quantities: tuple[Selected, ...]
    owners: tuple[Owners, ...]
    """One for each quantity, in the same order."""
    windows: tuple[TimeWindow, ...]
    """More than one window is a comparison of windows."""
    instant: bool = False
    """True for the value at one moment: the last sample at or before ``windows[0].end``."""
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    condition: Condition | None = None
    course: Course | None = None
    """What of the course over time is wanted; set for ``Wanted.COURSE`` alone."""
    longer: float = 0.0
    """For a course: only periods of more than so many seconds."""
    often: Condition | None = None
    """For a course: only things with so many periods."""
    meanwhile: While | None = None
    """Only samples at whose time another quantity of the same owner keeps a bound."""
    inside: tuple[TimeWindow, ...] = ()
    """Only samples in one of these times, which lie in the window."""
    ranking: Ranking | None = None
    during: JobFilter | None = None
    """Only samples of a node while one of these jobs ran on it."""
    combined: bool = False
    """True where sensors of a group are added up rather than averaged over."""
    aligned: bool = False
    """True where the sensors that are added up are sampled at the same moments."""
    quorums: tuple[Quorum, ...] = ()
    """One for each quantity that is added up: a sum is taken where so many sensors speak."""
    difference: bool = False
    """True where the difference of the two values that result is asked for as well."""
    change: bool = False
    """True where the second window's values minus the first's are asked for as well."""
    share: bool = False
    """True where it is asked what share of all owners the result has."""
    peers: PeerWords | None = None
    """Where only things that differ from the others of their kind are wanted: which, how far."""
    outer: Measure | None = None
    """What is computed over the rows that result: the mean of the energies of all jobs."""
    ratio: Ratio | None = None
    reach: float = 0.0
    """For an instant: seconds within which the last sample still speaks for it."""
    unit: str = ""
    """The unit that values are wanted in; empty for the quantity's own."""
    bucket: str = ""
    """Length of the averaging interval (ISO 8601), where one was asked for or is needed."""
    bucket_asked: bool = False
    """True where that interval was asked for, so that no other will do."""


CompiledRequest = ReadingsRequest | JobsRequest | SiteRequest | ChecksRequest
"""What our compiler writes the queries of."""
DataRequest = CompiledRequest | WrittenRequest


@dataclass(frozen=True, slots=True)
class JobsThenReadings:
    """A chain: jobs are chosen first, then readings of the nodes while those jobs ran."""

    jobs: JobsRequest
    readings: ReadingsRequest


@dataclass(frozen=True, slots=True)
class UsersThenReadings:
    """A chain: users are ranked by their jobs, then the power of their jobs' nodes is read."""

    users: JobsRequest
    readings: ReadingsRequest


@dataclass(frozen=True, slots=True)
class EventThenReadings:
    """A chain: an event is found first, then readings are taken around it."""

    event: ChecksRequest | JobsRequest
    readings: ReadingsRequest
    before: float
    """Seconds before the event that are wanted."""
    after: float
    whole: bool = False
    """True for the whole of the state that the event begins."""
    at_end: bool = False
    """True where the event is the end of the state or of the job."""
    begins_in: TimeWindow | None = None
    """Where the event must lie; None takes the latest that is found."""


@dataclass(frozen=True, slots=True)
class EventThenJobs:
    """A chain: an event of a node is found first, then the jobs that ran on it around it."""

    event: ChecksRequest
    jobs: JobsRequest
    before: float
    """Seconds before the first result that tells the event."""
    after: float
    begins_in: TimeWindow | None = None
    """Where the event must lie; None takes the latest that is found."""
    at_end: bool = False


@dataclass(frozen=True, slots=True)
class PeriodsThenReadings:
    """A chain: the periods in which one sensor keeps a bound first, then readings in them."""

    periods: ReadingsRequest
    readings: ReadingsRequest


@dataclass(frozen=True, slots=True)
class ExtremeThen:
    """A chain: the hour or moment of an extreme first, then readings or jobs at that time."""

    first: ReadingsRequest
    then: ReadingsRequest | JobsRequest


Chain = (
    JobsThenReadings
    | UsersThenReadings
    | EventThenReadings
    | EventThenJobs
    | PeriodsThenReadings
    | ExtremeThen
)
Asked = CompiledRequest | Chain
