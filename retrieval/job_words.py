"""Rules for questions about jobs: how they stand to time, their states, measures and columns."""

import re
from dataclasses import dataclass, field

from retrieval.condition_words import Bound
from retrieval.job_bounds import job_bounds
from retrieval.job_request import JobColumn, JobMeasure, JobTime
from retrieval.measures import Comparison, Condition, Group
from retrieval.question_text import NUMBER, QuestionText, Span, number_of

JOB_NOUN = re.compile(r"\bjobs?\b|\bworkloads?\b")
_JOBS_UNSAID = re.compile(
    r"\b(?:queue\s+)?wait(?:ing)?\s+(?:times?|hours)\b|\bwait(?:s|ing)?\s+in\s+the\s+queue\b"
    r"|\bqueue(?:ing)?\s+times?\b|\bqueue\s+waits?\b"
    r"|\brun[- ]?times?\s+(?:per|by|(?:of|for)\s+each)\s+(?:users?|partitions?|qos|states?)\b"
)
"""What nothing but jobs has, also where they are not named."""
_EVERY = re.compile(r"\bevery\b(?=\s+(?:\w+\s+){0,2}jobs?\b)")
_ALONE = (
    r"(?!\s*(?:,|and|or|/)\s*(?:the\s+)?(?:starts?|ends?|submit|state|user|node|exit|partition)\b)"
)
_NOT_LISTED = r"(?<!and\s)(?<!,\s)"
_TIMES: tuple[tuple[str, JobTime], ...] = (
    (
        r"\b(?:that\s+|which\s+|were\s+|was\s+)?(?:started|starting|began|begun|launched)\b"
        r"|\b(?:by|use|using|count(?:ed)?\s+by)\s+(?:the(?:ir)?\s+)?start(?:\s+(?:time|date|day|hour))?s?\b"
        rf"|\bjob\s+starts\b|{_NOT_LISTED}\bstarts?\b(?!\s+times?\b){_ALONE}",
        JobTime.STARTED,
    ),
    (
        r"\b(?:that\s+|which\s+|were\s+|was\s+)?(?:ended|ending|finished|terminated)\b"
        r"|\b(?:by|use|using|count(?:ed)?\s+by)\s+(?:the(?:ir)?\s+)?end(?:\s+(?:time|date|day|hour))?s?\b"
        rf"|{_NOT_LISTED}\b(?:ends?|finish)\b(?!\s+times?\b){_ALONE}",
        JobTime.ENDED,
    ),
    (
        r"\b(?:that\s+|which\s+|were\s+|was\s+)?submitted\b|\b(?:job\s+)?submissions?\b"
        r"|\b(?:by|use|using|count(?:ed)?\s+by)\s+(?:the(?:ir)?\s+)?submit(?:\s+(?:time|date|day))?\b"
        rf"|{_NOT_LISTED}\bsubmit\b(?!\s+times?\b){_ALONE}",
        JobTime.SUBMITTED,
    ),
    (
        r"\b(?:that\s+|which\s+)?(?:were\s+|was\s+|are\s+|is\s+|be\s+)?(?:running"
        r"|ran|run(?!\s*-?time)|active|in\s+progress|in\s+use\s+by|in\s+use)\b",
        JobTime.OVERLAPS,
    ),
)
TIMES = tuple((re.compile(pattern), time) for pattern, time in _TIMES)
EXECUTED = re.compile(r"\b(?:were\s+|was\s+)?(?:executed|processed|run\s+each|handled)\b")
_STATES: tuple[tuple[str, str], ...] = (
    (r"\bnode[_\s-]*fail(?:ures?|ed)?\b|\bkilled\s+by\s+a\s+node\s+failure\b", "NODE_FAIL"),
    (
        r"\bout[_\s-]*of[_\s-]*memory\b|\boom(?:[- ]killed)?\b|\bran\s+out\s+of\s+memory\b",
        "OUT_OF_MEMORY",
    ),
    (
        r"\btime[ds]?[_\s-]*out\b|\b(?:hit|reach(?:ed)?|exceed(?:ed)?)\s+(?:(?:the(?:ir)?|its|a)\s+)?time\s+limits?\b",
        "TIMEOUT",
    ),
    (r"\bcancel+ed\b", "CANCELLED"),
    (r"\bpreempted\b", "PREEMPTED"),
    (r"\b(?:failed|failing|failures?)\b", "FAILED"),
    (r"\b(?:completed|successful(?:ly)?|succeeded)\b", "COMPLETED"),
)
STATES = tuple((re.compile(pattern), state) for pattern, state in _STATES)
_KILLED = re.compile(
    r"\b(?:that\s+were\s+|which\s+were\s+|were\s+)?(?:killed|lost|ended)\s+"
    r"(?:by|with|because\s+of|due\s+to)\s+(?:a\s+|the\s+)?(?=node)"
)
_WIDTHS: tuple[tuple[str, Condition], ...] = (
    (
        r"\b(?:single|one)[- ]node\b|\bon\s+(?:a\s+single|one)\s+node\b",
        Condition(Comparison.EQUAL, 1),
    ),
    (r"\bmulti[- ]?node\b|\bon\s+several\s+nodes\b", Condition(Comparison.ABOVE, 1)),
)
WIDTHS = tuple((re.compile(pattern), condition) for pattern, condition in _WIDTHS)
_N_NODES = re.compile(rf"\b(?P<n>{NUMBER})[- ]node\b")
_HOURS = r"[- ]?\s*hours?"
_USED = r"(?:\s+(?:consumed|used|spent|delivered|allocated))?"
_MEASURES: tuple[tuple[str, tuple[JobMeasure, ...]], ...] = (
    (rf"\bnode{_HOURS}\b{_USED}", (JobMeasure.NODE_HOURS,)),
    (
        rf"\b(?:total\s+)?cpu(?:{_HOURS})?\s+and\s+gpu{_HOURS}\b{_USED}",
        (JobMeasure.CORE_HOURS, JobMeasure.GPU_HOURS),
    ),
    (
        rf"\bgpu(?:{_HOURS})?\s+and\s+cpu{_HOURS}\b{_USED}",
        (JobMeasure.CORE_HOURS, JobMeasure.GPU_HOURS),
    ),
    (rf"\b(?:cpu\s+)?thread{_HOURS}\b{_USED}", (JobMeasure.THREAD_HOURS,)),
    (rf"\b(?:cpu(?:\s+core)?|core){_HOURS}\b{_USED}", (JobMeasure.CORE_HOURS,)),
    (rf"\bgpu{_HOURS}\b{_USED}", (JobMeasure.GPU_HOURS,)),
)
MEASURES = tuple((re.compile(pattern), measures) for pattern, measures in _MEASURES)
_WAITING = re.compile(
    r"\b(?:queue\s+)?(?:waiting|queue(?:ing)?|pending)\s+(?:times?|hours?)\b(?:\s+in\s+the\s+queue)?"
    r"|\b(?:queue\s+)?wait(?:ed|ing|s)?(?:\s+times?)?\b(?:\s+in\s+the\s+queue)?|\bin\s+the\s+queue\b"
)
_RUNNING_TIME = re.compile(
    r"\b(?:run[- ]?times?|durations?|elapsed\s+times?|wall[- ]?(?:clock\s+)?times?"
    r"|(?:job\s+)?lengths?)\b|\bhow\s+long\s+did\b"
)
_NUMBER_OF = re.compile(
    r"\b(?:the\s+)?(?:total\s+)?(?:number|(?<!node\s)(?<!gpu\s)(?<!core\s)count)\s+of\s+(?=(?:[a-z_-]+\s+){0,3}jobs?\b)"
    r"|,?\s*\bhow\s+many\s*\??\s*$|\bnumber(?=\s*,|\s+and\b)"
    r"|\bhow\s+many\s+(?=(?:[a-z_-]+\s+){0,3}jobs?\b)|\b(?<!node\s)(?<!gpu\s)(?<!core\s)count\s+(?:the\s+)?(?=(?:[a-z_-]+\s+){0,3}jobs\b)"
)
_DIFFERENT_NODES = re.compile(
    r"\bhow\s+many\s+(?:different\s+|distinct\s+|unique\s+)?nodes\s+(?:did\s+they\s+use|they\s+used"
    r"|were\s+used)?|\bnumber\s+of\s+(?:different|distinct|unique)\s+nodes\b"
)
_DIFFERENT_USERS = re.compile(
    r"\bhow\s+many\s+(?:different\s+|distinct\s+|unique\s+)?users\b"
    r"|\bnumber\s+of\s+(?:different\s+|distinct\s+|unique\s+|active\s+)?users\b"
)
_BREAKDOWN = re.compile(
    r"\b(?:break(?:ing)?\s+down|split|group(?:ed)?|broken\s+down)?\s*(?:per|by|for\s+each)\s+"
    r"(?:final\s+|job\s+|end\s+)?(?P<what>states?|exit\s+states?|users?|partitions?|qos"
    r"|(?:node|gpu|core)\s+counts?|(?:the\s+|their\s+)?(?:number|count)\s+of\s+(?:nodes|gpus|cores)"
    r"|(?:job\s+)?sizes?)\b"
)
_GROUP_OF = {
    "state": Group.STATE,
    "user": Group.USER,
    "partition": Group.PARTITION,
    "qos": Group.QOS,
    "node": Group.NODE_COUNT,
    "size": Group.NODE_COUNT,
    "gpu": Group.GPUS,
    "core": Group.CORES,
}
_COLUMNS: tuple[tuple[str, JobColumn], ...] = (
    (r"\busers?(?:\s+ids?)?\b|\bwho\b|\bowners?\b", JobColumn.USER),
    (r"\b(?:final\s+)?states?\b|\bstatus\b|\bhow\s+did\s+(?:it|they)\s+end\b", JobColumn.STATE),
    (r"\bnodes?(?:\s+used)?\b|\bhosts?\b", JobColumn.NODES),
    (r"\bpartitions?\b", JobColumn.PARTITION),
    (r"\bqos\b", JobColumn.QOS),
    (r"\bstarts?(?:\s+times?)?\b|\bwhen\s+did\s+(?:it|they)\s+start\b", JobColumn.START),
    (r"\bends?(?:\s+times?)?\b", JobColumn.END),
    (r"\bsubmi(?:t|ssion)(?:\s+times?)?\b", JobColumn.SUBMIT),
    (r"\bexit\s+codes?\b", JobColumn.EXIT_CODE),
    (
        r"(?<!\bhit\sits\s)(?<!\bhit\sthe\s)(?<!\bexceed\sits\s)(?<!\breach\sits\s)\btime\s+limits?\b",
        JobColumn.TIME_LIMIT,
    ),
    (r"\bhow\s+many\s+gpus\b(?:\s+did\s+it\s+use)?|\b(?:number\s+of\s+)?gpus\b", JobColumn.GPUS),
    (r"\bhow\s+many\s+(?:cpu\s+)?cores\b|\b(?:number\s+of\s+)?cores\b", JobColumn.CORES),
)
COLUMNS = tuple((re.compile(pattern), column) for pattern, column in _COLUMNS)


