"""Tokens of buttons: Mattermost signs nothing that it posts to us, so that a button proves itself.

A token goes out in a button's context, which clients never see, and comes back when it is pressed.
"""

import hmac
from dataclasses import dataclass
from datetime import timedelta
from secrets import token_hex

from pydantic import TypeAdapter, ValidationError

from bot.errors import TurnStoreError
from bot.messages import Act, Thread
from bot.redis_client import RedisClient, key_named, key_of

_ONCE = frozenset({Act.CHOOSE, Act.STOP})
"""What changes something counts once; what only shows something may be pressed again."""
_RUNNING = timedelta(hours=1)
"""How long a button that stops counts: it is made anew with each edit of its message."""
_FOR_EVER = timedelta(days=36500)
_BYTES = 16
"""Of the name, and as many of the signature: what a post holds is scarce."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """What one button does, and where it was posted."""

    act: Act
    turn: str
    """The trace id of the turn whose button it is."""
    value: str
    """What it chooses; empty for a menu, which says itself what was chosen."""
    channel: str
    root: str
    """Of the thread; empty where the message with the button begins it."""
    shown_in: str = ""
    """The channel where the button stands, if that is another one."""


_FORM = TypeAdapter(Sealed)


class ButtonTokens:
    """Gives out tokens, and tells its own from whatever else is sent; shared by all processes.

    Every method raises TurnStoreError where Redis does not answer.
    """

    def __init__(self, url: str, lives: timedelta) -> None:
        """``lives``: for how long a button counts."""
        self._client = RedisClient(url, TurnStoreError, "the record of buttons")
        self._lives = lives
        self._secret = b""

    def sealed(self, act: Act, turn: str, value: str, thread: Thread, shown_in: str = "") -> str:
        """A token for a button of ``thread``: a name that nobody guesses, and its signature.

        ``shown_in``: the channel where it stands, if that is another one than the thread's.
        """
        button = Sealed(act, turn, value, thread.channel, thread.root, shown_in)
        nonce = token_hex(_BYTES)
        lives = min(_RUNNING, self._lives) if act is Act.STOP else self._lives
        self._client.set(key_of("button", nonce), _FORM.dump_json(button), lives)
        return f"{nonce}{self._signature(nonce, button)}"

    def opened(self, token: str, channel: str, user: str) -> Sealed | None:
        """What was sealed; None where we did not, it is too old, or stands elsewhere.

        None as well where it counts once, and ``user`` has used it.
        """
        nonce, signature = token[: 2 * _BYTES], token[2 * _BYTES :]
        kept = self._client.get(key_of("button", nonce))
        if kept is None:
            return None
        try:
            button = _FORM.validate_json(kept)
        except ValidationError as error:
            raise TurnStoreError(f"a button cannot be read: {error}") from error
        signed = self._signature(nonce, button)
        if not hmac.compare_digest(signature.encode(), signed.encode()):
            return None
        if (button.shown_in or button.channel) != channel:
            return None
        is_spent = button.act in _ONCE and self._client.get(_spent(nonce, user)) is not None
        return None if is_spent else button

    def spend(self, token: str, user: str) -> None:
        """Have a button that ``user`` pressed count no more for them, if it counts once.

        For others it goes on to count: whoever may not press it takes it from nobody. To be called
        when the click is stored: what is lost before may be pressed again.
        """
        nonce = token[: 2 * _BYTES]
        kept = self._client.get(key_of("button", nonce))
        if kept is not None and _FORM.validate_json(kept).act in _ONCE:
            self._client.set(_spent(nonce, user), b"1", self._lives)

    def close(self) -> None:
        """Give up the connections."""
        self._client.close()

    def _signature(self, nonce: str, button: Sealed) -> str:
        whole = hmac.digest(self._key(), nonce.encode() + _FORM.dump_json(button), "sha256")
        return whole[:_BYTES].hex()

    def _key(self) -> bytes:
        """The secret: made by the first process that needs one."""
        if not self._secret:
            name = key_named("button-secret")
            self._client.set(name, token_hex(32), _FOR_EVER, new=True)
            self._secret = self._client.get(name) or b""
            if not self._secret:
                raise TurnStoreError("the secret of buttons is gone again; is Redis full?")
        return self._secret


def _spent(nonce: str, user: str) -> str:
    return key_of("button-spent", f"{nonce}:{user}")
