"""What the page tells a newcomer: whose data these are, what time it is, what one can ask."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

PAGE = Path(__file__).parent / "page"


@dataclass(frozen=True, slots=True)
class PageSite:
    """The site as the page introduces it."""

    name: str
    time_zone: str
    now: str = ""
    """The moment at which the clock stands, where it does not run."""
    about: str = ""
    """One sentence on the data."""

    def as_json(self) -> dict[str, object]:
        """The site with the questions that a newcomer can click."""
        examples = json.loads((PAGE / "examples.json").read_text("utf-8"))
        return asdict(self) | {"examples": examples}
