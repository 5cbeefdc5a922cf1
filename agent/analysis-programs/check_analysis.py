"""Looks at a picture that a program left, and makes other tables to run that program over again.

Run as a job of its own, so that the program cannot have had a hand in it. The host puts the
values of GIVEN before this text: the names of the picture (or none) and of the tables.
"""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
from matplotlib.image import imread

NAMES: dict[str, Any] = globals().get("GIVEN", {})
SOURCE, TARGET = Path("/in"), Path("/out")
MOST_ROWS = 20_000
LEAST_SHARE = 0.002
"""Of the pixels, this share must differ from the most frequent colour."""


def main() -> None:
    """Print the problems with the picture as JSON, and write the changed tables."""
    problems = problems_of(SOURCE / NAMES["picture"]) if NAMES["picture"] else []
    for name in NAMES["tables"]:
        write_changed(name)
    sys.stdout.write(json.dumps(problems))


def problems_of(path: Path) -> list[str]:
    """What is wrong with the picture as it looks."""
    picture = (imread(path) * 255).astype(np.uint8)
    flat = picture.reshape(picture.shape[0] * picture.shape[1], -1)
    if flat.shape[1] == 4 and not flat[:, 3].any():
        return ["the picture is blank: nothing but transparent"]
    seen = flat[:, :3].astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    _, counts = np.unique(seen, return_counts=True)
    if 1 - counts.max() / seen.size < LEAST_SHARE:
        return ["the picture is blank"]
    return []


def write_changed(name: str) -> None:
    """The table under its name, with fewer rows and other numbers in the same columns."""
    source = SOURCE / name
    is_csv = source.suffix.lower() == ".csv"
    frame = pl.read_csv(source, infer_schema_length=None) if is_csv else pl.read_parquet(source)
    kept = frame.head(min(MOST_ROWS, max(2, frame.height - frame.height // 3)))
    step = pl.int_range(pl.len()) % 7
    changed = kept.with_columns(
        (pl.col(name).cast(pl.Float64) * (1.2 + 0.1 * step) + 1 + step).cast(kind, strict=False)
        for name, kind in kept.schema.items()
        if kind.is_numeric()
    )
    if is_csv:
        changed.write_csv(TARGET / name)
    else:
        changed.write_parquet(TARGET / name)


if __name__ == "__main__":
    main()
