"""The words that reading a phrase needs: spellings, fillers and words that qualify nothing."""

from collections.abc import Mapping
from types import MappingProxyType

SPELLINGS: Mapping[str, str] = MappingProxyType(
    {
        "utilization": "utilisation",
        "utilized": "utilisation",
        "utilised": "utilisation",
        "util": "utilisation",
        "utilisations": "utilisation",
        "temp": "temperature",
        "mem": "memory",
        "freq": "frequency",
        "pwr": "power",
        "electricity": "energy",
        "avg": "average",
        "mean": "average",
        "max": "maximum",
        "maximal": "maximum",
        "min": "minimum",
        "minimal": "minimum",
        "gpus": "gpu",
        "cpus": "cpu",
        "psus": "psu",
        "processor": "cpu",
        "accelerator": "gpu",
        "cdz": "crac",
        "crah": "crac",
        "centre": "center",
        "datacentre": "datacenter",
        "outdoors": "outdoor",
        "economizer": "economiser",
    }
)
"""One spelling for words of the same meaning."""
COMPOUNDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("power", "supply", "unit"), "psu"),
    (("power", "supply"), "psu"),
    (("graphic", "card"), "gpu"),
    (("video", "card"), "gpu"),
    (("set", "point"), "setpoint"),
    (("data", "center"), "datacenter"),
    (("air", "conditioner"), "crac"),
    (("air", "conditioning", "unit"), "crac"),
    (("i", "o"), "io"),
    (("memory", "stick"), "dimm"),
    (("cpu", "socket"), "socket"),
)
"""Several words that are one."""
KEPT_S = frozenset(
    {
        "always",
        "as",
        "bus",
        "chassis",
        "does",
        "gas",
        "gbs",
        "has",
        "ios",
        "is",
        "its",
        "less",
        "os",
        "ps",
        "status",
        "this",
        "us",
        "was",
        "yes",
    }
)
"""Words whose final s is no plural."""
ARTICLES = frozenset(
    {
        "a",
        "all",
        "an",
        "any",
        "both",
        "each",
        "every",
        "her",
        "his",
        "individual",
        "its",
        "my",
        "our",
        "respective",
        "single",
        "that",
        "the",
        "their",
        "these",
        "this",
        "those",
        "your",
    }
)
"""Words that say nothing of what is meant."""
PREPOSITIONS = frozenset({"across", "at", "for", "from", "in", "of", "on", "over", "within"})
"""All read as ``of``."""
CONJUNCTIONS = frozenset({"against", "and", "minus", "or", "plus", "versus", "vs"})
"""All read as ``and``."""
NUMBER_WORDS = frozenset({"eight", "four", "six", "sixteen", "three", "two"})
"""Left out before the things they count."""
COUNTED_THINGS = frozenset(
    {"core", "cpu", "crac", "dimm", "fan", "gpu", "node", "panel", "psu", "pump", "rack", "socket"}
)
"""Things that are counted in words: "the two sockets"."""
PARTICIPLES = frozenset({"consumed", "drawn", "needed", "required", "spent", "taken", "used"})
"""What power is said to be: used, drawn."""
USE = frozenset(
    {
        "consumed",
        "consumption",
        "demand",
        "draw",
        "drawn",
        "intake",
        "needed",
        "required",
        "spent",
        "taken",
        "usage",
        "use",
        "used",
    }
)
"""Said after power or energy without a meaning of their own."""
BE = frozenset(
    {"are", "be", "been", "being", "get", "gets", "had", "has", "have", "is", "was", "were"}
)
"""Forms of "to be" and "to have" between power and a participle."""
SHOWN = frozenset({"figure", "level", "measurement", "reading", "value"})
"""Said after a quantity without a meaning of their own."""
HEADS = frozenset(
    {
        "current",
        "energy",
        "flow",
        "humidity",
        "load",
        "memory",
        "power",
        "pressure",
        "pue",
        "speed",
        "temperature",
        "utilisation",
        "voltage",
    }
)
"""Quantities after which those are left out."""
UNITS = frozenset(
    {
        "a",
        "celsius",
        "gb",
        "hz",
        "kb",
        "kw",
        "kwh",
        "mb",
        "mw",
        "mwh",
        "percent",
        "rpm",
        "v",
        "w",
        "watt",
        "wh",
        "°c",
    }
)
"""Units, left out in brackets."""
IT_HEADS = frozenset({"energy", "equipment", "load", "power"})
"""After these, "it" is information technology."""
MEASURE_WORDS = frozenset(
    {
        "average",
        "daily",
        "highest",
        "hourly",
        "lowest",
        "maximum",
        "median",
        "minimum",
        "peak",
        "weekly",
    }
)
"""What is computed; left out inside a phrase."""
