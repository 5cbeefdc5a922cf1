"""A question on its way to a digest: asked once, in parts if need be, before it is kept."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from zoneinfo import ZoneInfo

from agent import Answered, Choice, Declined, DeclineReason, NeedsClarification, Session
from bot.digests.asking import AsksAlone, Note, Tried, ask_part
from bot.digests.digest import DigestPart
from bot.digests.splitting import MOST_PARTS, Piece, ways_to_split
from bot.messages import IncomingMessage
from bot.outcome import Failed

_TOO_MANY = f"A digest has at most {MOST_PARTS} questions, parted by semicolons."
_MOST_TRIES = 16
"""How many parts of a question are tried before it is given up."""


@dataclass(frozen=True, slots=True)
class Ready:
    """Every part was answered, or would be if there were data."""

    tried: tuple[Tried, ...]

    @property
    def parts(self) -> tuple[DigestPart, ...]:
        """The questions, with the choices made in them."""
        return tuple(_as_settled(one) for one in self.tried)


@dataclass(frozen=True, slots=True)
class Waits:
    """The part that asks something back, and those before and after it."""

    text: str
    choices: tuple[Choice, ...]
    done: tuple[DigestPart, ...]
    part: DigestPart
    rest: tuple[DigestPart, ...]
    session: Session


@dataclass(frozen=True, slots=True)
class Refused:
    """Why the question cannot be that of a digest."""

    text: str


@dataclass(slots=True)
class _Trying:
    """Asks pieces of a text, each once and only so many."""

    asks: AsksAlone
    message: IncomingMessage
    note: Note
    seen: dict[str, Tried] = field(default_factory=dict)

    @property
    def stopped(self) -> Tried | None:
        """The piece at which somebody stopped it all; None where nobody did."""
        return next((tried for tried in self.seen.values() if _was_stopped(tried)), None)

    def of(self, piece: Piece) -> Tried | Refused | None:
        """The question that ``piece`` is; None where it is none that can be answered.

        The time said beside it is its own where it needs one. Where it does without, it is open.
        """
        alone = self._usable(piece.text)
        if not piece.time:
            return alone
        timed = self._usable(f"{piece.text} {piece.time}")
        if alone is None or isinstance(alone.outcome.answer, NeedsClarification):
            return timed or alone
        if timed is None:
            return alone
        return Refused(
            f"It is open whether {piece.text!r} is meant of {piece.time!r} too. Say the time of"
            " each question, or part them by a semicolon."
        )

    def _usable(self, text: str) -> Tried | None:
        """What came of ``text``; None where that is no answer, or too much was asked already."""
        if text not in self.seen and len(self.seen) >= _MOST_TRIES:
            return None
        tried = self.asked(text)
        return tried if _is_usable(tried) else None

    def asked(self, text: str) -> Tried:
        """What came of ``text``."""
        if text not in self.seen:
            part, number = DigestPart(text), len(self.seen)
            self.seen[text] = ask_part(self.asks, self.message, part, number, self.note)
        return self.seen[text]


@dataclass(frozen=True, slots=True)
class Drafting:
    """Finds the parts of a question that can be answered."""

    asks: AsksAlone
    zone: ZoneInfo
    """The site's, in which words for times are read."""

    def begin(self, question: str, message: IncomingMessage, note: Note) -> Ready | Waits | Refused:
        """``question`` as it stands where that can be answered, else its parts.

        What semicolons part is never read as one.
        """
        trying = _Trying(self.asks, message, note)
        if ";" not in question:
            whole = trying.asked(question)
            if _is_usable(whole):
                return _outcome_of([whole])
            if not _may_be_several(whole):
                return _refusal(whole)
        without_data: list[Tried] = []
        for pieces in ways_to_split(question, message.sent_at, self.zone):
            tried = []
            for piece in pieces:
                part = trying.of(piece)
                if trying.stopped is not None:
                    return _refusal(trying.stopped)
                if isinstance(part, Refused):
                    return part
                if part is None:
                    break
                tried.append(part)
            else:
                if not any(_has_no_data(one) for one in tried):
                    return _outcome_of(tried)
                without_data = without_data or tried
        if without_data:
            # What such a part would say cannot be seen: it is taken where no other way is answered.
            return _outcome_of(without_data)
        unusable = (one for one in trying.seen.values() if not _is_usable(one))
        first = next(unusable, None)
        return Refused(_TOO_MANY) if first is None else _refusal(first)

    def put(
        self, parts: Sequence[DigestPart], message: IncomingMessage, note: Note
    ) -> Ready | Waits | Refused:
        """``parts`` asked as they are."""
        tried = [
            ask_part(self.asks, message, part, number, note)
            for number, part in enumerate(parts, start=1)
        ]
        unusable = next((one for one in tried if not _is_usable(one)), None)
        return _outcome_of(tried) if unusable is None else _refusal(unusable)


def _outcome_of(tried: Sequence[Tried]) -> Ready | Waits:
    for place, one in enumerate(tried):
        answer = one.outcome.answer
        if isinstance(answer, NeedsClarification):
            done = tuple(_as_settled(each) for each in tried[:place])
            rest = tuple(each.part for each in tried[place + 1 :])
            return Waits(answer.text, answer.choices, done, one.part, rest, one.session)
    return Ready(tuple(tried))


def _is_usable(tried: Tried) -> bool:
    match tried.outcome.answer:
        case Answered() | NeedsClarification():
            return True
        case Declined():
            # There may be some when it is due.
            return _has_no_data(tried)
        case Failed():
            return False


def _has_no_data(tried: Tried) -> bool:
    answer = tried.outcome.answer
    return isinstance(answer, Declined) and answer.reason is DeclineReason.NO_DATA


def _was_stopped(tried: Tried) -> bool:
    answer = tried.outcome.answer
    return isinstance(answer, Declined) and answer.reason is DeclineReason.STOPPED


def _may_be_several(tried: Tried) -> bool:
    answer = tried.outcome.answer
    return isinstance(answer, Declined) and answer.reason is DeclineReason.NOT_UNDERSTOOD


def _refusal(tried: Tried) -> Refused:
    said = tried.outcome.answer.text
    if _was_stopped(tried):
        return Refused(said)
    return Refused(f"I keep no digest of a question that I cannot answer. {said}")


def _as_settled(tried: Tried) -> DigestPart:
    """The part as it was answered in the end, with what was settled on the way."""
    if not tried.session.turns:
        return tried.part
    turn = tried.session.turns[-1]
    return replace(tried.part, question=turn.question, settled=turn.settled)
