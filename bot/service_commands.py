"""The commands of the chat service: ``odabot serve`` and ``odabot worker``."""

import sys
from typing import Annotated

import typer

from bot.command_line import LakeOption, NowOption, PortOption
from bot.command_line import moment_of as _moment
from bot.command_line import readable_failures as _readable_failures
from bot.command_line import settings_over as _settings

WorkOption = Annotated[
    bool, typer.Option("--work/--no-work", help="Answer too, or leave that to odabot worker.")
]


def add_service_commands(app: typer.Typer) -> None:
    """Have ``app`` know the commands."""
    app.command()(serve)
    app.command()(worker)


def serve(
    lake: LakeOption = None, now: NowOption = None, port: PortOption = None, work: WorkOption = True
) -> None:
    """Serve the chat platforms of the settings."""
    settings = _settings(lake)
    moment = _moment(now, settings)
    with _readable_failures():
        from bot.analyst_wiring import build_chosen_analyst
        from bot.commands.serve import serve as run

        run(settings, build_chosen_analyst, sys.stderr, port=port, works=work, now=moment)


def worker(lake: LakeOption = None, port: PortOption = None) -> None:
    """Answer what odabot serve takes in; as many of them as you like."""
    settings = _settings(lake)
    with _readable_failures():
        from bot.analyst_wiring import build_chosen_analyst
        from bot.commands.serve import work

        work(settings, build_chosen_analyst, sys.stderr, port=port)
