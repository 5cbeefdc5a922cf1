"""A digest that is due: asked with its owner's rights, compared, and posted or not."""

import logging
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent import Session
from bot.digests.asking import AsksAlone, Note, Rights, ask_part
from bot.digests.changes import carried, changes
from bot.digests.digest import Digest
from bot.digests.digest_reply import joined_reply, joined_session, told
from bot.digests.digest_store import DigestStore, LastRun, Said
from bot.digests.digest_texts import due_text, heading
from bot.digests.snapshot import PartSnapshot, snapshot_of
from bot.messages import IncomingMessage, Reply, Status, Way

log = logging.getLogger(__name__)

_NAME = re.compile(r"digest:(?P<id>\w+):(?P<time>.+)", re.DOTALL)
_FORCED = "now:"
_SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class DigestRun:
    """What is to be posted of a digest that was due."""

    reply: Reply
    session: Session | None
    """Of the thread that the reply begins."""


def due_message(digest: Digest, due: datetime) -> IncomingMessage:
    """The message by which ``digest`` is put at ``due``: the same from whoever sends it."""
    return _message(digest, digest.when.schedule.local(due), due)


def forced_message(digest: Digest, asked_by: IncomingMessage) -> IncomingMessage:
    """The message by which ``digest`` is put because somebody wrote ``asked_by``."""
    return _message(digest, f"{_FORCED}{asked_by.trace_id}", asked_by.sent_at)


def _message(digest: Digest, time: str, at: datetime) -> IncomingMessage:
    name = f"digest:{digest.id}:{time}"
    return IncomingMessage(
        digest.place,
        name,
        digest.owner,
        digest.question,
        at,
        addressed=True,
        way=Way.DIGEST,
        direct=digest.direct,
    )


@dataclass(frozen=True, slots=True)
class DigestRuns:
    """Works on messages by which digests are put."""

    store: DigestStore
    asks: AsksAlone
    rights: Rights
    clock: Callable[[], datetime]
    catch_up: timedelta
    """For how long after its due time a digest is still asked."""

    def run(self, message: IncomingMessage, note: Note) -> DigestRun | None:
        """What is to be posted; None where the digest stays silent.

        Taken up again, it comes to the same. Raises DigestStoreError.
        """
        name = _NAME.fullmatch(message.message_id)
        digest = self.store.get(name["id"]) if name else None
        if name is None or digest is None:
            return None
        forced = name["time"].startswith(_FORCED)
        if digest.paused and not forced:
            return None
        if not self.rights.may_have_digests(digest.owner, digest.place, direct=digest.direct):
            return self._without_rights(digest, message)
        last = self.store.last_run(digest.id)
        missed = "" if forced else _missed(digest, last, message.sent_at)
        if not forced and self.clock() - message.sent_at > self.catch_up:
            # Handed in again after so long that nobody knew it any more.
            known = last is not None and last.due >= message.sent_at and last.ended != _SKIPPED
            return None if known else self._skipped(digest, last, message)
        return self._asked(digest, last, message, missed, note, forced=forced)

    def _asked(
        self,
        digest: Digest,
        last: LastRun | None,
        message: IncomingMessage,
        missed: str,
        note: Note,
        *,
        forced: bool,
    ) -> DigestRun | None:
        due = message.sent_at
        tried = [
            ask_part(self.asks, message, part, number, note)
            for number, part in enumerate(digest.parts)
        ]
        now = tuple(snapshot_of(one.outcome) for one in tried)
        # What this very run said, taken up before, is nothing to compare with.
        said = tuple(one for one in (last.said if last else ()) if one.due < due)
        changed = _changed(digest, said, now)
        silent = not forced and _silence(digest, said, now, changed)
        if silent:
            ended, kept = silent, said
        else:
            ended, kept = "posted", (Said(due, carried(said[0].parts if said else (), now)), *said)
        self.store.save_run(digest.id, LastRun(_later(due, last), ended, kept[:2]))
        if silent:
            log.info("a digest stays silent: %s", silent, extra={"action": "digest_silent"})
            return None
        lines = [heading(digest, due, forced=forced), missed, _since(digest, said, changed)]
        text = "\n".join(line for line in lines if line)
        return DigestRun(joined_reply(text, tried, message.thread), joined_session(tried))

    def _skipped(self, digest: Digest, last: LastRun | None, message: IncomingMessage) -> DigestRun:
        due, schedule = message.sent_at, digest.when.schedule
        said = last.said if last else ()
        self.store.save_run(digest.id, LastRun(_later(due, last), _SKIPPED, said))
        hours = self.catch_up.total_seconds() / 3600
        text = (
            f"{heading(digest, due, forced=False)}\nIt was skipped: nobody could work on it within"
            f" {hours:g} hours. Next run: {due_text(schedule.after(self.clock()), schedule)}."
        )
        return DigestRun(told(message.thread, text, Status.REJECTED), None)

    def _without_rights(self, digest: Digest, message: IncomingMessage) -> DigestRun:
        self.store.replace(replace(digest, paused=True), None)
        text = f"Digest {digest.id} is paused: its owner may have no digests here any more."
        return DigestRun(told(message.thread, text, Status.REJECTED), None)


def _missed(digest: Digest, last: LastRun | None, due: datetime) -> str:
    """That earlier due times passed while nobody was there, in a sentence."""
    since = max(digest.since, last.due) if last else digest.since
    count = len([one for one in digest.when.schedule.from_to(since, due) if one < due])
    if not count:
        return ""
    return (
        f"_{count} earlier due time{'s' * (count > 1)} passed while the service was not running._"
    )


def _changed(digest: Digest, said: Sequence[Said], now: Sequence[PartSnapshot]) -> tuple[str, ...]:
    if not digest.posting.only_when_changed or not said:
        return ()
    return changes(said[0].parts, now, digest.posting.by_percent)


def _silence(
    digest: Digest, said: Sequence[Said], now: Sequence[PartSnapshot], changed: Sequence[str]
) -> str:
    """Why nothing is posted; empty where something is."""
    if digest.posting.quiet_without_data and all(part.ended == "no data" for part in now):
        return "no data"
    return "nothing changed" if digest.posting.only_when_changed and said and not changed else ""


def _since(digest: Digest, said: Sequence[Said], changed: Sequence[str]) -> str:
    if not changed:
        return ""
    time = due_text(said[0].due, digest.when.schedule)
    return "\n".join([f"Changed since {time}:", *(f"- {line}" for line in changed)])


def _later(due: datetime, last: LastRun | None) -> datetime:
    return max(due, last.due) if last else due
