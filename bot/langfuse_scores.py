"""Votes as scores of their traces in Langfuse, by its public API."""

import base64
import json
import logging
import urllib.request
from dataclasses import dataclass
from hashlib import sha256
from http.client import HTTPException

from bot.buttons.voting import Vote
from bot.trace_step import trace_id_of

log = logging.getLogger(__name__)

_SECONDS = 3


@dataclass(frozen=True, slots=True)
class LangfuseScores:
    """One score for each person and trace; a changed vote takes the place of the one before."""

    url: str
    public_key: str
    secret_key: str

    def voted(self, vote: Vote) -> None:
        """Send ``vote``; what Langfuse does not take is logged, and stands in the data folder."""
        person = f"{vote.platform}\n{vote.channel.partition('/')[0]}\n{vote.user}"
        digest = sha256(f"{vote.trace_id}\n{person}".encode("utf-8", "replace")).hexdigest()
        score = {
            "id": f"helpful-{digest[:32]}",
            "traceId": trace_id_of(vote.trace_id),
            "name": "helpful",
            "value": int(vote.helpful),
            "dataType": "BOOLEAN",
        }
        if vote.reason:
            score["comment"] = vote.reason
        keys = base64.b64encode(f"{self.public_key}:{self.secret_key}".encode()).decode()
        headers = {"Authorization": f"Basic {keys}", "Content-Type": "application/json"}
        request = urllib.request.Request(  # noqa: S310 - http or https, by the setting
            f"{self.url}/api/public/scores", json.dumps(score).encode(), headers
        )
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                answer.read()
        except (OSError, HTTPException) as error:
            log.warning("Langfuse did not take a score: %s", error, extra={"action": "score-lost"})
