"""What every command of the command line begins with: settings, a moment, readable failures."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from bot.settings import Settings

LakeOption = Annotated[
    Path | None,
    typer.Option("--lake", exists=True, file_okay=False, help="Folder of the lake."),
]
NowOption = Annotated[
    str | None,
    typer.Option("--now", metavar="ISO", help='The moment of "now", as in 2022-06-15T10:00Z.'),
]
PortOption = Annotated[int | None, typer.Option("--port", min=0, max=65535, help="Port.")]


def settings_over(lake: Path | None) -> "Settings":
    """The settings of the environment, over another lake where one is given."""
    from bot.errors import SettingsError
    from bot.settings import read_settings

    try:
        return read_settings().with_lake(lake)
    except SettingsError as error:
        raise typer.BadParameter(str(error)) from error


def with_model(settings: "Settings", model: str | None) -> "Settings":
    """``settings`` with another model, with none for "none", or as they are."""
    from bot.errors import SettingsError

    if model is None:
        return settings
    try:
        return settings.with_model(None if model == "none" else model)
    except SettingsError as error:
        raise typer.BadParameter(f"--model: {error}") from error


def moment_of(text: str | None, settings: "Settings") -> datetime | None:
    """The moment that ``--now`` names, in the site's zone where it names none."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter(
            f"{text!r} is no moment; one would be 2022-06-15T10:00Z"
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=settings.site.zone)


@contextmanager
def readable_failures() -> Iterator[None]:
    """What an operator can act on as one line, and exit code 1."""
    from bot.health import OPERATOR_ERRORS

    try:
        yield
    except OPERATOR_ERRORS as error:
        sys.stderr.write(f"odabot: {error}\n")
        raise typer.Exit(1) from error
