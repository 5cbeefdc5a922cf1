"""A stand-in for a Mattermost server, ours: what we need of REST v4 and its websocket, over HTTP.

No Mattermost server stands in the package registries, so this one is written here. It keeps to
what a server of version 5.37 does, and is held to clients that we did not write by
``tests/contract/test_mattermost_stub.py``. Use::

    with mattermost_stub() as stub:            # over TLS: mattermost_stub(tls=self_signed(folder))
        stub.url, BOT_TOKEN                    # for our settings; also BOT, ADA, BEN, TEAM
        token = stub.add_command("http://127.0.0.1:8080/mattermost/command")
        root = stub.mention("how hot is r205n12?", user=ADA, channel=OPS)   # id of the post
        [reply] = stub.wait_for_replies(root, 1)        # posts of the bot, as clients see them
        stub.press(reply["id"], "Show the query", user=BEN)   # raises AppError as Ben would see it
        stub.choose(reply["id"], "Which rack?", "r205"); stub.command("help"); stub.whispers(ADA)
        stub.fail("POST /posts", Limited(1), Dropped(done=True))   # faults of tests.fault_proxy
        stub.reset_sockets(); stub.lose_events(1); stub.hush()     # and so on

The world at first: the team ``m100`` with the bot, Ada and Ben; the channels ``ops`` and ``quiet``
with all three; the private channel ``secret`` without the bot. ``stub.settings`` is what the
administrator sets, e.g. ``stub.settings.may_whisper = False`` as on a fresh server, or
``allowed_untrusted = ""``. ``stub.reset()`` makes it good again between tests that share a server.

Where the real server is lenient and we are wrong (a field that it does not know, an action's id
that it never calls, an attachment's field misspelt) it does as the real one and *complains*: the
block ends with an AssertionError, unless ``mattermost_stub(strict=False)``; see
``stub.complaints``.

Worth knowing, as with the real one: a patch with ``props`` replaces all of them, ``from_bot`` too;
the limit of 8,000 runes of ``props`` counts every field of every attachment, also empty ones, and
"<", ">" and "&" as six; an integration's ``update`` without ``props`` keeps the old buttons, and
loses the files of the post unless it names ``file_ids``; only who sends its token as a header with
the websocket's request can resume (``connection_id``, ``sequence_number``: the next one expected),
not who is known by the challenge alone; errors have no ``detailed_error`` outside developer mode.
"""

from tests.mattermost_stub.calls import Call, Fault
from tests.mattermost_stub.errors import AppError
from tests.mattermost_stub.records import (
    ADA,
    ADA_TOKEN,
    BEN,
    BEN_TOKEN,
    BOT,
    BOT_TOKEN,
    OPS,
    QUIET,
    SECRET,
    TEAM,
    ServerSettings,
    fixed_id,
)
from tests.mattermost_stub.running import MattermostStub, mattermost_stub

__all__ = [
    "mattermost_stub",
    "MattermostStub",
    "ServerSettings",
    "AppError",
    "Call",
    "Fault",
    "TEAM",
    "BOT",
    "ADA",
    "BEN",
    "OPS",
    "QUIET",
    "SECRET",
    "BOT_TOKEN",
    "ADA_TOKEN",
    "BEN_TOKEN",
    "fixed_id",
]
