"""What tells workers that there is something to do: dramatiq, over the same Redis server.

The inbox knows everything by itself. A task that is lost, or comes twice, changes nothing.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import dramatiq
from dramatiq.brokers.redis import RedisBroker

from bot.errors import TurnStoreError
from bot.intake.lanes import is_quick
from bot.messages import Thread
from bot.redis_client import RedisClient, key_named

_QUICK = "quick"
"""What is done at once: clicks, commands, words to one person."""
_TURNS = "turns"
_ADVANCE = "advance"
_WHISPER = "whisper"
_IDLE_MILLISECONDS = 100
"""The longest that a free worker sleeps between two looks at its queue."""


class TaskQueue:
    """Tells workers of every process, and has this process be some of them."""

    def __init__(self, url: str, turns: int = 2, quick: int = 2) -> None:
        """``turns`` and ``quick``: threads of this process, once it is told to start."""
        self._client = RedisClient(url, TurnStoreError, "the queue of tasks")
        self._threads = {_TURNS: turns, _QUICK: quick}
        self._sender = self._broker()
        self._workers: list[dramatiq.Worker] = []

    def advance(self, lane: str) -> None:
        """There is something to do in ``lane``; raises TurnStoreError."""
        self._send(_QUICK if is_quick(lane) else _TURNS, _ADVANCE, lane)

    def whisper(self, thread: Thread, user: str, text: str) -> None:
        """One person is to be told ``text``; raises TurnStoreError."""
        self._send(_QUICK, _WHISPER, thread.platform, thread.channel, thread.root, user, text)

    def start(
        self, advance: Callable[[str], None], whisper: Callable[[Thread, str, str], None]
    ) -> None:
        """Do tasks in threads of this process, until :meth:`stop`; returns at once."""

        def whispered(platform: str, channel: str, root: str, user: str, text: str) -> None:
            whisper(Thread(platform, channel, root), user, text)

        for queue, threads in self._threads.items():
            # A broker each: a worker takes on every queue of its broker.
            broker = self._broker()
            named = partial(dramatiq.actor, queue_name=queue, broker=broker)
            named(actor_name=_ADVANCE)(advance)
            named(actor_name=_WHISPER)(whispered)
            worker = dramatiq.Worker(
                broker, worker_timeout=_IDLE_MILLISECONDS, worker_threads=threads
            )
            # What one worker has fetched, no other can begin.
            worker.queue_prefetch = threads
            worker.start()
            self._workers.append(worker)

    def stop(self, seconds: float) -> None:
        """Begin no further task, and wait so long for those that run."""
        for worker in self._workers:
            worker.stop(timeout=int(seconds * 1000))
        self._workers.clear()

    def alive(self) -> bool:
        """Whether every thread that was started still runs."""
        return bool(self._workers) and all(
            thread.is_alive()
            for worker in self._workers
            for thread in (*worker.workers, *worker.consumers.values())
        )

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _send(self, queue: str, name: str, *arguments: str) -> None:
        message: dramatiq.Message[Any] = dramatiq.Message(
            queue_name=queue, actor_name=name, args=arguments, kwargs={}, options={}
        )
        with self._client.translated():
            self._sender.enqueue(message)

    def _broker(self) -> RedisBroker:
        return RedisBroker(  # type: ignore[no-untyped-call]
            client=self._client.bare, namespace=key_named("queue"), middleware=[]
        )
