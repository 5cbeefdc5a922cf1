"""Sessions of code: files that stay from one program to the next, and what the programs left."""

import secrets
import shutil
import tempfile
import threading
import time
import weakref
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from pathlib import Path

from sandbox.inside.collect import NAME
from sandbox.job import DroppedFile, Job, JobResult, OutputFile
from sandbox.runner import Sandbox
from sandbox.settings import SandboxSettings

_IN, _OUT = "in", "out"
_MOST_FILES = 100
_PRINTED_BYTES = 50_000
"""Of each stream of a program; whoever wants more writes a file."""


@dataclass(frozen=True, slots=True)
class Refused:
    """Why nothing was done, and what to do instead."""

    text: str


@dataclass(frozen=True, slots=True)
class Kept:
    """What a session's programs left, and what the last of them printed."""

    files: tuple[OutputFile, ...] = ()
    stdout: str = ""
    stderr: str = ""


@dataclass(slots=True)
class _Session:
    id: str
    user: str
    folder: Path
    last_used: float
    started: bool = False
    stopped: bool = False
    left: dict[str, str] = field(default_factory=dict)
    """Media type of each file that its programs left, by name."""
    printed: tuple[str, str] = ("", "")
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def inputs(self) -> list[Path]:
        return sorted((self.folder / _IN).iterdir())

    @property
    def artifacts(self) -> Path:
        return self.folder / _OUT