@dataclass
class JobWords:
    """What a question says of jobs."""

    mentioned: bool = False
    times: tuple[JobTime, ...] = ()
    executed: bool = False
    states: tuple[str, ...] = ()
    width: Condition | None = None
    run_seconds: Condition | None = None
    wait_seconds: Condition | None = None
    gpu_count: Condition | None = None
    having: tuple[tuple[JobMeasure, Condition], ...] = ()
    """Bounds on what is counted of each group: "more than 3 failed jobs"."""
    measures: tuple[JobMeasure, ...] = ()
    groups: tuple[Group, ...] = ()
    columns: tuple[JobColumn, ...] = ()
    sizes: tuple[JobColumn, ...] = ()
    """What each job has, of which a statistic is asked for: its nodes, GPUs or cores."""
    waiting: bool = False
    running_time: bool = False
    counted: bool = False
    bounds: tuple[Bound, ...] = field(default=())
    bounds_taken: tuple[str, ...] = ()
    """Of which property of jobs each of the other bounds is."""
    states_at: tuple[Span, ...] = ()
    """Where the states stand."""
    bounded_at: tuple[Span, ...] = ()
    """Where bounds and widths stand."""

    @property
    def time(self) -> JobTime | None:
        """How the jobs stand to the window; a start or an end says more than "ran"."""
        exact = [time for time in self.times if time is not JobTime.OVERLAPS]
        return exact[0] if exact else next(iter(self.times), None)


