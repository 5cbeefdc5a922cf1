"""What the rules find in one question, before it is decided what is asked."""

from dataclasses import dataclass, field

from retrieval.check_words import CheckWords
from retrieval.condition_words import Bound
from retrieval.course_words import CourseWords
from retrieval.entity_rules import NamedEntities
from retrieval.event_words import EventWords
from retrieval.extreme_words import ExtremeWords
from retrieval.job_words import JobWords
from retrieval.measures import Group, Measure
from retrieval.metric_mentions import Mention
from retrieval.order_words import OrderWords
from retrieval.peer_words import PeerWords
from retrieval.ranking_words import RankedWords
from retrieval.request import EntityKind
from retrieval.share_words import ShareWords
from retrieval.site_words import SiteWords
from retrieval.time_reading import Granularity, TimeReading


@dataclass(frozen=True)
class Slots:
    """What the rules found; nothing is decided yet."""

    text: str
    entities: NamedEntities = field(default_factory=NamedEntities)
    times: TimeReading = field(default_factory=TimeReading)
    mentions: tuple[Mention, ...] = ()
    measures: tuple[Measure, ...] = ()
    groups: tuple[Group, ...] = ()
    group_owner: EntityKind | None = None
    bounds: tuple[Bound, ...] = ()
    ranked: RankedWords | None = None
    counted_owners: tuple[int, EntityKind] | None = None
    order: OrderWords = field(default_factory=OrderWords)
    share: ShareWords = field(default_factory=ShareWords)
    peers: PeerWords | None = None
    jobs: JobWords = field(default_factory=JobWords)
    checks: CheckWords = field(default_factory=CheckWords)
    course: CourseWords = field(default_factory=CourseWords)
    event: EventWords = field(default_factory=EventWords)
    extreme: ExtremeWords = field(default_factory=ExtremeWords)
    site: SiteWords = field(default_factory=SiteWords)
    asks_owners: EntityKind | None = None
    all_asked: tuple[EntityKind, ...] = ()
    """Every kind that a "which ..." names, ``asks_owners`` among them."""
    counts_owners: tuple[EntityKind, ...] = ()
    by_extreme: bool = False
    """Things are ranked by their highest or lowest value: "hottest", and not "busiest"."""
    ranks_several: bool = False
    """A plural is ranked without a number: "racks with the lowest"."""
    asks_when: bool = False
    asks_days: bool = False
    asks_how_long: bool = False
    superlatives: tuple[bool, ...] = ()
    """True for each "highest", False for each "lowest" that ranks no owners."""
    added_up: bool = False
    together: bool = False
    """"Together" or "combined": one sum, or one picture where a chart or several metrics are."""
    as_a_whole: bool = False
    """The power of a rack or of the machine as one thing."""
    difference: bool = False
    while_at: int = -1
    """Where "while" stands, if the bound behind it picks the samples that are measured."""
    asks_whether: bool = False
    asks_index: bool = False
    """"Which GPUs": the numbered parts are to be named."""
    names_nodes: bool = False
    """The word "node" stands in the question: powers are those of nodes."""
    names_rack_or_machine: bool = False
    groups_ranked: bool = False
    """Hours or days are ranked: "which hour had the highest"."""
    resolution: str = ""
    """Length of the averaging interval (ISO 8601) that is asked for."""
    compared: bool = False
    also: bool = False
    """A follow-up that adds to what was asked rather than replacing it."""
    over_all: bool = False
    whole_machine: bool = False
    """The machine is spoken of as one thing: "the cluster", "the whole machine"."""
    silent: bool = False
    correlation: bool = False
    bucket_words: str = ""
    wants_series: bool = False
    wants_latest: bool = False
    during: bool = False
    each_of_them: bool = False
    unit_wish: str = ""
    """The unit that values are wanted in, where one is named."""
    same_rack: bool = False
    """Of the rack of a node, its other nodes are asked for."""
    follow_up: bool = False
    likeness_note: str = ""
    """Which metric was taken for words that only resemble its name."""
    leftovers: tuple[str, ...] = ()

    @property
    def at_instant(self) -> bool:
        """Whether a moment is asked about, and no stretch of time."""
        windows = self.times.windows
        return bool(windows) and windows[0].granularity is Granularity.INSTANT

    @property
    def while_bound(self) -> bool:
        """Whether the bound picks the samples that are measured: "while above 1400 W"."""
        return self.while_at >= 0
