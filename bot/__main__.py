"""Command line: reads options and settings, and hands on to one module a command."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from bot.command_line import LakeOption, NowOption, PortOption
from bot.command_line import moment_of as _moment
from bot.command_line import readable_failures as _readable_failures
from bot.command_line import settings_over as _settings
from bot.command_line import with_model as _with_model
from bot.commands.evaluate_options import (
    AnswersOption,
    BesideOption,
    ConfigOption,
    MarkdownOption,
    ModelOption,
    OnlyOption,
    QuestionsArgument,
    RepeatOption,
    StepsOption,
    VerdictsOption,
)
from bot.ending import end
from bot.service_commands import add_service_commands

# What a command needs is imported when it runs: --help must not wait for it.
app = typer.Typer(
    name="odabot",
    help="Answers questions about a data centre's telemetry, with the evidence.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
lake_app = typer.Typer(help="Make lakes.", no_args_is_help=True)
app.add_typer(lake_app, name="lake")
mcp_app = typer.Typer(help="Serve tools to other processes (MCP).", no_args_is_help=True)
app.add_typer(mcp_app, name="mcp")

ThreadOption = Annotated[
    str | None,
    typer.Option("--thread", help="Name of a session that remembers earlier questions."),
]
HostOption = Annotated[str | None, typer.Option("--host", help="Address to listen on.")]
StdioOption = Annotated[
    bool, typer.Option("--stdio", help="Serve the process that started this one, not a port.")
]


@app.command()
def ask(
    question: Annotated[str, typer.Argument(help="What you want to know, in plain words.")],
    lake: LakeOption = None,
    now: NowOption = None,
    thread: ThreadOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
    out: Annotated[
        Path | None, typer.Option("--out", file_okay=False, help="Folder for tables and pictures.")
    ] = None,
    show_query: Annotated[
        bool, typer.Option("--show-query", help="Also print queries and programs.")
    ] = False,
) -> None:
    """Answer one question."""
    settings = _settings(lake)
    moment = _moment(now, settings)
    with _readable_failures():
        from bot.analyst_wiring import build_chosen_analyst
        from bot.commands.ask import Asked
        from bot.commands.ask import ask as answer

        asked = Asked(question, moment, thread, as_json, out, show_query)
        code = answer(asked, settings, build_chosen_analyst, sys.stdout, sys.stderr)
    raise typer.Exit(code)


@app.command()
def chat(lake: LakeOption = None, now: NowOption = None, thread: ThreadOption = None) -> None:
    """Talk at the terminal."""
    settings = _settings(lake)
    moment = _moment(now, settings)
    with _readable_failures():
        from rich.console import Console

        from bot.analyst_wiring import build_chosen_analyst
        from bot.commands.chat import chat as talk

        talk(settings, build_chosen_analyst, Console(), input, now=moment, thread=thread)


@app.command()
def demo(
    port: PortOption = None,
    lake: LakeOption = None,
    now: NowOption = None,
    seed: Annotated[int, typer.Option("--seed", help="Other seeds, other numbers.")] = 1,
) -> None:
    """Serve a page on this machine, over a demo lake or one of your own."""
    settings = _settings(None).with_port(port)
    moment = _moment(now, settings)
    with _readable_failures():
        from rich.console import Console

        from bot.analyst_wiring import build_chosen_analyst
        from bot.commands.demo import demo as serve

        serve(settings, build_chosen_analyst, Console(), seed=seed, lake=lake, now=moment)


@app.command()
def check(
    lake: LakeOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one line of JSON.")] = False,
) -> None:
    """Show the settings and try out every part."""
    settings = _settings(lake)
    with _readable_failures():
        from bot.check_wiring import health_probes
        from bot.commands.check import check as try_out
        from bot.commands.running import begin

        begin(settings)
        code = try_out(settings, health_probes(settings), sys.stdout, as_json=as_json)
    raise typer.Exit(code)


@app.command()
def evaluate(
    questions: QuestionsArgument,
    lake: LakeOption = None,
    config: ConfigOption = "nsa",
    model: ModelOption = None,
    steps: StepsOption = None,
    repeat: RepeatOption = 1,
    out: AnswersOption = None,
    only: OnlyOption = None,
    verdicts: VerdictsOption = None,
    beside: BesideOption = None,
    as_markdown: MarkdownOption = False,
) -> None:
    """Put a set of questions, keep the answers, and print the paper's tables."""
    settings = _with_model(_settings(lake), model)
    with _readable_failures():
        from rich.console import Console

        from bot.commands.evaluate import Wanted, verdicts_file, with_verdicts
        from bot.commands.evaluate import evaluate as put_all
        from bot.evaluation_wiring import build_configured, configuration, model_name

        wanted = Wanted(
            questions,
            configuration(config, steps, settings),
            model_name(settings),
            repeat,
            out,
            tuple(name for names in only or () for name in names.split(",")),
            tuple(verdicts_file(each) for each in verdicts or ()),
            tuple(with_verdicts(each) for each in beside or ()),
            as_markdown,
            lambda: model_name(settings),
        )
        put_all(wanted, settings, build_configured, sys.stdout, Console(stderr=True))


@app.command()
def trace(
    trace_id: Annotated[
        str | None, typer.Argument(metavar="ID", help="The trace id of an answer.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show step by step what was done for a question; without an ID, list the latest."""
    settings = _settings(None)
    with _readable_failures():
        from bot.commands.trace import list_traces
        from bot.commands.trace import trace as show

        if trace_id is None:
            list_traces(settings, sys.stdout, as_json=as_json)
        else:
            show(settings, trace_id, sys.stdout, as_json=as_json)


@lake_app.command("demo")
def lake_demo(
    out: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    seed: Annotated[int, typer.Option("--seed", help="Other seeds, other numbers.")] = 1,
) -> None:
    """Make a demo lake: two months of a made-up M100, with incidents."""
    with _readable_failures():
        from rich.console import Console

        from bot.commands.lake import make_lake

        make_lake(out, seed, Console())


add_service_commands(app)


@mcp_app.command("retrieval")
def mcp_retrieval(
    lake: LakeOption = None,
    now: NowOption = None,
    host: HostOption = None,
    port: PortOption = None,
    stdio: StdioOption = False,
) -> None:
    """Serve exasage_query, exasage_clarify and exasage_download_csv."""
    settings = _settings(lake)
    moment = _moment(now, settings)
    with _readable_failures():
        from bot.commands.mcp import Place, serve_retrieval

        chosen = settings.mcp.retrieval_port if port is None else port
        place = Place(host or settings.mcp.host, chosen, stdio)
        serve_retrieval(settings, place, sys.stderr, now=moment)


@mcp_app.command("sandbox")
def mcp_sandbox(
    host: HostOption = None, port: PortOption = None, stdio: StdioOption = False
) -> None:
    """Serve codeagent_init, _start, _upload, _execute, _get_artifacts and _stop."""
    settings = _settings(None)
    with _readable_failures():
        from bot.commands.mcp import Place, serve_sandbox

        chosen = settings.mcp.sandbox_port if port is None else port
        serve_sandbox(settings, Place(host or settings.mcp.host, chosen, stdio), sys.stderr)


def main() -> None:
    """Run the command that was asked for."""
    for stream in (sys.stdout, sys.stderr):
        # A question can hold what the terminal's encoding cannot say.
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app(prog_name="odabot")
    except SystemExit as leaving:
        if isinstance(leaving.code, int):
            end(leaving.code)
        raise


if __name__ == "__main__":
    main()
