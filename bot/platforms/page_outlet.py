"""Outlet of the page: what is posted is kept, and a browser that looks sees it."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from secrets import token_urlsafe

from agent import Choice
from bot.errors import PlatformError, PostRefused, TurnStoreError
from bot.messages import Reply, Thread
from bot.outlet import Part
from bot.page_posts import Body, PagePosts, PostKind
from bot.platforms.page_bodies import note_body, progress_body, reply_body

_TITLE = 80
_INLINE_BYTES = 500_000


@dataclass(frozen=True, slots=True)
class PageOutlet:
    """Posts to the thread of a person, whose name is its channel."""

    posts: PagePosts

    def parts(self, reply: Reply, turn: str) -> tuple[Part, ...]:
        """``reply`` as one message, its files with it."""
        files = tuple(file for file in reply.files if not turn)
        return (Part(reply.markdown, (reply_body(reply, turn),), files),)

    def progress(self, note: str, seconds: float, turn: str) -> Part:
        """What is being done; the page has the button that stops it."""
        return Part(note, (progress_body(note, seconds, turn),))

    def settled(self, part: Part, note: str, by: str = "") -> Part:
        """``part`` without choices to press: whoever reads it knows that it was them."""
        if not part.body or not part.body[0].get("choices"):
            return part
        return replace(part, body=({**part.body[0], "settled": note},))

    def why(self, text: str, reasons: tuple[Choice, ...], turn: str) -> Part:
        """A note with reasons to choose from."""
        return Part(text, (note_body(text, turn, reasons),))

    def post(self, thread: Thread, part: Part, key: str) -> str:
        """Add ``part`` unless ``key`` stands there; its id, which is the root of a new thread."""
        post_id = _id_of(key)
        self._add(_begun(thread, post_id), post_id, _with_texts(part))
        return post_id

    def posted(self, thread: Thread, key: str) -> str | None:
        """The id of the message that was posted with ``key``."""
        post_id = _id_of(key)
        try:
            found = self.posts.read(_begun(thread, post_id))
        except TurnStoreError as error:
            raise PlatformError(str(error)) from error
        known = found is not None and any(post.id == post_id for post in found.posts)
        return post_id if known else None

    def edit(self, thread: Thread, message_id: str, part: Part) -> None:
        """Put ``part`` in place of a message; what says no more than words ends progress."""
        body: Body = part.body[0] if part.body else {"kind": PostKind.GONE}
        try:
            known = self.posts.replace(thread, message_id, body)
        except TurnStoreError as error:
            raise PlatformError(str(error)) from error
        if not known:
            raise PostRefused("the page no longer knows this message")

    def whisper(self, thread: Thread, user: str, part: Part) -> None:
        """Add ``part`` as a note; nobody but the thread's person reads it."""
        if user != thread.channel:
            raise PostRefused("that is the thread of somebody else")
        post_id = token_urlsafe(9)
        body = {**_with_texts(part), "kind": PostKind.NOTE}
        self._add(_begun(thread, post_id), post_id, body)

    def _add(self, thread: Thread, post_id: str, body: Body) -> None:
        try:
            # What begins with a reply, as a digest does, is titled by its heading.
            words = str(body.get("text", "")).partition("\n")[0]
            self.posts.add(thread, post_id, body, title_of(words.strip("*_# ")))
        except TurnStoreError as error:
            raise PlatformError(str(error)) from error


def title_of(text: str) -> str:
    """``text`` as the title of a thread."""
    line = " ".join(text.split())
    return line if len(line) <= _TITLE else f"{line[: _TITLE - 1]}…"


def _id_of(key: str) -> str:
    """The id of the post with ``key``: the same from whoever posts it."""
    return sha256(key.encode("utf-8", "replace")).hexdigest()[:16]


def _begun(thread: Thread, post_id: str) -> Thread:
    return thread if thread.root else replace(thread, root=post_id)


def _with_texts(part: Part) -> Mapping[str, object]:
    """The body of ``part``, with the text of files that will not be there for long."""
    body = part.body[0] if part.body else note_body(part.text, "")
    texts = {}
    for number, file in enumerate(part.files):
        if file.media_type == "text/plain":
            try:
                texts[str(number)] = file.path.read_bytes()[:_INLINE_BYTES].decode(
                    "utf-8", "replace"
                )
            except OSError as error:
                raise PostRefused(f"a file of a reply is gone: {error}") from error
    return {**body, "texts": texts} if texts else body
