"""Acts on what people write about digests; the same from a thread and from a slash command."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from agent import Pending
from bot.digests.asking import Note, is_of
from bot.digests.digest import Digest
from bot.digests.digest_command import (
    Change,
    Create,
    Help,
    ListDigests,
    Preview,
    Problem,
    read_command,
)
from bot.digests.digest_creation import DigestCreation
from bot.digests.digest_reply import joined_reply, told
from bot.digests.digest_runs import forced_message
from bot.digests.digest_texts import HELP, due_text, line_of, parts_text, place_text, posting_text
from bot.digests.drafting import Ready, Refused, Waits
from bot.messages import IncomingMessage, Reply, Status

NONE_YET = 'You have no digests. As in: digest create "PUE of yesterday" daily 08:00'


@dataclass(frozen=True, slots=True)
class DigestDesk:
    """Everything that is said about digests; raises DigestStoreError."""

    creation: DigestCreation
    receive: Callable[[IncomingMessage], None]
    """Takes in the question of a digest that is to run now."""

    def reply_to(self, message: IncomingMessage, note: Note) -> Reply | None:
        """The reply to ``message``; None where it is not about digests."""
        command = read_command(message.text, self.creation.drafting.zone)
        thread = message.thread
        if command is not None and not isinstance(command, Help | Problem):
            refusal = self.creation.rights.refusal(message)
            if refusal:
                return told(thread, refusal, Status.REJECTED)
        match command:
            case None:
                return self.creation.choice(message, note)
            case Problem(text):
                return told(thread, text, Status.REJECTED)
            case Help():
                return told(thread, HELP)
            case Create():
                return self.creation.create(command, message, note)
            case ListDigests(everybody):
                return self._list(message, everybody=everybody)
            case Preview():
                return self._preview(command, message, note)
            case Change(verb, name):
                return self._change(verb, name, message)
            case _:
                assert_never(command)

    def waits_for(self, message: IncomingMessage) -> Pending | None:
        """The choice that a digest of the author of ``message`` waits for in its thread."""
        draft = self.creation.store.draft(message.thread, message.author)
        return draft.session.pending if draft is not None else None

    def of(self, message: IncomingMessage) -> tuple[str, ...]:
        """A line for each digest of the author of ``message``."""
        return self._lines([d for d in self.creation.store.all() if self._is_of(d, message)])

    def _list(self, message: IncomingMessage, *, everybody: bool) -> Reply:
        places, digests = self.creation.places, self.creation.store.all()
        if everybody:
            if not self.creation.rights.is_admin(message):
                text = "Only an admin may list all digests. 'digest list' shows yours."
                return told(message.thread, text, Status.REJECTED)
            others = [d for d in digests if places.together(d.place, message.thread)]
            lines = ("All digests:", *self._lines(others))
            return told(message.thread, "\n".join(lines if others else ("There are none.",)))
        mine = self.of(message)
        here = replace(message.thread, root="")
        others = [d for d in digests if d.place == here and not self._is_of(d, message)]
        lines = ("Your digests:", *mine) if mine else (NONE_YET,)
        if others:
            lines = (*lines, "Of others, in this channel:", *self._lines(others))
        return told(message.thread, "\n".join(lines))

    def _lines(self, digests: list[Digest]) -> tuple[str, ...]:
        due = self.creation.store.due_times()
        runs = [self.creation.store.last_run(digest.id) for digest in digests]
        return tuple(
            line_of(digest, due.get(digest.id), run.ended if run else "")
            for digest, run in zip(digests, runs, strict=True)
        )

    def _preview(self, command: Preview, message: IncomingMessage, note: Note) -> Reply:
        drafting = self.creation.drafting
        if command.is_question:
            drafted = drafting.begin(command.what, message, note)
        else:
            digest = self.creation.store.get(command.what)
            here = replace(message.thread, root="")
            if digest is None or not (digest.place == here or self._may_change(digest, message)):
                return _unknown(command.what, message)
            drafted = drafting.put(digest.parts, message, note)
        match drafted:
            case Ready(tried):
                about = parts_text(drafted.parts) if command.is_question else ""
                return joined_reply(about, tried, message.thread)
            case Waits(text, choices):
                labels = ", ".join(choice.label for choice in choices)
                asked = f"It would ask back: {text} ({labels})"
                return told(message.thread, asked, Status.REJECTED)
            case Refused(text):
                return told(message.thread, text, Status.REJECTED)

    def _change(self, verb: str, name: str, message: IncomingMessage) -> Reply:
        digest = self.creation.store.get(name)
        if digest is None or not self._may_change(digest, message):
            return _unknown(name, message)
        match verb:
            case "pause":
                self.creation.store.replace(replace(digest, paused=True), None)
                text = f"Digest {name} is paused. 'digest resume {name}' lets it go on."
            case "resume":
                text = self._resumed(digest)
            case "run-now":
                self.receive(forced_message(digest, message))
                text = f"Digest {name} is run now; what it says comes{_to(digest)}."
            case "delete":
                self.creation.store.remove(name)
                text = f"Digest {name} is deleted."
            case _:
                shown = (*self._lines([digest]), parts_text(digest.parts))
                shown = (*shown, posting_text(digest.posting))
                text = "\n".join(line for line in shown if line)
        return told(message.thread, text)

    def _resumed(self, digest: Digest) -> str:
        now = self.creation.clock()
        due = digest.when.schedule.after(now)
        if digest.paused:
            self.creation.store.replace(replace(digest, paused=False, since=now), due)
        return f"Digest {digest.id} goes on. Next run: {due_text(due, digest.when.schedule)}."

    def _may_change(self, digest: Digest, message: IncomingMessage) -> bool:
        """Whether the author of ``message`` owns ``digest``, or is an admin of its people."""
        if not self.creation.places.together(digest.place, message.thread):
            return False
        is_admin = self.creation.rights.is_admin(message)
        return is_admin or self._is_of(digest, message)

    def _is_of(self, digest: Digest, message: IncomingMessage) -> bool:
        return is_of(digest, message, self.creation.places)


def _to(digest: Digest) -> str:
    return f" to {place_text(digest)}" if digest.place_said else " to its channel"


def _unknown(name: str, message: IncomingMessage) -> Reply:
    """The same whether there is none, or it is somebody else's."""
    text = f"You have no digest {name}. 'digest list' shows yours."
    return told(message.thread, text, Status.REJECTED)
