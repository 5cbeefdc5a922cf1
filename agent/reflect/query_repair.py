"""Mends the SELECT and GROUP BY of a query; that nothing else was touched is proven."""

from agent.asking_model import AskingModel
from agent.errors import ModelReplyUnusable
from agent.prompt_files import prompt
from agent.reflect.grounded import Grounded
from agent.reflect.query_prompts import request_of, shown, told
from agent.reflect.query_reply import query_in
from agent.reflect.query_review import Review
from agent.tracing import Kind
from ontology.conformance import CheckedQuery, Rejection
from ontology.sparql import same_body
from retrieval.data_service import DataService
from retrieval.query_text import HEADER

_TOKENS = 700


def repaired(
    model: AskingModel, query: CheckedQuery, review: Review, grounded: Grounded, data: DataService
) -> CheckedQuery | None:
    """``query`` with another SELECT or GROUP BY; None where the model gave no such thing.

    Raises ModelError, BudgetSpent or Stopped.
    """
    problems = "; ".join(review.problems) or "it is not sure that this answers the request"
    asked = prompt(
        "repair-query", _TOKENS, request=grounded.request, problems=problems, query=shown(query)
    )
    with model.tracer.span(Kind.CHECK, "query repair", {"problems": review.problems}) as span:
        try:
            text = query_in(model.write(asked))
        except ModelReplyUnusable as error:
            span.tell(problem=str(error))
            return None
        if not same_body(f"{HEADER}\n{text}", query.text):
            span.tell(text, problem="more than SELECT and GROUP BY was changed")
            return None
        checked = data.admitted(request_of(grounded, text))
        if isinstance(checked, Rejection):
            span.tell(text, problem=told(checked.violations))
            return None
        span.tell(text)
        return checked
