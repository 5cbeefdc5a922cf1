"""The monitoring checks of the site, by name."""

import csv
from importlib.resources import files


def check_names() -> tuple[str, ...]:
    """The names of all checks, in alphabetical order."""
    text = files("retrieval").joinpath("data", "checks.csv").read_text("utf-8")
    return tuple(sorted(row["check"] for row in csv.DictReader(text.splitlines())))