class CodeSessions:
    """Each session has a folder of its own, and is named by an id that nobody can guess."""

    def __init__(
        self,
        sandbox: Callable[[], Sandbox],
        settings: SandboxSettings,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """``sandbox`` is called when the first session starts; who made it closes it."""
        self._sandbox = sandbox
        self._settings = settings
        self._limits = replace(settings.limits(), printed_bytes=_PRINTED_BYTES)
        self._clock = clock
        self._sessions: dict[str, _Session] = {}
        self._lock = threading.Lock()
        self._folder = Path(tempfile.mkdtemp(prefix="odabot-sessions-", dir=settings.work_dir))
        self._remove = weakref.finalize(self, shutil.rmtree, self._folder, ignore_errors=True)

    def init(self, user: str) -> str | Refused:
        """The id of a new session of ``user``."""
        self._end_unused()
        with self._lock:
            if len(self._sessions) >= self._settings.sessions:
                return Refused(
                    f"There are {len(self._sessions)} sessions, as many as there may be."
                    " Stop one with codeagent_stop, or try again later."
                )
            made = secrets.token_hex(16)
            folder = self._folder / made
            folder.mkdir(mode=0o700)
            (folder / _IN).mkdir()
            (folder / _OUT).mkdir()
            self._sessions[made] = _Session(made, user, folder, self._clock())
        return made

    def start(self, session: str, user: str = "") -> str | Refused:
        """Get ready what runs code, and say what isolates it; raises SandboxUnavailable."""
        found = self._of(session, user)
        if isinstance(found, Refused):
            return found
        with found.lock:
            if found.stopped:
                return _unknown(session)
            sandbox = self._sandbox()
            sandbox.warm_up()
            found.started = True
        return sandbox.name

    def upload(
        self, session: str, name: str, content: bytes, user: str = "", *, append: bool = False
    ) -> int | Refused:
        """Keep ``content`` as the programs' /in/``name``; how many bytes all uploads are now.

        ``append`` adds it to a file of that name, which must be there.
        """
        found = self._started(session, user)
        if isinstance(found, Refused):
            return found
        if not NAME.fullmatch(name):
            return Refused(
                f"{name!a} is no name of a file: letters, digits, spaces, dots, dashes, no folder."
            )
        with found.lock:
            if found.stopped:
                return _unknown(session)
            path = found.folder / _IN / name
            if append:
                if not path.exists():
                    return Refused(f"There is no upload {name} to add to. Begin without append.")
                content = path.read_bytes() + content
            others = [each for each in found.inputs if each != path]
            total = sum(each.stat().st_size for each in others) + len(content)
            if total > self._most_bytes or len(others) >= _MOST_FILES:
                return Refused(
                    f"{name} would make {len(others) + 1} files of {total} bytes; a session holds"
                    f" {_MOST_FILES} files of {self._most_bytes} bytes. Upload less."
                )
            # A file that a job was given may be this very one: it is replaced, not written over.
            path.unlink(missing_ok=True)
            path.write_bytes(content)
            path.chmod(0o644)
        return total

    def execute(
        self,
        session: str,
        code: str,
        user: str = "",
        stopped: Callable[[], bool] = lambda: False,
    ) -> JobResult | Refused:
        """Run ``code`` over the uploads, and keep what it leaves; raises SandboxUnavailable.

        Once ``stopped`` says so, the program is killed.
        """
        found = self._started(session, user)
        if isinstance(found, Refused):
            return found
        with found.lock:
            if found.stopped:
                return _unknown(session)
            job = Job(code, tuple(found.inputs), self._limits, _user_of(found), stopped)
            result = self._with_room(found, self._sandbox().run(job))
            for file in result.outputs:
                (found.artifacts / file.name).write_bytes(file.content)
                found.left[file.name] = file.media_type
            found.printed = (result.stdout, result.stderr)
            found.last_used = self._clock()
        return result

    def artifacts(
        self, session: str, names: Collection[str] = (), user: str = ""
    ) -> Kept | Refused:
        """What the programs left, or the files of these ``names``."""
        found = self._started(session, user)
        if isinstance(found, Refused):
            return found
        with found.lock:
            if found.stopped:
                return _unknown(session)
            missing = [name for name in names if name not in found.left]
            if missing:
                there = f"It has {', '.join(found.left)}." if found.left else "It has none yet."
                return Refused(f"The session has no artifact {missing[0]!a}. {there}")
            files = tuple(
                OutputFile(name, (found.artifacts / name).read_bytes(), media_type)
                for name, media_type in found.left.items()
                if not names or name in names
            )
            return Kept(files, *found.printed)

    def stop(self, session: str, user: str = "") -> Refused | None:
        """Delete the session with everything in it."""
        found = self._of(session, user)
        if isinstance(found, Refused):
            return found
        self._end(found)
        return None

    def close(self) -> None:
        """Stop every session."""
        for each in list(self._sessions.values()):
            self._end(each)
        self._remove()

    @property
    def _most_bytes(self) -> int:
        return self._settings.session_mib << 20

    def _with_room(self, session: _Session, result: JobResult) -> JobResult:
        """``result`` without the files that the session has no room for."""
        fresh = {file.name for file in result.outputs}
        held = [session.artifacts / name for name in session.left if name not in fresh]
        room, number = self._most_bytes - sum(p.stat().st_size for p in held), len(held)
        taken: list[OutputFile] = []
        dropped = list(result.dropped)
        for file in result.outputs:
            if len(file.content) > room or number >= _MOST_FILES:
                dropped.append(DroppedFile(file.name, "the session is full; stop it, init another"))
                continue
            taken.append(file)
            room, number = room - len(file.content), number + 1
        return replace(result, outputs=tuple(taken), dropped=tuple(dropped))

    def _of(self, session: str, user: str) -> _Session | Refused:
        self._end_unused()
        found = self._sessions.get(session)
        if found is None or (user and user != found.user):
            return _unknown(session)
        found.last_used = self._clock()
        return found

    def _started(self, session: str, user: str) -> _Session | Refused:
        found = self._of(session, user)
        if isinstance(found, Refused) or found.started:
            return found
        return Refused("The session is not started. Call codeagent_start first.")

    def _end_unused(self) -> None:
        before = self._clock() - self._settings.session_seconds
        for each in list(self._sessions.values()):
            # One that runs a program is in use, however long ago it was asked to.
            if each.last_used < before and not each.lock.locked():
                self._end(each)

    def _end(self, session: _Session) -> None:
        with self._lock:
            self._sessions.pop(session.id, None)
        with session.lock:
            session.stopped = True
            shutil.rmtree(session.folder, ignore_errors=True)
            if session.started:
                self._sandbox().forget(_user_of(session))


def _unknown(session: str) -> Refused:
    # Whether it is another's is not told: whoever guesses ids should learn nothing.
    return Refused(
        f"There is no session {session[:40]!a}: it was stopped, not used for long, or is another's."
        " Make one with codeagent_init."
    )


def _user_of(session: _Session) -> str:
    """Whose job it is: a session's own, as anyone may call themselves by any name."""
    return f"session {session.id}"
