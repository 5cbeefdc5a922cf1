"""Programs executed by the codeagent tools: one session for all attempts at a task."""

import base64
import binascii
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from agent.budget import Budget
from agent.errors import ToolsUnavailable
from agent.run_context import RunContext
from agent.tools import ToolSet
from agent.tracing import Kind
from sandbox.job import JobResult, JobStatus, OutputFile

_PART_BYTES = 2 << 20


@dataclass(slots=True)
class ToolExecution:
    """The lifecycle of a session: init, start, upload, execute, get artefacts, stop."""

    tools: ToolSet
    context: RunContext
    _session: str = ""
    _uploaded: dict[str, Path] = field(default_factory=dict)
    """What stands in the session under each name: a table may be replaced by another."""

    def execute(self, code: str, inputs: Sequence[Path]) -> JobResult:
        """Run ``code`` with ``inputs`` as /in/<name>; raises ToolsUnavailable or Stopped."""
        budget = self.context.budget
        if not self._session:
            begun = self._call("codeagent_init", {"user": self.context.question.user}, budget)
            self._session = str(begun["session"])
            self._call("codeagent_start", {}, budget)
        for path in inputs:
            if self._uploaded.get(path.name) != path:
                self._upload(path)
                self._uploaded[path.name] = path
        ran = self._call("codeagent_execute", {"code": code}, budget)
        names = [str(file["name"]) for file in _objects(ran, "files")]
        files = self._call("codeagent_get_artifacts", {"names": names}, budget) if names else {}
        return JobResult(
            JobStatus(str(ran["job_status"])),
            str(ran["stdout"]),
            str(ran["stderr"]),
            tuple(_file(each) for each in _objects(files, "files")),
        )

    def close(self) -> None:
        """Delete the session, where one was made."""
        if self._session:
            # Also where the question was stopped: nothing of it is left behind.
            self._call("codeagent_stop", {}, None)
            self._session = ""

    def _upload(self, path: Path) -> None:
        """Send the file in parts that a message can carry."""
        with path.open("rb") as file:
            self._send(path.name, file.read(_PART_BYTES))
            while part := file.read(_PART_BYTES):
                self._send(path.name, part, append=True)

    def _send(self, name: str, part: bytes, **how: bool) -> None:
        given = {"name": name, "content_base64": base64.b64encode(part).decode(), **how}
        self._call("codeagent_upload", given, self.context.budget)

    def _call(
        self, tool: str, arguments: Mapping[str, object], budget: Budget | None
    ) -> Mapping[str, object]:
        given = {"session": self._session, **arguments} if self._session else arguments
        shown = {key: value for key, value in given.items() if key != "content_base64"}
        with self.context.tracer.span(Kind.TOOL, tool, shown) as span:
            result = self.tools.call(tool, given, span.id, budget)
            span.tell(sorted(result.content), problem=result.problem)
        if result.problem:
            raise ToolsUnavailable(f"{tool}: {result.problem}")
        return result.content


def _objects(content: Mapping[str, object], key: str) -> list[Mapping[str, object]]:
    listed = content.get(key)
    return (
        [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    )


def _file(told: Mapping[str, object]) -> OutputFile:
    try:
        content = base64.b64decode(str(told["content_base64"]), validate=True)
    except binascii.Error as error:
        raise ToolsUnavailable("an artefact is not encoded as base64") from error
    return OutputFile(str(told["name"]), content, str(told["media_type"]))
