"""All tables of the runs that are laid side by side."""

from collections.abc import Sequence

from bot.errors import EvaluationError
from bot.evaluation.cost_tables import costs, repeats
from bot.evaluation.evaluated import Evaluated
from bot.evaluation.tables import Grid, by_question, components, retrieval, success


def grids(runs: Sequence[Evaluated]) -> tuple[Grid, ...]:
    """The paper's tables I to IV, then costs and spread; tables without a row are left out.

    Raises EvaluationError where the runs are not of the same questions over the same lake.
    """
    first = runs[0].run
    for each in runs[1:]:
        if (each.run.questions, each.run.lake) != (first.questions, first.lake):
            raise EvaluationError(
                f"the answers of {each.backend}, {each.run.model} are to other questions or over"
                " another lake: tables would compare what cannot be compared"
            )
    whole = (
        success(runs),
        *(by_question(run) for run in runs if any(r.end_to_end for r in run.records)),
        retrieval(runs),
        *(components(run) for run in runs if any(not r.end_to_end for r in run.records)),
        costs(runs),
        repeats(runs),
    )
    return tuple(grid for grid in whole if grid is not None and grid.rows)
