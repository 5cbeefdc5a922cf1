"""SessionStore over Redis: one key for each thread, and a lock that a dead worker cannot keep."""

import logging
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

from agent import Session
from bot.errors import SessionStoreError, ThreadBusy
from bot.messages import Thread
from bot.redis_client import RedisClient, key_of, milliseconds
from bot.stored_forms import SESSIONS

log = logging.getLogger(__name__)

# Each script first looks whether the lock still carries our token.
_SAVE = """if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('set', KEYS[2], ARGV[2], 'px', ARGV[3]) return 1"""
_RENEW = """if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('pexpire', KEYS[1], ARGV[2])"""
_LET_GO = """if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('del', KEYS[1])"""


class RedisSessions:
    """Sessions as JSON below one key prefix, each with a time to live."""

    def __init__(
        self,
        url: str,
        time_to_live: timedelta,
        *,
        wait: timedelta = timedelta(minutes=2),
        lease: timedelta = timedelta(seconds=30),
    ) -> None:
        """``wait``: how long to wait for a held thread; ``lease``: when a dead worker loses it."""
        self._client = RedisClient(url, SessionStoreError, "the session store")
        self._time_to_live = time_to_live
        self._wait = wait
        self._lease = lease
        self._tokens: dict[Thread, str] = {}

    def ping(self) -> None:
        """Return where the server answers; raises SessionStoreError."""
        self._client.ping()

    def load(self, thread: Thread) -> Session:
        """The thread's session; a new one for a new thread."""
        data = self._client.get(_key("session", thread))
        return Session() if data is None else SESSIONS.decode(data)

    def save(self, thread: Thread, session: Session) -> None:
        """Replace the thread's session; raises SessionStoreError where it is not held."""
        keys = [_key("lock", thread), _key("session", thread)]
        data = SESSIONS.encode(session)
        token = self._tokens.get(thread, "")
        if not self._client.run(_SAVE, keys, [token, data, milliseconds(self._time_to_live)]):
            raise SessionStoreError("a session can only be saved while its thread is held")

    @contextmanager
    def hold(self, thread: Thread) -> Iterator[None]:
        """Keep every other worker off the thread meanwhile; raises ThreadBusy."""
        lock, token = _key("lock", thread), uuid4().hex
        self._take(lock, token)
        self._tokens[thread] = token
        done = threading.Event()
        renewal = threading.Thread(target=self._renew, args=(lock, token, done), daemon=True)
        renewal.start()
        try:
            yield
        finally:
            done.set()
            renewal.join()
            self._tokens.pop(thread, None)
            self._let_go(lock, token)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _take(self, lock: str, token: str) -> None:
        give_up = time.monotonic() + self._wait.total_seconds()
        while True:
            if self._client.set(lock, token, self._lease, new=True):
                return
            if time.monotonic() >= give_up:
                raise ThreadBusy("another question keeps this thread busy")
            time.sleep(0.05)

    def _renew(self, lock: str, token: str, done: threading.Event) -> None:
        while not done.wait(self._lease.total_seconds() / 3):
            try:
                kept = self._client.run(_RENEW, [lock], [token, milliseconds(self._lease)])
            except SessionStoreError:
                log.warning("the lock of a thread could not be renewed", exc_info=True)
                continue
            if not kept:
                log.warning("the lock of a thread was lost; its session will not be saved")
                return

    def _let_go(self, lock: str, token: str) -> None:
        try:
            self._client.run(_LET_GO, [lock], [token])
        except SessionStoreError:
            # The lease ends by itself; the turn was already saved or has already failed.
            log.warning("the lock of a thread could not be released", exc_info=True)


def _key(kind: str, thread: Thread) -> str:
    return key_of(kind, thread.name)
