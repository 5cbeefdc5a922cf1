"""A stub server that runs on a port of this machine, and what people do there."""

import asyncio
import ssl
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager
from copy import deepcopy
from pathlib import Path
from typing import Any, TypeVar

from aiohttp import web

from tests.mattermost_stub import action_routes, post_routes
from tests.mattermost_stub.calls import Call, Fault
from tests.mattermost_stub.posts import for_clients, new_post
from tests.mattermost_stub.records import (
    ADA,
    BOT,
    OPS,
    TEAM,
    Json,
    ServerSettings,
    World,
    new_id,
    small_world,
)
from tests.mattermost_stub.routes import application
from tests.mattermost_stub.server import Server

T = TypeVar("T")


class MattermostStub:
    """One running server. Every method may be called from any thread of the test."""

    def __init__(self, server: Server, loop: asyncio.AbstractEventLoop, ca: Path | None) -> None:
        self._server = server
        self._loop = loop
        self.ca = ca
        """Where the certificate is by which clients know the server; None without TLS."""

    @property
    def url(self) -> str:
        """Its address, ``http://127.0.0.1:port`` or ``https://localhost:port``."""
        return self._server.url

    @property
    def settings(self) -> ServerSettings:
        """What the administrator has set; may be changed."""
        return self._server.world.settings

    @property
    def world(self) -> World:
        """All records, to be looked at."""
        return self._server.world

    @property
    def complaints(self) -> list[str]:
        """What the real server lets pass, and what is a mistake all the same."""
        return self._server.world.complaints

    def _run(self, what: Coroutine[Any, Any, T], seconds: float = 60) -> T:
        return asyncio.run_coroutine_threadsafe(what, self._loop).result(seconds)

    def _look(self, what: Callable[[], T]) -> T:
        async def look() -> T:
            return what()

        return self._run(look())

    # What people do.

    def say(
        self,
        text: str,
        *,
        user: str = ADA,
        channel: str = OPS,
        root: str = "",
        **fields: object,
    ) -> str:
        """Have ``user`` write ``text``, in the thread of ``root``; the id of the post.

        ``fields``: others of a post, ``props`` for one. Raises AppError.
        """

        async def act() -> str:
            sent = {"channel_id": channel, "message": text, "root_id": root} | fields
            post = new_post(self.world, sent, user)
            # As people may not, and the server itself does: joined, left, ...
            post["type"], kind = "", post["type"]
            done = await post_routes.publish(self._server, post | {"type": kind})
            return str(done["id"])

        return self._run(act())

    def mention(self, text: str, *, user: str = ADA, channel: str = OPS, root: str = "") -> str:
        """Have ``user`` write ``text`` to the bot; the id of the post."""
        return self.say(f"@odabot {text}", user=user, channel=channel, root=root)

    def edit(self, post_id: str, text: str) -> None:
        """Have whoever wrote a post change what it says."""

        async def act() -> None:
            post = self.world.posts[post_id]
            await post_routes.change(self._server, post, post | {"message": text})

        self._run(act())

    def delete(self, post_id: str) -> None:
        """Have whoever wrote a post take it away."""

        async def act() -> None:
            await post_routes.remove(self._server, self.world.posts[post_id])

        self._run(act())

    def press(self, post_id: str, button: str, *, user: str = ADA) -> Json:
        """Have ``user`` press the button of that name (or id); raises AppError."""
        return self.choose(post_id, button, "", user=user)

    def choose(self, post_id: str, menu: str, option: str, *, user: str = ADA) -> Json:
        """Have ``user`` choose the option of that value in a menu, by its name; raises AppError."""
        by_name = {action["name"]: str(action["id"]) for action in self.actions(post_id)}
        action_id = by_name.get(menu, menu)
        return self._run(action_routes.pressed(self._server, post_id, action_id, user, option))

    def command(self, text: str, *, user: str = ADA, channel: str = OPS) -> Json:
        """Have ``user`` type ``/odabot text``; what we answered. Raises AppError."""
        typed = f"/odabot {text}".strip()
        return self._run(action_routes.executed(self._server, user, channel, typed))

    def add_command(self, url: str, trigger: str = "odabot") -> str:
        """Have the administrator make a slash command, in place of one of that name; its token."""

        def act() -> str:
            token = new_id()
            for other in [c for c in self.world.commands.values() if c["trigger"] == trigger]:
                del self.world.commands[other["id"]]
            self.world.commands[token] = {
                "id": token,
                "token": token,
                "creator_id": ADA,
                "team_id": TEAM,
                "trigger": trigger,
                "method": "P",
                "url": url,
                "delete_at": 0,
            }
            return token

        return self._look(act)

    def add_person(self, name: str, *channels: str) -> str:
        """Somebody new in the team and these channels; their id."""

        def act() -> str:
            user = str(self.world.add_user(name)["id"])
            self.world.team_members[TEAM].append(user)
            self.world.tokens[new_id()] = user
            for channel in channels:
                self.world.members[channel].append(user)
            return user

        return self._look(act)

    def add_channel(self, name: str, members: Sequence[str], kind: str = "O") -> str:
        """A channel of the team; its id."""
        made = self._look(lambda: self.world.add_channel(name, kind, list(members)))
        return str(made["id"])

    def direct_channel(self, user: str = ADA) -> str:
        """The id of the channel between ``user`` and the bot."""
        return str(self._look(lambda: self.world.direct_channel(user, BOT))[0]["id"])

    def group_channel(self, *users: str) -> str:
        """The id of a new group message of these people and the bot."""
        members = [*users, BOT]
        name = "group" + new_id()
        made = self._look(lambda: self.world.add_channel(name, "G", members, team=""))
        return str(made["id"])

    # What there is to see.

    def post(self, post_id: str) -> Json:
        """A post as clients see it, deleted or not."""
        return self._look(lambda: for_clients(self.world.posts[post_id], self.world))

    def posts(self, channel: str = OPS) -> list[Json]:
        """What stands in a channel, oldest first."""

        def look() -> list[Json]:
            return [
                for_clients(post, self.world)
                for post in self.world.posts.values()
                if post["channel_id"] == channel and not post["delete_at"]
            ]

        return self._look(look)

    def thread(self, root: str) -> list[Json]:
        """A thread, the first post included, oldest first."""
        return self._look(
            lambda: [for_clients(post, self.world) for post in self.world.thread(root)]
        )

    def replies(self, root: str) -> list[Json]:
        """What the bot wrote in a thread."""
        return [post for post in self.thread(root) if post["user_id"] == BOT]

    def whispers(self, user: str = ADA) -> list[Json]:
        """The ephemeral posts that ``user`` saw."""
        return self._look(lambda: [deepcopy(p) for to, p in self.world.whispers if to == user])

    def actions(self, post_id: str) -> list[Json]:
        """The buttons and menus of a post or an ephemeral one, with what they hold."""

        def look() -> list[Json]:
            post = self.world.posts.get(post_id) or self.world.cookies[post_id]
            attachments = post["props"].get("attachments", [])
            return [deepcopy(a) for each in attachments for a in each.get("actions", [])]

        return self._look(look)

    def file(self, file_id: str) -> tuple[str, bytes]:
        """Name and content of a file."""
        return self._look(
            lambda: (str(self.world.files[file_id]["name"]), self.world.contents[file_id])
        )

    def wait_for(self, what: Callable[[], T], seconds: float = 30) -> T:
        """What ``what`` brings, once that is true."""
        give_up = time.monotonic() + seconds
        while not (found := what()):
            assert time.monotonic() < give_up, "it did not happen"
            time.sleep(0.02)
        return found

    def wait_for_replies(self, root: str, count: int, seconds: float = 30) -> list[Json]:
        """What the bot wrote in a thread, once there are so many posts of it."""
        give_up = time.monotonic() + seconds
        while len(ours := self.replies(root)) < count:
            assert time.monotonic() < give_up, f"{len(ours)} of {count}: {self.thread(root)}"
            time.sleep(0.02)
        return ours

    def wait_for_listener(self, user: str = BOT, count: int = 1, seconds: float = 30) -> None:
        """Return once so many websockets of ``user`` are open and let in."""
        self.wait_for(lambda: self.listeners(user) >= count, seconds)

    def listeners(self, user: str = BOT) -> int:
        """How many websockets of ``user`` are open."""
        return self._look(lambda: self._server.hub.listeners(user))

    def calls(self, *operations: str) -> list[Call]:
        """The requests to these operations (``POST /posts``), or all; oldest first."""
        return self._look(
            lambda: [c for c in self._server.calls if not operations or c.operation in operations]
        )

    # How it goes wrong.

    def fail(self, operation: str, *faults: Fault) -> None:
        """Have the next requests to ``operation`` ("": to any) fail, each by one of ``faults``."""
        waiting = self._server.faults.waiting
        self._look(lambda: waiting.setdefault(operation, deque()).extend(faults))

    def fail_share(self, share: float, seed: int = 0) -> None:
        """Have such a share of all requests fail, by all kinds of faults in turn."""

        def act() -> None:
            self._server.faults.share = share
            self._server.faults.dice.seed(seed)

        self._look(act)

    def reset_sockets(self) -> None:
        """End all websockets by a TCP reset."""
        self._look(self._server.hub.reset)

    def close_sockets(self, code: int = 1000) -> None:
        """End all websockets by a close frame."""
        self._run(self._server.hub.close(code))

    def refuse_sockets(self, count: int) -> None:
        """Answer 503 to so many of the next websockets."""
        self._set("refuse", count)

    def forget_sockets(self) -> None:
        """Reset all websockets, and resume none: as when the server was restarted."""
        self._look(self._server.hub.forget)

    def lose_events(self, count: int) -> None:
        """Send so many of the next ``posted`` events to nobody, though they are counted."""
        self._set("lose", count)

    def double_events(self, count: int) -> None:
        """Send so many of the next ``posted`` events twice."""
        self._set("double", count)

    def hold_events(self) -> None:
        """Keep events back."""
        self._set("hold", True)

    def let_events_go(self) -> None:
        """Send what was kept back, last things first."""
        self._run(self._server.hub.let_go())

    def hush(self, silent: bool = True) -> None:
        """Send nothing on open websockets, nor answer pings: as when a route was lost."""
        self._set("hush", silent)

    def ping(self) -> None:
        """Ping all websockets, as the server does every minute."""
        self._run(self._server.hub.ping())

    @property
    def hellos(self) -> int:
        """How many websockets were let in anew."""
        return self._server.hub.hellos

    @property
    def resumed(self) -> int:
        """How many websockets went on where one broke."""
        return self._server.hub.resumed

    def _set(self, name: str, value: object) -> None:
        self._look(lambda: setattr(self._server.hub, name, value))

    def reset(self) -> None:
        """Behave again: no faults, the settings of the beginning, no posts, whispers or calls."""

        def act() -> None:
            self._server.faults.clear()
            hub = self._server.hub
            hub.lose = hub.double = hub.refuse = hub.hellos = hub.resumed = 0
            hub.hush = hub.hold = False
            hub.held.clear()
            hub.forget_closed()
            fresh = ServerSettings()
            for name in fresh.__dataclass_fields__:
                setattr(self.settings, name, getattr(fresh, name))
            world = self.world
            for records in (world.posts, world.cookies, world.files, world.contents, world.pending):
                records.clear()
            world.whispers.clear()
            world.groups.clear()
            self._server.calls.clear()

        self._look(act)


@contextmanager
def mattermost_stub(
    *, port: int = 0, tls: tuple[ssl.SSLContext, Path] | None = None, strict: bool = True
) -> Iterator[MattermostStub]:
    """A server, until the block is left; then it says what it had to complain of, if ``strict``.

    ``tls``: as :func:`tests.mattermost_stub.certificates.self_signed` makes it.
    """
    server = Server(small_world(ServerSettings()))
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    context, ca = tls or (None, None)
    runner = web.AppRunner(application(server), access_log=None, shutdown_timeout=0.2)

    async def start() -> None:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port, ssl_context=context)
        await site.start()
        chosen = runner.addresses[0][1]
        server.url = f"https://localhost:{chosen}" if context else f"http://127.0.0.1:{chosen}"

    async def stop() -> None:
        server.hub.reset()
        await server.close()
        await runner.cleanup()
        # A request whose client is gone may still wait for its turn.
        left = asyncio.all_tasks() - {asyncio.current_task()}
        for task in left:
            task.cancel()
        await asyncio.gather(*left, return_exceptions=True)

    asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield MattermostStub(server, loop, ca)
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result(30)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
    if strict:
        assert not server.world.complaints, "\n".join(server.world.complaints)
