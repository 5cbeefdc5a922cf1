"""What is replied to a question back, as the question set says."""

import re
from collections.abc import Sequence

from bot.evaluation.question_set import PutQuestion

MOST_REPLIES = 2
"""Whoever is asked back more often gives up."""


def reply_to(question: PutQuestion, labels: Sequence[str]) -> str | None:
    """The label that the set wants most of those offered, else its own words; None: no reply.

    A question that should be refused is not helped along.
    """
    if question.kind == "refuse":
        return None
    for pattern in question.choose:
        for label in labels:
            if re.search(pattern, label, re.IGNORECASE):
                return label
    return question.reply
