"""Creates digests: each question is asked once, and what it asks back is settled before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from agent import Answered, Declined, DeclineReason, NeedsClarification, Pending, Session
from agent.answer import Answer
from agent.clarification import choice_in
from bot.digests.asking import Note, Places, Rights
from bot.digests.digest import Digest, DigestPart
from bot.digests.digest_command import Create
from bot.digests.digest_reply import joined_reply, told
from bot.digests.digest_store import DigestStore, Draft, LimitReached, Limits
from bot.digests.digest_texts import created_text, parts_text
from bot.digests.drafting import Drafting, Ready, Refused, Waits
from bot.messages import IncomingMessage, Reply, Status
from bot.outcome import Failed

_IN_A_THREAD = "Say it in the question, or create the digest in a thread, where you can choose."
NO_RIGHT = "You may not have digests there."


@dataclass(frozen=True, slots=True)
class DigestCreation:
    """From a command, and the choices that its question needs, to a digest that is kept."""

    store: DigestStore
    drafting: Drafting
    rights: Rights
    places: Places
    clock: Callable[[], datetime]
    limits: Limits
    shortest_wait: timedelta
    """A digest is not due more often."""

    def create(self, command: Create, message: IncomingMessage, note: Note) -> Reply:
        """The new digest with what it says now, a question back, or why there is none."""
        place, direct = replace(message.thread, root=""), message.direct
        if command.place:
            found = self.places.find(command.place, message)
            if isinstance(found, str):
                return told(message.thread, found, Status.REJECTED)
            direct = direct and replace(found, root="") == place
            place = replace(found, root="")
        if not self.rights.may_have_digests(message.author, place, direct=direct):
            return told(message.thread, NO_RIGHT, Status.REJECTED)
        if command.when.schedule.shortest_wait() < self.shortest_wait:
            minutes = self.shortest_wait.total_seconds() / 60
            text = f"A digest may be due every {minutes:g} minutes at most. As in: hourly"
            return told(message.thread, text, Status.REJECTED)
        now = self.clock()
        digest = Digest(
            id="",
            owner=message.author,
            place=place,
            place_said=command.place,
            question=command.question,
            parts=(),
            when=command.when,
            posting=command.posting,
            made_at=now,
            made_by=message.trace_id,
            since=now,
            direct=direct,
        )
        return self._next(digest, self.drafting.begin(command.question, message, note), message)

    def choice(self, message: IncomingMessage, note: Note) -> Reply | None:
        """What becomes of a digest that waits for the choice in ``message``.

        None where none waits, or where ``message`` makes no choice: then none waits any more.
        """
        draft = self.store.draft(message.thread, message.author)
        if draft is None or draft.session.pending is None:
            return None
        reply = self._chosen(draft, draft.session.pending, message, note)
        if reply is None or reply.status is not Status.CLARIFICATION:
            # Only now: a turn that is taken up again finds what it had before it.
            self.store.save_draft(message.thread, message.author, None)
        return reply

    def _chosen(
        self, draft: Draft, pending: Pending, message: IncomingMessage, note: Note
    ) -> Reply | None:
        chosen = choice_in(message.text, pending.choices, pending.turn.question)
        if chosen is None and not pending.free:
            return None
        outcome, session = self.drafting.asks.asked(message, draft.session, (), note)
        id_or_text = chosen.id if chosen is not None and not chosen.more else message.text
        part = _settled(draft, pending, outcome.answer, session, id_or_text)
        if part is None:
            return None if chosen is None else outcome.reply
        parts = (*draft.done, part, *draft.rest)
        # Asked anew as they will be when they are due, so that what is shown is what will come.
        return self._next(draft.digest, self.drafting.put(parts, message, note), message)

    def _next(
        self, digest: Digest, drafted: Ready | Waits | Refused, message: IncomingMessage
    ) -> Reply:
        match drafted:
            case Refused(text):
                return told(message.thread, text, Status.REJECTED)
            case Waits(text, choices, done, part, rest, session):
                about = parts_text((*done, part, *rest))
                asked = "\n".join([*([about, f"To {part.question!r}:"] if about else []), text])
                if not message.thread.root:
                    # No reply to a command comes back to it.
                    labels = ", ".join(choice.label for choice in choices)
                    asked = f"{asked} ({labels})\n{_IN_A_THREAD}"
                    return told(message.thread, asked, Status.REJECTED)
                draft = Draft(digest, done, part, rest, session)
                self.store.save_draft(message.thread, message.author, draft)
                return Reply(message.thread, Status.CLARIFICATION, asked, choices=choices)
            case Ready():
                return self._kept(replace(digest, parts=drafted.parts), drafted, message)

    def _kept(self, digest: Digest, drafted: Ready, message: IncomingMessage) -> Reply:
        due = digest.when.schedule.after(self.clock())
        kept = self.store.add(digest, due, self.limits)
        if isinstance(kept, LimitReached):
            return told(message.thread, _limit_text(kept, self.limits), Status.REJECTED)
        heading = created_text(kept, due, self.drafting.zone.key)
        reply = joined_reply(f"{heading}\nAs of now it says:", drafted.tried, message.thread)
        return replace(reply, status=Status.COMPLETED)


def _settled(
    draft: Draft, pending: Pending, answer: Answer | Failed, session: Session, chosen: str
) -> DigestPart | None:
    """The waiting question with the choice made in it; None where that led to no answer."""
    match answer:
        case Answered() if session.turns:
            turn = session.turns[-1]
        case NeedsClarification() if session.pending is not None:
            turn = session.pending.turn
        case Declined(DeclineReason.NO_DATA):
            turn = replace(pending.turn, settled=(*pending.turn.settled, (pending.about, chosen)))
        case _:
            return None
    # Any other question than the waiting one was no choice, but a question of its own.
    is_same = turn.question.startswith(draft.waiting.question.rstrip(" ?.!"))
    return DigestPart(turn.question, turn.settled) if is_same and turn.settled else None


def _limit_text(reached: LimitReached, limits: Limits) -> str:
    if reached.of_one_owner:
        return (
            f"You have {limits.of_one_owner} digests, and more are not kept for one person."
            " 'digest list' shows them, 'digest delete d3' makes room."
        )
    return f"There are {limits.in_all} digests, and more are not kept. Ask who runs this service."
