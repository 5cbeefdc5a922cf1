"""The vocabulary of time: months, weekdays, numbers, units, parts of the day, cities, nouns."""

from typing import Final


def _in_order(listing: str) -> list[str]:
    return listing.split()


def words_of(listing: str) -> frozenset[str]:
    """The words of a listing."""
    return frozenset(listing.split())


_MONTH_NAMES: Final = _in_order(
    "january february march april may june july august september october november december"
)
MONTHS: Final = {name: place for place, name in enumerate(_MONTH_NAMES, 1)}
SHORT_MONTHS: Final = {name[:3]: place for name, place in MONTHS.items() if name != "may"} | {
    "sept": 9
}
_WEEKDAY_NAMES: Final = _in_order("monday tuesday wednesday thursday friday saturday sunday")
WEEKDAYS: Final = {name: place for place, name in enumerate(_WEEKDAY_NAMES)}
SHORT_WEEKDAYS: Final = {name[:3]: place for name, place in WEEKDAYS.items()} | {
    "tues": 1,
    "thur": 3,
    "thurs": 3,
}

VERB_LIKE_MONTHS: Final = frozenset({"may", "march"})
"""Months that are also ordinary words: they need evidence when they stand alone."""

ORDINAL_ENDINGS: Final = frozenset({"st", "nd", "rd", "th"})
ORDINALS: Final = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "last": -1}
NUMBERS: Final = {
    name: value
    for value, name in enumerate(
        _in_order(
            "one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
            "fifteen sixteen seventeen eighteen nineteen twenty"
        ),
        1,
    )
} | {"a": 1, "an": 1, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "ninety": 90}

