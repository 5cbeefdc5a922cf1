"""The inbound side of Mattermost as the tests start it, against the stand-in for a server."""

import ssl
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.messages import IncomingMessage
from bot.platforms.mattermost_heard import RedisHeard
from bot.platforms.mattermost_history import MattermostHistory
from bot.platforms.mattermost_listener import MattermostListener, Watch
from bot.platforms.mattermost_rest import MattermostRest
from bot.platforms.mattermost_socket import MattermostSocket, Patience
from tests.mattermost_stub import BOT_TOKEN

BRISK = Watch(every=0.2, connecting=30.0, first_pause=0.01, longest_pause=0.1)
IMPATIENT = Patience(connecting=20.0, ping=1.0)


@dataclass(slots=True)
class Reports:
    """What the watch said last."""

    trouble: str = "nothing was said yet"
    told: list[str] = field(default_factory=list)

    def __call__(self, trouble: str) -> None:
        """Keep it."""
        self.trouble = trouble
        self.told.append(trouble)


@contextmanager
def heard_at(redis_url: str, url: str) -> Iterator[RedisHeard]:
    """What was heard of the server at ``url``."""
    with closing(RedisHeard(redis_url, url)) as heard:
        yield heard


def listener_to(
    url: str,
    heard: RedisHeard,
    receive: Callable[[IncomingMessage], None],
    *,
    watch: Watch = BRISK,
    ca: Path | None = None,
    token: str = BOT_TOKEN,
    oldest: timedelta = timedelta(hours=1),
    bots_heard: frozenset[str] = frozenset(),
    patience: Patience = IMPATIENT,
) -> tuple[MattermostListener, Reports]:
    """A listener that is not open yet."""
    get, reports = MattermostRest(url, token, ca).get, Reports()
    tls = None if ca is None else ssl.create_default_context(cafile=ca)
    made = MattermostListener(
        MattermostSocket(url, token, tls, patience),
        get,
        MattermostHistory(get, heard, oldest, lambda: datetime.now(UTC)),
        receive,
        bots_heard=bots_heard,
        watch=watch,
        report=reports,
    )
    return made, reports


@contextmanager
def listening_to(
    url: str,
    heard: RedisHeard,
    receive: Callable[[IncomingMessage], None],
    *,
    watch: Watch = BRISK,
    ca: Path | None = None,
    oldest: timedelta = timedelta(hours=1),
    bots_heard: frozenset[str] = frozenset(),
    patience: Patience = IMPATIENT,
) -> Iterator[Reports]:
    """Listening, until the block is left."""
    made, reports = listener_to(
        url,
        heard,
        receive,
        watch=watch,
        ca=ca,
        oldest=oldest,
        bots_heard=bots_heard,
        patience=patience,
    )
    with ExitStack() as parts:
        parts.callback(made.close)
        made.open()
        yield reports
