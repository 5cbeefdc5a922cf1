"""A bench on which programs, as a model may write them, are run over a small table."""

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import polars as pl

from agent.analysis_task import AnalysisTask, InputColumn, InputTable
from agent.budget import Budget
from agent.code_agent import Drawn
from agent.code_execution import Executes, InSandbox
from agent.deep_code_agent import DeepCodeAgent
from agent.language_model import Prompt
from agent.run_context import RunContext
from agent.session import Question
from sandbox.job import Limits
from sandbox.runner import Sandbox
from tests.fakes.scripted_model import ScriptedModel

START = datetime(2022, 6, 1, tzinfo=UTC)
READ = """
import pandas as pd
import matplotlib.pyplot as plt
table = pd.read_parquet("/in/power.parquet")
"""


def fenced(code: str) -> str:
    return f"```python\n{code}\n```"


class Bench:
    """A task over a small table of two nodes, and a model that replies as it is told."""

    def __init__(self, sandbox: Sandbox, folder: Path) -> None:
        self.folder = folder
        self.execution: Executes = InSandbox(sandbox, Limits(seconds=20), "ada")
        self.model = ScriptedModel([])
        path = folder / "power.parquet"
        times = [START + timedelta(minutes=n) for n in range(200)]
        pl.DataFrame(
            {"node": ["900", "901"] * 100, "t": times, "v": np.sin(np.arange(200)) * 40 + 700}
        ).write_parquet(path)
        columns = (
            InputColumn("node", "text"),
            InputColumn("t", "time"),
            InputColumn("v", "number", "total power", "W"),
        )
        self.table = InputTable(path, columns, 200, (("900", START, 700.0),))

    def work_on(
        self,
        replies: Iterable[str] | Callable[[Prompt], str],
        *,
        picture: bool = True,
        numbers: bool = False,
        calls: int = 10,
        attempts: int = 3,
        confirms: bool = False,
        words: str = "violin plot of the power",
    ) -> Drawn:
        self.model = ScriptedModel(replies)
        task = AnalysisTask(words, (self.table,), picture, numbers)
        question = Question("?", START, "trace")
        self.budget = Budget(100_000, calls, 600)
        context = RunContext(question, self.folder, self.budget)
        return DeepCodeAgent(self.model, attempts, confirms).work_on(task, self.execution, context)

    @property
    def told(self) -> str:
        """What the model was told last."""
        return self.model.asked[-1].request