UNITS: Final = {
    word: (unit, count)
    for unit, count, spellings in (
        ("second", 1, "second seconds sec secs s"),
        ("minute", 1, "minute minutes min mins m"),
        ("hour", 1, "hour hours hr hrs h"),
        ("day", 1, "day days d"),
        ("week", 1, "week weeks wk wks w"),
        ("week", 2, "fortnight fortnights"),
        ("month", 1, "month months"),
        ("month", 3, "quarter quarters"),
        ("year", 1, "year years yr yrs"),
    )
    for word in spellings.split()
}
"""Spelling -> unit and how many of it: ``fortnight`` is two weeks."""
UNIT_SECONDS: Final = {"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 604800}
UNIT_MONTHS: Final = {"month": 1, "year": 12}

PARTS: Final[dict[str, tuple[tuple[int, int], ...]]] = {
    "morning": ((6, 12), (0, 12), (8, 12)),
    "early morning": ((4, 8), (0, 6), (6, 9)),
    "late morning": ((10, 12), (9, 12)),
    "afternoon": ((12, 18), (13, 18), (12, 17)),
    "early afternoon": ((12, 15), (13, 16)),
    "late afternoon": ((15, 18), (16, 19)),
    "evening": ((18, 24), (17, 22), (18, 22)),
    "early evening": ((18, 20), (17, 20)),
    "late evening": ((21, 24), (20, 24)),
    "night": ((0, 6), (20, 30), (22, 30)),
    "last night": ((20, 30), (18, 30), (22, 30), (24, 30)),
    "lunchtime": ((12, 14), (12, 13)),
    "working hours": ((9, 17), (8, 18)),
    "business hours": ((9, 17), (8, 18)),
    "office hours": ((9, 17), (8, 18)),
}
"""Hours of a part of the day, first the one we take; past 24 means the next day."""

NAMING_NOUNS: Final = words_of(
    """
    node nodes rack racks job jobs user users partition partitions gpu gpus fan fans top
    bottom psu psus ps cpu cpus core cores socket sockets port panel panels id ids room row
    rows slot slots dimm group groups qos array index sensor sensors pump pumps crac cracs
    cdz unit units chassis number no nr system cluster plugin line channel phase pcie nic
    disk table column figure version level priority account accounts project meter meters
    chiller chillers exit code state states bucket quantile percentile status
    """
)
"""A number right after one of these is a name or a value, never a time."""
NUMBERED_NOUNS: Final = words_of(
    """
    node rack job user partition gpu fan psu cpu core socket slot row column room panel port id
    crac cdz pump chiller meter dimm nic disk number no nr array ps chassis
    """
)
"""Even a day with its month is a name right after one of these: ``node 5 May 2022``."""
COUNTED_NOUNS: Final = words_of(
    """
    node nodes rack racks job jobs user users partition partitions gpu gpus fan fans core
    cores cpu cpus socket sockets psu psus sensor sensors pump pumps crac cracs panel panels
    reading readings samples rows points bins values times others errors faults failures
    alarms checks units w kw mw wh kwh mwh j c f k rpm v a ma mv hz mhz ghz b kb mb gb tb
    kib mib gib tib pa bar l degrees degree celsius percent pct watts watt kilowatts volts
    amps second seconds sec secs s minute minutes min mins m hour hours hr hrs h day days d
    week weeks month months year years metres meters x of
    """
)
"""A number right before one of these counts or measures something."""
CHANGE_WORDS: Final = words_of(
    """
    go goes went going rise rises rose fall falls fell drop drops dropped change changes
    changed vary varies varied range ranges ranging increase increases increased decrease
    decreases decreased jump jumps jumped value values scale temperature temperatures power
    load utilisation utilization usage
    """
)
"""``rose from 9 to 10`` speaks of values."""
LENGTH_WORDS: Final = words_of(
    """
    than limit duration walltime runtime elapsed took lasting lasted exactly ratio
    """
)
"""``longer than 02:00:00`` is a length, not a time of day."""
FOLLOWERS: Final = words_of(
    """
    and or on at in from for with by vs versus compared against per was were did do does is
    are as to the when which what how who please utc gmt cet cest local than that each
    across over during between if but so i show plot get give then while where until since
    """
)
"""Words that may come right after a bare hour or year without being counted by it."""

ZONE_HOURS: Final = {
    "cest": 2,
    "cet": 1,
    "mez": 1,
    "mesz": 2,
    "eet": 2,
    "eest": 3,
    "wet": 0,
    "west": 1,
    "msk": 3,
    "est": -5,
    "edt": -4,
    "cdt": -5,
    "mst": -7,
    "mdt": -6,
    "pst": -8,
    "pdt": -7,
    "jst": 9,
    "kst": 9,
    "aest": 10,
    "aedt": 11,
}
"""Abbreviations with one meaning in use, as hours ahead of UTC."""
DOUBTFUL_ZONES: Final = frozenset({"cst", "ist", "bst", "ast", "sst", "amt"})
"""Abbreviations that name several zones."""
LOOSE_ZONES: Final = frozenset({"utc", "gmt", "cet", "cest"})
"""Zone words that speak for the whole text when they stand apart from any time."""
CITY_ZONES: Final = {
    "rome": "Europe/Rome",
    "italian": "Europe/Rome",
    "italy": "Europe/Rome",
    "bologna": "Europe/Rome",
    "milan": "Europe/Rome",
    "london": "Europe/London",
    "uk": "Europe/London",
    "british": "Europe/London",
    "dublin": "Europe/Dublin",
    "lisbon": "Europe/Lisbon",
    "madrid": "Europe/Madrid",
    "barcelona": "Europe/Madrid",
    "paris": "Europe/Paris",
    "french": "Europe/Paris",
    "brussels": "Europe/Brussels",
    "amsterdam": "Europe/Amsterdam",
    "berlin": "Europe/Berlin",
    "german": "Europe/Berlin",
    "munich": "Europe/Berlin",
    "zurich": "Europe/Zurich",
    "swiss": "Europe/Zurich",
    "vienna": "Europe/Vienna",
    "prague": "Europe/Prague",
    "warsaw": "Europe/Warsaw",
    "copenhagen": "Europe/Copenhagen",
    "oslo": "Europe/Oslo",
    "stockholm": "Europe/Stockholm",
    "helsinki": "Europe/Helsinki",
    "athens": "Europe/Athens",
    "istanbul": "Europe/Istanbul",
    "moscow": "Europe/Moscow",
    "delhi": "Asia/Kolkata",
    "indian": "Asia/Kolkata",
    "beijing": "Asia/Shanghai",
    "shanghai": "Asia/Shanghai",
    "singapore": "Asia/Singapore",
    "tokyo": "Asia/Tokyo",
    "seoul": "Asia/Seoul",
    "sydney": "Australia/Sydney",
    "york": "America/New_York",
    "chicago": "America/Chicago",
    "denver": "America/Denver",
    "angeles": "America/Los_Angeles",
    "pacific": "America/Los_Angeles",
    "eastern": "America/New_York",
}
"""The word before ``time`` -> zone (the last word of a name of several)."""
ODD_OFFSETS: Final = {
    270: "Asia/Kabul",
    330: "Asia/Kolkata",
    345: "Asia/Kathmandu",
    390: "Asia/Yangon",
    570: "Australia/Darwin",
}
"""Minutes ahead of UTC -> a zone that has kept that offset."""
