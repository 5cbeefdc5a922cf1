"""What a real model once replied, kept in a file; found again by all that the reply depends on."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx

from tests.fakes.model_server import Said, fingerprint

FOLDER = Path(__file__).parents[1] / "recordings"
_PATIENCE = 600.0
"""Seconds for one reply; a small model on a busy processor needs a minute."""


@dataclass
class Recordings:
    """Replies by fingerprint; with ``upstream`` what is missing is asked of it and kept."""

    name: str
    upstream: str = ""
    said: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.path.exists():
            for line in self.path.read_text("utf-8").splitlines():
                entry = json.loads(line)
                self.said[entry["prompt"]] = entry

    @property
    def path(self) -> Path:
        """One line of JSON for each reply."""
        return FOLDER / f"{self.name}.jsonl"

    def respond(self, body: Mapping[str, Any]) -> Said | None:
        """The reply to a request; None where there is none and nobody to ask."""
        key = fingerprint(body)
        if key not in self.said and self.upstream:
            self.said[key] = self._asked(key, body)
        if key not in self.said:
            return None
        entry = self.said[key]
        return Said(entry["reply"], entry["finish"], entry["sent"], entry["written"])

    def save(self, used: set[str]) -> None:
        """Write the entries that are ``used``, in the order of their keys."""
        lines = [json.dumps(self.said[key], ensure_ascii=False) for key in sorted(used)]
        self.path.write_text("\n".join(lines) + "\n", "utf-8")

    def _asked(self, key: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        models = httpx.get(f"{self.upstream}/models", timeout=30).raise_for_status().json()
        name = models["data"][0]["id"]
        got = httpx.post(
            f"{self.upstream}/chat/completions", json={**body, "model": name}, timeout=_PATIENCE
        )
        reply = got.raise_for_status().json()
        choice = reply["choices"][0]
        return {
            "prompt": key,
            "model": name,
            "date": datetime.now(UTC).date().isoformat(),
            "asked": body["messages"][-1]["content"],
            "reply": choice["message"]["content"],
            "finish": choice["finish_reason"],
            "sent": reply["usage"]["prompt_tokens"],
            "written": reply["usage"]["completion_tokens"],
        }
