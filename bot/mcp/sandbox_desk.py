"""What the codeagent_* tools do, without a protocol: sessions of code by name."""

import base64
import binascii
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from agent.tracing import Kind, Tracer
from sandbox.errors import SandboxUnavailable
from sandbox.job import JobResult, OutputFile
from sandbox.sessions import CodeSessions, Kept, Refused

Json = dict[str, Any]

_log = logging.getLogger(__name__)
_MOST_TOLD = 32 << 20
"""Bytes of files in one reply."""


@dataclass(frozen=True, slots=True)
class Caller:
    """On whose behalf a tool is called, and below which step of theirs."""

    user: str = ""
    traceparent: str = ""
    has_left: Callable[[], bool] = lambda: False
    """Whether nobody waits for the reply any more: a program that runs then is killed."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A file, or the next part of one."""

    name: str
    content_base64: str
    append: bool = False


@dataclass(frozen=True, slots=True)
class SandboxDesk:
    """Each reply is one JSON object; what was refused says what to do instead."""

    sessions: CodeSessions
    tracer: Tracer

    def init(self, caller: Caller) -> Json:
        """A new session, by its name."""

        def work() -> Json | Refused:
            made = self.sessions.init(caller.user)
            if isinstance(made, Refused):
                return made
            return _done(made, "Call codeagent_start next.")

        return self._traced("codeagent_init", {}, caller, work)

    def start(self, session: str, caller: Caller) -> Json:
        """The session, ready to take files and programs."""

        def work() -> Json | Refused:
            name = self.sessions.start(session, caller.user)
            if isinstance(name, Refused):
                return name
            text = "Programs find the uploads in /in and leave files in /out. There is no network."
            return _done(session, text, isolation=name, language="python")

        return self._traced("codeagent_start", {"session": session}, caller, work)

    def upload(self, session: str, upload: Upload, caller: Caller) -> Json:
        """A file of the session, or a further part of one."""

        def work() -> Json | Refused:
            try:
                content = base64.b64decode(upload.content_base64, validate=True)
            except (binascii.Error, ValueError) as error:
                return Refused(f"content_base64 is not base64 ({error}). Encode the file's bytes.")
            total = self.sessions.upload(
                session, upload.name, content, caller.user, append=upload.append
            )
            if isinstance(total, Refused):
                return total
            text = f"Programs find it as /in/{upload.name}."
            return _done(session, text, bytes_in_session=total)

        given = {"session": session, "name": upload.name, "append": upload.append}
        return self._traced("codeagent_upload", given, caller, work)

    def execute(self, session: str, code: str, caller: Caller) -> Json:
        """What a program printed and left behind; one that fails is no failure of the call."""

        def work() -> Json | Refused:
            result = self.sessions.execute(session, code, caller.user, caller.has_left)
            return result if isinstance(result, Refused) else _executed(session, result)

        given = {"session": session, "code": code}
        return self._traced("codeagent_execute", given, caller, work)

    def artifacts(self, session: str, names: Sequence[str], caller: Caller) -> Json:
        """The files that programs left, and what the last of them printed."""

        def work() -> Json | Refused:
            kept = self.sessions.artifacts(session, names, caller.user)
            return kept if isinstance(kept, Refused) else _handed_out(session, kept)

        given = {"session": session, "names": list(names)}
        return self._traced("codeagent_get_artifacts", given, caller, work, told=_without_content)

    def stop(self, session: str, caller: Caller) -> Json:
        """The end of a session, with everything in it."""

        def work() -> Json | Refused:
            refused = self.sessions.stop(session, caller.user)
            return refused or _done(session, "The session and its files are deleted.")

        return self._traced("codeagent_stop", {"session": session}, caller, work)

    def _traced(
        self,
        tool: str,
        given: Json,
        caller: Caller,
        work: Callable[[], Json | Refused],
        told: Callable[[Json], Json] = lambda reply: reply,
    ) -> Json:
        with self.tracer.span(Kind.TOOL, tool, given, caller.traceparent) as span:
            try:
                done = work()
            except SandboxUnavailable as error:
                _log.error("No sandbox: %s", error, extra={"action": "no-sandbox", "tool": tool})
                done = Refused("This host cannot isolate code, so none is run (see odabot check).")
            if isinstance(done, Refused):
                span.tell(problem=done.text)
                return {"status": "failed", "text": done.text}
            span.tell(told(done))
        return done


def _done(session: str, text: str, **more: object) -> Json:
    return {"status": "completed", "text": text, "session": session, **more}


def _executed(session: str, result: JobResult) -> Json:
    text = f"Job status: {result.status.value}"
    return _done(
        session,
        f"{text}." if not result.stderr else f"{text}; see stderr.",
        job_status=result.status.value,
        stdout=result.stdout,
        stderr=result.stderr,
        seconds=round(result.seconds, 3),
        files=[_described(file) for file in result.outputs],
        dropped=[{"name": each.name, "reason": each.reason} for each in result.dropped],
        findings=[{"line": each.line, "construct": each.construct} for each in result.findings],
    )


def _handed_out(session: str, kept: Kept) -> Json | Refused:
    total = sum(len(file.content) for file in kept.files)
    if total > _MOST_TOLD:
        sizes = ", ".join(f"{file.name} ({len(file.content)} bytes)" for file in kept.files)
        return Refused(f"These are too many bytes for one reply; ask for some by names: {sizes}.")
    return _done(
        session,
        f"{len(kept.files)} files.",
        files=[_described(file) | _content(file) for file in kept.files],
        stdout=kept.stdout,
        stderr=kept.stderr,
    )


def _described(file: OutputFile) -> Json:
    return {"name": file.name, "media_type": file.media_type, "bytes": len(file.content)}


def _content(file: OutputFile) -> Json:
    encoded: Json = {"content_base64": base64.b64encode(file.content).decode()}
    if file.media_type.startswith("text/") or file.media_type == "application/json":
        encoded["text"] = file.content.decode()
    return encoded


def _without_content(reply: Json) -> Json:
    """``reply`` as a trace keeps it."""
    files = [{key: file[key] for key in ("name", "media_type", "bytes")} for file in reply["files"]]
    return reply | {"files": files}
