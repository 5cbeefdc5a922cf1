"""Words of a question that may be passed over, since no answer depends on them."""

from functools import cache
from importlib.resources import files


@cache
def ignored_words() -> frozenset[str]:
    """The words, in lower case."""
    text = files("retrieval").joinpath("data", "ignored_words.txt").read_text("utf-8")
    return frozenset(text.split())
