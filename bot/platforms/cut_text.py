"""Text in no more characters than a platform takes."""


def cut(text: str, length: int) -> str:
    """``text`` in at most ``length`` characters; says by a sign that there was more."""
    return text if len(text) <= length else text[: length - 1] + "\N{HORIZONTAL ELLIPSIS}"
