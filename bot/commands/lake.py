"""``odabot lake demo``: makes the demo lake, with a bar that moves."""

from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from retrieval.demo_lake import DemoLakeReport, make_demo_lake


def make_lake(out: Path, seed: int, console: Console) -> DemoLakeReport:
    """Write a demo lake to ``out``; raises LakeError where that cannot be done."""
    columns = (
        TextColumn("Demo lake"),
        BarColumn(),
        TextColumn("{task.percentage:3.0f} %"),
        TimeElapsedColumn(),
        TextColumn("{task.description}", style="dim", markup=False),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0)
        report = make_demo_lake(
            out,
            seed,
            lambda done, share: bar.update(task, completed=share, description=done),
        )
    size = f"{report.bytes / 1e6:.0f} MB, {report.files:,} files, {report.rows / 1e6:.0f} M rows"
    console.print(Text(f"Demo lake in {report.path}: {size}, {report.jobs:,} jobs."))
    return report