def job_words(text: QuestionText, bounds: tuple[Bound, ...], implied: bool = False) -> JobWords:
    """What ``text`` says of jobs, claimed; empty where it does not speak of them.

    ``implied``: the thread is about jobs, so that "and the failed ones" is about them too.
    """
    found = JobWords()
    has_hours = any(text.has(pattern) for pattern, _ in MEASURES)
    unsaid = text.has(_JOBS_UNSAID)
    if not (text.has(JOB_NOUN) or has_hours or implied or unsaid):
        return found
    found.mentioned = True
    found.counted = text.take(_NUMBER_OF) is not None
    measures: list[JobMeasure] = [JobMeasure.COUNT] if found.counted else []
    for pattern, given in MEASURES:
        if text.take(pattern) is not None:
            measures += given
    if text.take(_DIFFERENT_NODES) is not None:
        measures.append(JobMeasure.NODES)
    if text.take(_DIFFERENT_USERS) is not None:
        measures.append(JobMeasure.USERS)
    found.waiting = bool(text.take_all(_WAITING))
    found.running_time = bool(text.take_all(_RUNNING_TIME))
    ended = [(match, state) for pattern, state in STATES for match in text.take_all(pattern)]
    found.states = tuple(dict.fromkeys(state for _, state in ended))
    found.states_at = tuple(sorted(match.span() for match, _ in ended))
    text.take(_KILLED)
    bounded = [bound.span for bound in bounds]
    for pattern, condition in WIDTHS:
        for match in text.take_all(pattern):
            found.width = condition
            bounded.append(match.span())
    for match in text.take_all(_N_NODES):
        found.width = Condition(Comparison.EQUAL, number_of(match["n"]))
        bounded.append(match.span())
    found.bounded_at = tuple(sorted(bounded))
    groups = [_group_of(match["what"]) for match in text.take_all(_BREAKDOWN)]
    found.groups = tuple(dict.fromkeys(groups))
    found.measures = tuple(dict.fromkeys(measures))
    found.executed = bool(text.take_all(EXECUTED))
    found.times = tuple(time for pattern, time in TIMES if text.take_all(pattern))
    text.take_all(_EVERY)
    text.take_all(JOB_NOUN)
    shared = job_bounds(text, bounds, waiting=found.waiting)
    found.width = shared.width or found.width
    found.run_seconds, found.wait_seconds = shared.run_seconds, shared.wait_seconds
    found.gpu_count, found.having = shared.gpu_count, shared.having
    found.bounds, found.bounds_taken = shared.rest, shared.taken
    return found


def _group_of(what: str) -> Group:
    return next(group for noun, group in _GROUP_OF.items() if noun in what)


def width_in(words: str) -> Condition | None:
    """How many nodes jobs have that are called "single-node" or the like."""
    return next((condition for pattern, condition in WIDTHS if pattern.search(words)), None)


def job_columns(text: QuestionText) -> tuple[JobColumn, ...]:
    """The columns that the question lists, in its order; claimed."""
    found = [
        (match.start(), column) for pattern, column in COLUMNS for match in text.take_all(pattern)
    ]
    return tuple(dict.fromkeys(column for _, column in sorted(found)))
