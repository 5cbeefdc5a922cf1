"""The evidence of a reply in the small print below it; all of it is behind the buttons."""

from bot.messages import Reply
from bot.platforms.cut_text import cut

# In this order; the rest is shown with the query.
_LINE = ("Time", "Metrics", "Samples", "Certified", "Trace")
_NOTES = "Notes"
_FACT = 300
_ALL_NOTES = 1200


def evidence_texts(reply: Reply) -> tuple[str, ...]:
    """One line of facts, and one text of notes that the words do not say; either where any."""
    facts = {fact.label: fact.lines for fact in reply.facts if fact.lines}
    said = [f"{label}: {cut('; '.join(facts[label]), _FACT)}" for label in _LINE if label in facts]
    line = " \N{MIDDLE DOT} ".join(said)
    unsaid = [note for note in facts.get(_NOTES, ()) if note not in reply.markdown]
    notes = cut("\n".join(unsaid), _ALL_NOTES)
    return tuple(text for text in (line, notes) if text)
