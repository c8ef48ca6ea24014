"""`redraft board …`: looking at a KiCad board, placing its parts by words, checking what came of it."""

from __future__ import annotations

from functools import partial
from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import options as o
from redraft.cli.failures import NOT_VALID, failures
from redraft.cli.terminal import plain
from redraft.cli.work import Work

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.cli.terminal import Terminal
    from redraft.result import Result

__all__ = ["board_commands"]

board_commands = typer.Typer(
    help="KiCad boards: look at one, place parts by words, check what came of it.", no_args_is_help=True
)

File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A .kicad_pcb of KiCad 4 or later; none with --live.")
]
Refs = Annotated[list[str] | None, typer.Argument(metavar="REFS...", help="Parts to look at, by reference.")]
Live = Annotated[bool, typer.Option("--live", help="The board that is open in a running KiCad 9.")]
Padding = Annotated[float, typer.Option(metavar="MM", help="Space shown around the parts.")]
Region = Annotated[
    str | None, typer.Option(metavar="X,Y,W,H", help="A window instead of parts: its middle and size, in mm.")
]
Png = Annotated[Path | None, typer.Option(metavar="FILE", help="Write the picture of the window, too.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Where to write the placed board.")]
InPlace = Annotated[bool, typer.Option("--in-place", help="Write the board itself; what it was is kept as .bak.")]
Force = Annotated[bool, typer.Option("--force", help="Write it even if it is worse than what came in.")]
Drc = Annotated[
    str | None, typer.Option("--drc", metavar="auto|always|never", help="When to ask KiCad; auto: if it is installed.")
]
Against = Annotated[Path | None, typer.Option(metavar="FILE", help="The board as it was before.")]
Instruction = Annotated[
    str | None, typer.Argument(metavar="INSTRUCTION", help="What to place where, in words; - reads standard input.")
]
Json = Annotated[bool, typer.Option("--json", help="JSON instead of words.")]


@board_commands.command()
def compass(file: File = None, live: Live = False, json: Json = False) -> None:
    """Say in words what lies where.

    Zones, neighbours, connections, and what is not placed yet: what a model is shown before it plans.
    """
    with failures():
        from redraft.studios.board import api as boards

        session = boards.opened(file, live=live)
        typer.echo(plain(session.compass_json() if json else session.compass()))


@board_commands.command()
def inspect(
    context: typer.Context,
    file: File = None,
    refs: Refs = None,
    padding: Padding = 5.0,
    region: Region = None,
    png: Png = None,
    live: Live = False,
) -> None:
    """Show the exact geometry around some parts, as JSON.

    Everything in the window is in it, ranked to stay under 2,000 tokens: boxes, pads with nets, and gaps.
    """
    with failures():
        from redraft.studios.board import api as boards

        if live and file is not None:  # the first word is a part then
            refs, file = [str(file), *(refs or [])], None
        if (region is None) == (not refs):
            context.fail("Name the parts to look at (U1 C1), or a window (--region 105,50,20,20).")
        session = boards.opened(file, live=live)
        if region is not None:
            x, y, width, height = _numbers(context, region)
            view = session.inspect_region(x, y, width, height)
            window = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            picture = partial(session.picture, window)
        else:
            seen = session.visual_context(refs or [], padding)
            view, picture = seen.view, lambda: seen.png
        typer.echo(plain(json_of(view.data(), indent=2)))
        if png is not None:
            typer.echo(plain(f"picture: {boards.write_picture(png, picture())}"), err=True)


def _numbers(context: typer.Context, region: str) -> tuple[float, float, float, float]:
    try:
        x, y, width, height = (float(word) for word in region.split(","))
    except ValueError:
        context.fail(f"--region {region!r}: four numbers are expected, X,Y,W,H in millimetres, such as 105,50,20,20.")
    return x, y, width, height


@board_commands.command(context_settings={"allow_extra_args": True})
def place(
    context: typer.Context,
    file: File = None,
    instruction: Instruction = None,
    output: Output = None,
    in_place: InPlace = False,
    force: Force = False,
    live: Live = False,
    drc: Drc = None,
    model: o.Model = None,
    seed: o.Seed = None,
    out: o.Out = None,
    candidates: o.Candidates = None,
    iterations: o.Iterations = None,
    repairs: o.Repairs = None,
    fixes: o.Fixes = None,
    critic: o.Critic = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    base_url: o.BaseUrl = None,
    config: o.ConfigFile = None,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Place parts as a sentence says.

    Everything else of the board stays as it is, byte for byte. The result is checked, by KiCad too where it is
    installed, and written only if it is no worse than what came in. Exits as `redraft sketch` does.
    """
    if context.args:
        context.fail("The instruction is one argument; put it in quotes.")
    if live and instruction is None:  # the first word is the instruction then
        file, instruction = None, None if file is None else str(file)
    if live and file is not None:
        context.fail("--live takes the board that is open in KiCad: name no file with it.")
    if instruction is None or live == (file is not None):
        context.fail('A board and what to do on it are needed: my.kicad_pcb "put C1 0.5 mm right of U1 pin 4".')
    if (output is not None) + in_place + live > 1:
        context.fail("Only one of --output, --in-place and --live.")
    flags: dict[str, JsonValue] = {
        "model": model,
        "seed": seed,
        "loop.candidates": candidates,
        "loop.iterations": iterations,
        "loop.repairs": repairs,
        "loop.fixes": fixes,
        "loop.critic": critic,
        "studios.board.drc": drc,
        "budget.calls": max_calls,
        "budget.tokens": max_tokens,
        "budget.cost": max_cost,
        "models.base_url": base_url,
    }
    given = {key: value for key, value in flags.items() if value is not None}

    def do(work: Work, terminal: Terminal) -> Result:
        from redraft import app
        from redraft.cli.work import standard_input
        from redraft.studios.board import api as boards

        settings = app.load_config(config, given)
        text = standard_input() if instruction == "-" else str(instruction)
        folder = work.place(out, settings.out, text)
        kicad = boards.running() if live else None
        source = file if kicad is None else boards.snapshot(kicad, folder.with_name(f"{folder.name}-kicad"))
        assert source is not None
        boards.refuse_unwritable(source, output, in_place=in_place)
        boards.refuse_without_kicad(settings.studios.get("board", {}).get("drc"))
        result = app.run(
            "board",
            text,
            config=settings,
            source=source,
            out=folder,
            observer=terminal,
            notify=terminal.notify,
        )
        if kicad is None:
            return boards.write_board(result, output, in_place=in_place, force=force)
        result, done = boards.apply_live(result, kicad, force=force)
        if done:
            terminal.say("moved in the board that is open in KiCad; one undo there takes it back", always=True)
        return result

    Work("board", json, quiet).carry_out(do)


@board_commands.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .kicad_pcb.")],
    against: Against = None,
    drc: Drc = None,
    json: Json = False,
) -> None:
    """Check a board, by redraft's rules and by KiCad's own check.

    With --against only what this edit made worse counts. Exits with 0 when nothing new is wrong, 1 when something is.
    """
    with failures():
        from redraft.cli.outcome import check_lines
        from redraft.studios.board import api as boards

        report = boards.check_board(file, against, drc=drc)
        typer.echo(plain(report.model_dump_json(indent=2) if json else "\n".join(check_lines(report, against))))
        if report.errors:
            raise typer.Exit(NOT_VALID)
