"""The sub-agent of analysis: has a program written for a task, over the codeagent tools."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from agent.analysis_task import AnalysisTask, input_of_answer
from agent.answer import Answered, AnswerTable
from agent.chart_choice import chart_words
from agent.deep.sub_agent import Report
from agent.deep.tool_execution import ToolExecution
from agent.deep_code_agent import DeepCodeAgent
from agent.run_context import RunContext
from agent.tools import ToolSet
from sandbox.errors import SandboxUnavailable

_DRAWS = re.compile(
    r"\b(?:plot|chart|graph|draw|histogram|heat ?map|figure|picture)", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class AnalysisAgent:
    """Works over the tables that were retrieved before; gets none by itself."""

    programs: DeepCodeAgent
    tools: ToolSet
    description: str = (
        "writes and runs a Python program over the retrieved tables: plots, statistics"
    )

    def work(self, words: str, tables: Sequence[AnswerTable], context: RunContext) -> Report:
        """The picture and the results of the task ``words``."""
        if not tables:
            return Report(problem="there is no table to work on")
        draws = bool(_DRAWS.search(words)) or chart_words(words).wants_chart
        inputs = tuple(input_of_answer(table) for table in tables)
        task = AnalysisTask(words, inputs, wants_picture=draws, wants_numbers=not draws)
        execution = ToolExecution(self.tools, context)
        try:
            drawn = self.programs.work_on(task, execution, context)
        except SandboxUnavailable as error:
            return Report(problem=str(error))
        finally:
            execution.close()
        if drawn.problem:
            return Report(problem=drawn.problem, code=(drawn.code,))
        return Report(
            found=Answered("", drawn.tables) if drawn.tables else None,
            artifacts=(drawn.artifact,) if drawn.artifact is not None else (),
            code=(drawn.code,),
            notes=drawn.notes,
        )

    def resume(self, request_id: str, choice: str, context: RunContext) -> Report:
        """Programs ask nothing back."""
        return Report(problem="nothing waits for a choice here")
