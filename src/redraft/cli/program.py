"""The commands and their flags. They check nothing themselves: `redraft.app` does, and they show what comes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import options as o
from redraft.cli.board import board_commands
from redraft.cli.browse import browse
from redraft.cli.failures import failures
from redraft.cli.image import image_commands
from redraft.cli.memory import memory_commands
from redraft.cli.scene import scene
from redraft.cli.setup import setup_commands
from redraft.cli.shader import shader
from redraft.cli.terminal import plain
from redraft.cli.work import Work, refuse_many_words, run_studio

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.cli.terminal import Terminal
    from redraft.result import Result

__all__ = ["program"]

program = typer.Typer(
    help="Closes the loop around language models for visual work: draft, execute, check, solve, repair, look.",
    epilog='Try: redraft sketch "a house with a red roof, a tree to its left"',
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
config_commands = typer.Typer(help="Settings: check a file, show what is in force.", no_args_is_help=True)
program.add_typer(config_commands, name="config")
program.add_typer(board_commands, name="board")
program.add_typer(image_commands, name="image")
program.add_typer(memory_commands, name="memory")
program.add_typer(setup_commands, name="setup")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"redraft {version('redraft')}")
        raise typer.Exit


@program.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Closes the loop around language models for visual work: draft, execute, check, solve, repair, look."""


@program.command(context_settings={"allow_extra_args": True})
def sketch(
    context: typer.Context,
    instruction: o.Instruction,
    model: o.Model = None,
    seed: o.Seed = None,
    out: o.Out = None,
    on: o.On = None,
    candidates: o.Candidates = None,
    iterations: o.Iterations = None,
    repairs: o.Repairs = None,
    fixes: o.Fixes = None,
    repair: o.Repair = None,
    heuristics: o.Heuristics = None,
    critic: o.Critic = None,
    animate: o.Animate = False,
    ideas: o.Ideas = None,
    exploration: o.Exploration = None,
    judge_model: o.JudgeModel = None,
    profile: o.Profile = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    base_url: o.BaseUrl = None,
    config: o.ConfigFile = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Draw what a sentence asks for.

    The drawing is measured, asked about, and repaired where it is wrong. Exit codes: 0 delivered, 1 not
    valid, 2 wrong use or settings, 3 ended early and can be resumed, 130 after Ctrl-C.
    """
    refuse_many_words(context, instruction)
    flags: dict[str, JsonValue] = {
        "model": model,
        "seed": seed,
        "loop.candidates": candidates,
        "loop.iterations": iterations,
        "loop.repairs": repairs,
        "loop.fixes": fixes,
        "loop.repair": repair,
        "loop.critic": critic,
        "validation.heuristics": heuristics,
        "studios.sketch.animate": animate or None,
        **o.idea_flags(None, ideas, exploration, judge_model),
        "budget.calls": max_calls,
        "budget.tokens": max_tokens,
        "budget.cost": max_cost,
        "models.base_url": base_url,
    }
    given = {key: value for key, value in flags.items() if value is not None}
    run_studio("sketch", instruction, given, config=config, on=on, out=out, json=json, quiet=quiet, profile=profile)


program.command(context_settings={"allow_extra_args": True})(scene)
program.command(context_settings={"allow_extra_args": True})(shader)


@program.command()
def resume(
    run: o.RunFolder,
    backend: o.Backend = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Go on with a run that was interrupted.

    Nothing that was finished is done again, and no reply is paid for twice. A cap that ended it can be raised.
    """
    given: dict[str, JsonValue] = {"calls": max_calls, "tokens": max_tokens, "cost": max_cost}
    caps = {name: cap for name, cap in given.items() if cap is not None}

    def do(work: Work, terminal: Terminal) -> Result:
        from redraft import app

        work.folder = run
        result = app.resume(run, caps=caps, backend=backend, observer=terminal, notify=terminal.notify)
        if result.studio == "board" and "board" in result.files:
            terminal.say("a resumed run writes in its own folder only: copy its board to where --output pointed")
        return result

    Work("sketch", json, quiet, painter=backend or "").carry_out(do)


@program.command()
def undo(run: o.RunFolder, n: o.Steps = 1, out: o.Out = None, json: o.Json = False, quiet: o.Quiet = False) -> None:
    """Take back the last N edits.

    The drawing as it was before them is delivered in a new run folder; nothing is deleted.
    """

    def do(work: Work, terminal: Terminal) -> Result:
        from redraft import app

        work.folder = run
        return app.undo(run, n, out=out, observer=terminal)

    Work("sketch", json, quiet).carry_out(do)


@program.command()
def report(
    run: o.RunFolder,
    open_: Annotated[bool, typer.Option("--open", help="Open it in the browser, too.")] = False,
) -> None:
    """Write the report page of a run.

    The run may be finished or not. Prints where the page is.
    """
    with failures():
        from redraft import app
        from redraft.cli.outcome import near

        page = app.write_report(run)
        typer.echo(plain(str(near(page))))
        if open_:
            browse(page)


@program.command()
def mcp(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="[FOLDERS]...", help="Where boards may be opened and saved; this folder if left out."),
    ] = None,
    http: Annotated[bool, typer.Option("--http", help="Streamable HTTP instead of standard input and output.")] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="With --http.")] = 8765,
    allow_origin: Annotated[
        list[str] | None, typer.Option(metavar="URL", help="With --http: a web page that may connect; several allowed.")
    ] = None,
    config: o.ConfigFile = None,
) -> None:
    """Serve the board tools to an MCP client: Claude, Cursor, or any other.

    Over standard input and output unless --http is given. Boards outside FOLDERS are out of reach.
    """
    with failures():
        from redraft import app

        app.serve_mcp(
            folders or [Path()],
            transport="http" if http else "stdio",
            host=host,
            port=port,
            allow_origins=tuple(allow_origin or ()),
            config=config,
        )


@program.command()
def models(config: o.ConfigFile = None) -> None:
    """List the models that can be named here.

    Each with what it is, or what is missing for it: a key, an extra.
    """
    with failures():
        from redraft import app

        rows = app.available_models(app.config_report(config).config)
        width = max(len(name) for name, _ in rows)
        for name, need in rows:
            typer.echo(plain(f"{name:<{width}}  {need}"))


@config_commands.command("check")
def check(
    file: Annotated[Path | None, typer.Argument(metavar="FILE", help="Settings; redraft.yaml if left out.")] = None,
) -> None:
    """Check a settings file.

    Together with the environment's settings, and without running anything.
    """
    with failures():
        from redraft import app
        from redraft.config import CONFIG_FILE, refuse_unused

        report = app.config_report(file)
        if "model" in report.sources:
            refuse_unused(report)
        here = Path(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else None
        checked = file or here or f"no {CONFIG_FILE} here; the defaults and the environment"
        typer.echo(plain(f"{checked}: all settings are right"))


@config_commands.command("show")
def show(config: o.ConfigFile = None) -> None:
    """Show every setting in force, and where it was set."""
    with failures():
        from redraft import app

        for line in app.settings_in_force(config):
            typer.echo(plain(line))
