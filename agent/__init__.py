"""The neural half: reasons in language, acts only through retrieval and sandbox."""

from agent.analyst import Analyst
from agent.answer import (
    Answer,
    Answered,
    AnswerTable,
    Artifact,
    Certified,
    Choice,
    Cost,
    Declined,
    DeclineReason,
    Evidence,
    MetricUse,
    NeedsClarification,
    TimeRange,
    Usage,
)
from agent.session import Pending, Question, Session, Turn

__all__ = [
    "Analyst",
    "Answer",
    "AnswerTable",
    "Answered",
    "Artifact",
    "Certified",
    "Choice",
    "Cost",
    "DeclineReason",
    "Declined",
    "Evidence",
    "MetricUse",
    "NeedsClarification",
    "Pending",
    "Question",
    "Session",
    "TimeRange",
    "Turn",
    "Usage",
]
