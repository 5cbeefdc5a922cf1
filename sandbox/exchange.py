"""Hands a job to the keeper inside and judges its reply, which the job may have forged."""

import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sandbox.audit import audit
from sandbox.control_group import ControlGroup
from sandbox.errors import SandboxUnavailable
from sandbox.frames import MalformedMessage, Message, packed, read_message
from sandbox.inside.execute import OUT_OF_MEMORY
from sandbox.job import DroppedFile, Job, JobResult, JobStatus, Limits, OutputFile
from sandbox.output_check import checked
from sandbox.process import Conversation, DeadlinePassed, Ended, Stopped, Unwanted

_GRACE_SECONDS = 3.0
_START_SECONDS = 30.0
_MIB = 1 << 20
_LINE = Annotated[str, Field(max_length=200)]


@dataclass(frozen=True, slots=True)
class Started:
    """A sandbox whose keeper can be talked to."""

    talk: Conversation
    folder: Path
    group: ControlGroup

    @property
    def inputs(self) -> Path:
        """What the keeper sees as /in."""
        return self.folder / "in"

    def out_of_memory(self) -> bool:
        """Whether the kernel ended a process inside because memory was used up."""
        return self.group.killed_for_memory()

    def end(self) -> None:
        """End every process inside and remove what was laid out for it."""
        self.talk.kill()
        self.group.remove()
        shutil.rmtree(self.folder, ignore_errors=True)


class SandboxLost(Exception):
    """The keeper is gone or cannot be believed; ``result`` says what the job gets."""

    def __init__(self, result: JobResult) -> None:
        """Carry the ``result`` to hand back."""
        super().__init__(result.stderr)
        self.result = result


class _Reply(BaseModel):
    """The head of a keeper's reply."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    status: int = Field(ge=-64, le=255)
    stopped: Literal["", "deadline", "printed"]
    seconds: float = Field(ge=0, allow_inf_nan=False)
    names: list[_LINE] = Field(max_length=1000)
    dropped: list[Annotated[list[_LINE], Field(min_length=2, max_length=2)]] = Field(max_length=100)


def wait_until_ready(started: Started) -> None:
    """Return when the keeper can take a job; ends it and raises SandboxUnavailable if not."""
    deadline = time.monotonic() + _START_SECONDS
    try:
        read_message(lambda count: started.talk.read(count, deadline), 0)
    except (Ended, DeadlinePassed, Stopped, MalformedMessage) as error:
        started.end()
        reason = started.talk.complaint()[-1000:] or type(error).__name__
        raise SandboxUnavailable(f"the sandbox did not start: {reason}") from error


def run_in(started: Started, job: Job) -> JobResult:
    """Run ``job`` in a started sandbox.

    Raises SandboxLost when that sandbox cannot run another job.
    """
    talk, limits = started.talk, job.limits
    start = time.monotonic()
    deadline = start + limits.seconds + _GRACE_SECONDS
    try:
        with talk.as_long_as_wanted(job.stopped):
            talk.write(packed(_request(job)), deadline)
            message = read_message(
                lambda count: talk.read(count, deadline),
                2 * limits.printed_bytes + limits.file_bytes,
            )
        reply = _Reply.model_validate(message.head)
        return _result(job, reply, message.bodies, started.out_of_memory())
    except DeadlinePassed as error:
        raise _lost(job, JobStatus.TIMED_OUT, _too_slow(limits), start) from error
    except Stopped as error:
        raise _lost(job, JobStatus.OUT_OF_MEMORY, _too_big(limits), start) from error
    except Unwanted as error:
        raise _lost(job, JobStatus.STOPPED, "Stopped: nobody waits for it.", start) from error
    except (Ended, MalformedMessage, ValidationError) as error:
        talk.kill()
        if started.out_of_memory():
            raise _lost(job, JobStatus.OUT_OF_MEMORY, _too_big(limits), start) from error
        note = "The program ended its own sandbox."
        raise _lost(job, JobStatus.FAILED, note, start) from error


def _request(job: Job) -> Message:
    limits = job.limits
    head: dict[str, object] = {
        "address_space": limits.address_space_mib * _MIB,
        "processes": limits.processes,
        "disk": limits.disk_mib * _MIB,
        "seconds": limits.seconds,
        "printed": limits.printed_bytes,
        "files": limits.files,
        "file_bytes": limits.file_bytes,
    }
    return Message(head, (job.code.encode(),))


def _result(job: Job, reply: _Reply, bodies: tuple[bytes, ...], out_of_memory: bool) -> JobResult:
    limits = job.limits
    if len(bodies) != len(reply.names) + 2 or len(reply.names) > limits.files:
        raise MalformedMessage("bodies do not fit the names")
    stdout, stderr = (each.decode(errors="replace") for each in bodies[:2])
    status, note = _status(reply, limits, stderr, out_of_memory)
    files = [checked(*each) for each in zip(reply.names, bodies[2:], strict=True)]
    dropped = [DroppedFile(name, reason) for name, reason in reply.dropped]
    return JobResult(
        status,
        stdout,
        "\n".join(each for each in (stderr.rstrip("\n"), note) if each),
        tuple(each for each in files if isinstance(each, OutputFile)),
        reply.seconds,
        audit(job.code),
        (*dropped, *(each for each in files if isinstance(each, DroppedFile))),
    )


def _status(
    reply: _Reply, limits: Limits, stderr: str, out_of_memory: bool
) -> tuple[JobStatus, str]:
    """How the job ended, and a line about it when the program could not say so itself."""
    if reply.stopped == "printed":
        return JobStatus.FAILED, f"Stopped: it printed more than {limits.printed_bytes} bytes."
    if reply.stopped == "deadline" or reply.status == -signal.SIGXCPU:
        return JobStatus.TIMED_OUT, _too_slow(limits)
    aborted = reply.status == -signal.SIGABRT and "memory allocation" in stderr
    if reply.status == OUT_OF_MEMORY or aborted or (out_of_memory and reply.status != 0):
        return JobStatus.OUT_OF_MEMORY, _too_big(limits)
    if reply.status == 0:
        return JobStatus.FINISHED, ""
    if reply.status < 0:
        return JobStatus.FAILED, f"Ended by signal {-reply.status}."
    return JobStatus.FAILED, ""


def _lost(job: Job, status: JobStatus, note: str, start: float) -> SandboxLost:
    seconds = time.monotonic() - start
    return SandboxLost(JobResult(status, "", note, (), seconds, audit(job.code)))


def _too_slow(limits: Limits) -> str:
    return f"Stopped: it ran longer than {limits.seconds:g} seconds."


def _too_big(limits: Limits) -> str:
    return f"Stopped: it used more than {limits.memory_mib} MiB of memory, its files included."
