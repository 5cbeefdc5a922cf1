"""Keeps a connection to Mattermost, and has whatever was written taken in once, gap or no gap."""

import logging
import random
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from bot.errors import BotError, PlatformError
from bot.messages import IncomingMessage
from bot.platforms.mattermost_channels import Get
from bot.platforms.mattermost_events import Ears, Post, read_message, read_posted
from bot.platforms.mattermost_history import MattermostHistory, understood
from bot.platforms.mattermost_socket import Event, MattermostSocket

log = logging.getLogger(__name__)

_CLOSING_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Watch:
    """How closely the connection is watched, all in seconds."""

    every: float = 60.0
    connecting: float = 30.0
    first_pause: float = 0.5
    longest_pause: float = 30.0

    def pause(self, failures: int) -> float:
        """How long to wait after so many failures on end: longer each time, and never in step."""
        longest = min(self.longest_pause, self.first_pause * 2 ** min(failures, 16))
        # No secret hangs on it.
        return random.uniform(longest / 2, longest)  # noqa: S311


class MattermostListener:
    """Listens in a thread of its own.

    A post counts as heard once ``receive`` has returned from it; what it does not return from, and
    what happened while there was no connection, is read from the channels afterwards.
    """

    def __init__(
        self,
        socket: MattermostSocket,
        get: Get,
        history: MattermostHistory,
        receive: Callable[[IncomingMessage], None],
        *,
        bots_heard: frozenset[str] = frozenset(),
        watch: Watch = Watch(),
        report: Callable[[str], None] = lambda trouble: None,
    ) -> None:
        """``report`` is told after each look what is wrong; nothing where all is well."""
        self._socket = socket
        self._get = get
        self._history = history
        self._receive = receive
        self._bots_heard = bots_heard
        self._watch = watch
        self._report = report
        self._ears = Ears("", "")
        self._failures = 0
        self._trouble = "not connected yet"
        self._not_told: set[str] = set()
        self._tried = threading.Event()
        self._ending = threading.Event()
        self._thread = self._new_thread()

    def ears(self) -> Ears:
        """Who we are, as Mattermost said last; raises PlatformError where it never did."""
        if not self._ears.user:
            self._ears = self._who_we_are()
        return self._ears

    def open(self) -> None:
        """Connect; raises PlatformError where Mattermost refuses us or is not reached.

        May be called again where it failed.
        """
        self._ears = self._who_we_are()
        self._thread, self._trouble = self._new_thread(), "not connected yet"
        self._tried.clear()
        self._ending.clear()
        self._thread.start()
        self._tried.wait(self._watch.connecting)
        if self._trouble:
            self.close()
            raise PlatformError(f"Mattermost: {self._trouble}")

    def alive(self) -> bool:
        """Whether the connection is still looked after."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Hang up; harmless where there is no connection."""
        self._ending.set()
        self._socket.hang_up()
        if self._thread.is_alive():
            self._thread.join(_CLOSING_SECONDS)

    def _new_thread(self) -> threading.Thread:
        return threading.Thread(target=self._run, name="mattermost-socket", daemon=True)

    def _run(self) -> None:
        while not self._ending.is_set():
            try:
                self._listen()
            except BotError as error:
                if not self._ending.is_set():
                    self._tell(str(error))
                    log.warning("%s", error, extra={"action": "mattermost_reconnect"})
                    self._tried.set()
            self._failures += 1
            self._ending.wait(self._watch.pause(self._failures - 1))

    def _listen(self) -> None:
        """Take in what happens, until the connection breaks or nobody listens any more."""
        with self._socket.connected():
            self._catch_up()
            self._not_told = set()
            self._failures = 0
            self._tell("")
            self._tried.set()
            log.info("connected to Mattermost", extra={"action": "mattermost_connected"})
            self._hear_until_the_end()

    def _hear_until_the_end(self) -> None:
        look_at = time.monotonic() + self._watch.every
        while not self._ending.is_set():
            event = self._socket.next(look_at - time.monotonic())
            if event is not None:
                self._hear(event)
            if time.monotonic() >= look_at:
                self._look()
                look_at = time.monotonic() + self._watch.every

    def _hear(self, event: Event) -> None:
        if event.missed:
            log.warning("events were not told", extra={"action": "mattermost_gap"})
            # First what was written first.
            self._catch_up()
        if event.name != "posted":
            return
        post = read_posted(event.data)
        if post is not None:
            self._not_told.discard(post.id)
            if not self._history.heard.has(post.id):
                self._take(post)

    def _look(self) -> None:
        """Ask who we are and what was written, and connect anew where the connection is deaf."""
        try:
            self._ears = self._who_we_are()
            found = self._catch_up()
        except PlatformError as error:
            self._tell(str(error))
            log.warning("%s", error, extra={"action": "mattermost_unreachable"})
            return
        if self._not_told:
            # They stood in the channels at the last look, and the connection never told.
            self._socket.forget()
            raise PlatformError("the connection does not tell what is written")
        self._not_told = found
        self._tell("")

    def _catch_up(self) -> set[str]:
        """Take in what was not heard; the ids of these posts."""
        unheard = self._history.unheard()
        for post in unheard.posts:
            self._take(post)
        if unheard.until:
            self._history.heard.complete(unheard.until)
        if unheard.posts:
            extra = {"action": "mattermost_caught_up", "posts": len(unheard.posts)}
            log.info("read back what was written meanwhile", extra=extra)
        return {post.id for post in unheard.posts}

    def _take(self, post: Post) -> None:
        message = read_message(post, self._ears)
        if message is not None:
            self._receive(message)
        self._history.heard.note(post.id, post.created)

    def _who_we_are(self) -> Ears:
        told = self._get("/users/me")
        with understood():
            return Ears(str(told["id"]), str(told["username"]), self._bots_heard)

    def _tell(self, trouble: str) -> None:
        self._trouble = trouble
        self._report(trouble)
