"""What stands at every entry: has it decided, and written down."""

from dataclasses import dataclass, field, replace

from agent import Answer, Declined, DeclineReason
from bot.access import Access, Decision, Entry, Granted, LocalAccess, Refused, Right
from bot.audit import Audit, NoAudit
from bot.messages import Click, Incoming, IncomingMessage, Thread, Way
from bot.outcome import Failed


@dataclass(frozen=True, slots=True)
class Guard:
    """Without an access file, for this machine alone."""

    access: Access = field(default_factory=LocalAccess)
    audit: Audit = field(default_factory=NoAudit)

    def asks(self, message: IncomingMessage, trace_id: str) -> Decision:
        """Whether ``message`` may be answered, and over which data."""
        return self._decided(Entry.of(message), message.thread, trace_id, message.text)

    def commands(self, message: IncomingMessage, wants: Right) -> Decision:
        """Whether what ``message`` commands may be done; a slash command's reply is whispered."""
        entry = Entry.of(message, wants)
        if message.way is Way.COMMAND:
            entry = replace(entry, private=True)
        return self._decided(entry, message.thread, message.trace_id, message.text)

    def clicks(self, click: Click, turn: IncomingMessage) -> Decision:
        """Whether ``click`` may do what the button is for, on the answer to ``turn``."""
        return self._decided(Entry.of_click(click, turn), click.thread, click.turn, "")

    def opens(self, thread: Thread, author: str, wants: Right = Right.ASK) -> Decision:
        """Whether ``author`` may see what is shown to nobody else, such as a tab of their own."""
        return self._decided(Entry.at(thread, author, wants, private=True), thread, "", "")

    def is_admin(self, incoming: Incoming) -> bool:
        """Whether whoever wrote or clicked may act on what others began."""
        entry = Entry.at(incoming.thread, incoming.author, Right.ADMIN, private=True)
        return isinstance(self.access.decide(entry), Granted)

    def answered(self, trace_id: str, answer: Answer | Failed) -> None:
        """Have written down what the answer to a message touched."""
        self.audit.answered(trace_id, answer)

    def _decided(self, entry: Entry, thread: Thread, trace_id: str, text: str) -> Decision:
        decision = self.access.decide(entry)
        self.audit.decided(entry, decision, thread, trace_id, text)
        return decision


def refusal(refused: Refused) -> Declined:
    """``refused`` as an answer."""
    return Declined(DeclineReason.NOT_ALLOWED, refused.text)
