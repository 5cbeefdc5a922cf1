"""The options of ``odabot evaluate``."""

from pathlib import Path
from typing import Annotated, Literal

import typer

QuestionsArgument = Annotated[
    Path, typer.Argument(exists=True, dir_okay=False, help="YAML file with the questions.")
]
ConfigOption = Annotated[
    Literal["nsa", "exasage", "datalake"],
    typer.Option("--config", help="odabot itself, or one of the paper's two baselines."),
]
ModelOption = Annotated[
    str | None,
    typer.Option("--model", metavar="URL", help="Endpoint of the model; none for no model."),
]
StepsOption = Annotated[
    Literal["open", "every"] | None,
    typer.Option("--steps", help="The model does what rules leave open, or every step."),
]
RepeatOption = Annotated[int, typer.Option("--repeat", min=1, help="How often all are put.")]
AnswersOption = Annotated[
    Path | None, typer.Option("--out", dir_okay=False, help="File for the answers.")
]
OnlyOption = Annotated[
    list[str] | None, typer.Option("--only", metavar="ID", help="Put this question alone.")
]
VerdictsOption = Annotated[
    list[str] | None,
    typer.Option("--verdicts", metavar="[REPEAT=]FILE", help="Verdicts of a grader."),
]
BesideOption = Annotated[
    list[str] | None,
    typer.Option("--beside", metavar="FILE[=VERDICTS]", help="Answers of an earlier run."),
]
MarkdownOption = Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")]
