"""Commands of the board studio: look at boards, check them, place components in a running KiCad; KiCad's button."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from inspect import Parameter, Signature
from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from redraft.cli.failures import NOT_VALID, failures
from redraft.cli.flags import JsonData
from redraft.cli.studio import Commands, command, commands_of, front_of, refuse_idle_options, run_here, signature_of
from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.cli.terminal import Terminal
    from redraft.config import Config
    from redraft.result import Report, Result
    from redraft.studios.board.nets import NetPage, Pin
    from redraft.studios.board.session import Session

app = Commands()

MAX_FINDINGS = 200
"""Findings of a check that are printed; its JSON has all."""

File = Annotated[
    Path | None, typer.Argument(metavar="FILE", help="A .kicad_pcb of KiCad 4 or later; leave it out with --live.")
]
Refs = Annotated[list[str] | None, typer.Argument(metavar="REFS...", help="Components to look at, by reference.")]
NetFile = Annotated[Path, typer.Argument(metavar="FILE", help="A .kicad_pcb of KiCad 4 or later.")]
Names = Annotated[
    list[str] | None, typer.Argument(metavar="NAMES...", help="Nets (VBUS, '*3V3*'), components (U1), pads (U1.4).")
]
Live = Annotated[bool, typer.Option("--live", help="Use the board that is open in KiCad 9.")]
Padding = Annotated[float, typer.Option(metavar="MM", help="Space around the components.")]
Region = Annotated[
    str | None, typer.Option(metavar="X,Y,W,H", help="Window instead of components: its center and size, in mm.")
]
Png = Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a picture of the window.")]
Drc = Annotated[
    str | None, typer.Option("--drc", metavar="auto|always|never", help="Run KiCad's own check; auto: if installed.")
]
Against = Annotated[Path | None, typer.Option(metavar="FILE", help="The board before the edit.")]
Plugins = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="KiCad's folder of plugins, instead of the user's own.")
]


def commands(place: Any) -> dict[str, Any]:
    """Return the commands by name; `place` is the studio's own run."""
    return {"place": place, **commands_of(app), "decouple": _decouple(), "live": _live()}


@app.command()
def compass(file: File = None, live: Live = False, json: JsonData = False) -> None:
    """Describe a board in words.

    Zones, neighbors, connections, and components that are not placed yet: the view that a model plans with.
    """
    with failures():
        session = _open(file, live=live)
        typer.echo(plain(session.compass_json() if json else session.compass()))


@app.command()
def inspect(
    context: typer.Context,
    file: File = None,
    refs: Refs = None,
    padding: Padding = 5.0,
    region: Region = None,
    png: Png = None,
    live: Live = False,
) -> None:
    """Print the exact geometry around some components, as JSON.

    It has everything in the window, ranked to stay under 2,000 tokens: boxes, pads with nets, and gaps.
    """
    with failures():
        from redraft.studios.board import files as boards

        if live and file is not None:  # the first word is a part then
            refs, file = [str(file), *(refs or [])], None
        if (region is None) == (not refs):
            context.fail("Name the components to look at (U1 C1), or a window (--region 105,50,20,20).")

        session = _open(file, live=live)
        if region is None:
            seen = session.visual_context(refs or [], padding)
            view, picture = seen.view, lambda: seen.png
        else:
            try:
                x, y, width, height = (float(word) for word in region.split(","))
            except ValueError:
                context.fail(f"--region {region!r}: give four numbers, X,Y,W,H in millimeters, such as 105,50,20,20.")
            view = session.inspect_region(x, y, width, height)
            picture = partial(session.picture, (x - width / 2, y - height / 2, x + width / 2, y + height / 2))

        typer.echo(plain(json_of(view.data(), indent=2)))
        if png is not None:
            typer.echo(plain(f"picture: {boards.write_picture(png, picture())}"), err=True)


@app.command()
def nets(file: NetFile, names: Names = None, json: JsonData = False) -> None:
    """List nets with all their pads, or all pins of components.

    Without names, all nets in short. A pin has its pad, name, type, net and position, and where else its net goes.
    """
    with failures():
        from redraft.studios.board.nets import NetPage, NetQuery

        session = _open(file, live=False)
        query = NetQuery(names=tuple(names or ()), limit=200)
        pages = [session.nets(query)]
        while (cursor := pages[-1].next_cursor) is not None:
            pages.append(session.nets(query.model_copy(update={"cursor": cursor})))
        whole = NetPage(
            pins=tuple(pin for page in pages for pin in page.pins),
            nets=tuple(net for page in pages for net in page.nets),
            total=pages[0].total,
            next_cursor=None,
        )
        text = whole.model_dump_json(indent=2, exclude_defaults=True) if json else "\n".join(net_lines(whole))
        typer.echo(plain(text))


def net_lines(page: NetPage) -> list[str]:
    """Return nets and pins as lines: `U1.4 VDD (power_in) on +3V3 at 120.5, 99.2 top; also C3.1`."""

    def listed(names: Sequence[str], left_out: int) -> str:
        return ", ".join(names) + (f" and {left_out} more" if left_out else "")

    def pin_line(pin: Pin) -> str:
        words = (f"{pin.ref}.{pin.pad}", pin.function, f"({pin.type})" if pin.type else "")
        net = f"on {pin.net}" if pin.net else "on no net"
        also = f"; also {listed(pin.elsewhere, pin.elsewhere_left_out)}" if pin.elsewhere else ""
        return f"{' '.join(filter(None, words))} {net} at {pin.at[0]:g}, {pin.at[1]:g} {pin.side}{also}"

    lines = [f"{net.name}: {net.pads} pads of {listed(net.parts, net.parts_left_out)}" for net in page.nets]
    return [*lines, *map(pin_line, page.pins)]


def _open(file: Path | None, *, live: bool) -> Session:
    """Open the board to look at, and print a note where its format is newer than the known ones."""
    from redraft.studios.board import files as boards

    session = boards.opened(file, live=live)
    if session.base.file.newer:
        typer.echo(plain(f"note: {session.base.file.newer}"), err=True)
    return session


def _live() -> Any:
    """Build `live`: the flags of `place`, on a snapshot of the board that is open in KiCad, then moved there."""
    studio = front_of("board")

    def run(**given: Any) -> None:
        context: typer.Context = given.pop("context")
        instruction: str | None = given.pop("instruction")
        force = bool(given.get("force"))
        refuse_idle_options(context, studio, given)
        if instruction is None and not given.get("all"):
            context.fail(f"The instruction is missing. For example: redraft board live {json_of(studio.example)}")
        opened: list[Any] = []

        def snapshot(folder: Path) -> dict[str, Any]:
            from redraft.studios.board import files as boards

            opened.append(boards.running())
            return {"source": boards.snapshot(opened[0], folder.with_name(f"{folder.name}-kicad"))}

        def apply(result: Result, terminal: Terminal) -> Result:
            from redraft.studios.board import files as boards

            result, done = boards.apply_live(result, opened[0], force=force)
            if done:
                terminal.say("moved in the board that is open in KiCad; one undo there takes it back", always=True)
            return result

        run_here(studio, instruction or "", given, before=snapshot, after=apply)

    signature = signature_of(studio, frozenset({"source", "to", "in_place", "on"}))
    return command("live", run, signature, "Place components of the board that is open in KiCad 9.")


def _decouple() -> Any:
    """Build `decouple`: a run of `place` with the offline model, for the sentence that says which components."""
    studio = front_of("board")

    def run(**given: Any) -> None:
        context: typer.Context = given.pop("context")
        refs: list[str] = given.pop("refs") or []
        every: bool = given.pop("all")
        source: Path | None = given.get("source")
        if source is None or every is bool(refs):
            context.fail("Name components, or --all of them: redraft board decouple my.kicad_pcb U1 -o out.kicad_pcb")
        with failures():
            targets = _served(source) if every else refs
        instruction = "\n".join(f"decouple {name}" for name in targets)
        run_here(studio, instruction, {**given, "model": "offline"}, after=_print_capacitors)

    left_out = frozenset({"instruction", "on", "model", "all", "replace", "effort", "time_limit"})
    parameters = [parameter for parameter in signature_of(studio).parameters.values() if parameter.name not in left_out]
    every = typer.Option("--all", help="Every component that capacitors serve.")
    named = typer.Argument(metavar="REFS...", help="Components whose capacitors to place, by reference.")
    parameters[2:2] = [
        Parameter("refs", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[list[str] | None, named]),
        Parameter("all", Parameter.KEYWORD_ONLY, default=False, annotation=Annotated[bool, every]),
    ]
    about = "Put decoupling capacitors at the supply pins that they serve, never farther away than before."
    return command("decouple", run, Signature(parameters), about)


def _served(source: Path) -> list[str]:
    """Return the components that capacitors serve. Raises `BriefError` where there are none."""
    from redraft.errors import BriefError
    from redraft.studios.board.board import Board
    from redraft.studios.board.place.circuit import circuit_of

    owners = list(dict.fromkeys(one.owner for one in circuit_of(Board.read(source).layout).decoupling))
    if not owners:
        raise BriefError(f"{source}: no capacitor lies between a supply of a component and ground; name a component")
    return owners


def _print_capacitors(result: Result, terminal: Terminal) -> Result:
    """Print a line for each capacitor: its pin, the way of the current before and after, and its rotation."""
    from redraft.studios.board.actions.around import Decouple
    from redraft.studios.board.placement import layout_of, placement_of

    if "json" in result.files:
        placement = placement_of(result)
        layout = layout_of(placement)
        for stated in placement.stated:
            for way in stated.action.supply_ways(layout, stated) if isinstance(stated.action, Decouple) else ():
                turned = f"{way.rotation:g}°" if way.moved else "stays"
                line = f"{way.capacitor:<6} {way.pin:<8} {way.before:.3f} -> {way.after:.3f} mm, {turned}"
                terminal.say(line, always=True)
    return result


@app.command()
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .kicad_pcb.")],
    against: Against = None,
    drc: Drc = None,
    json: JsonData = False,
) -> None:
    """Check a board with redraft's rules and KiCad's own check.

    With --against, only findings that the edit caused count. Exits with 1 if there are errors, else with 0.
    """
    with failures():
        from redraft.studios.board import files as boards

        report = boards.check_board(file, against, drc=drc)
        typer.echo(plain(report.model_dump_json(indent=2) if json else "\n".join(check_lines(report, against))))
        if report.errors:
            raise typer.Exit(NOT_VALID)


def check_lines(report: Report, against: Path | None) -> list[str]:
    """Return the findings of a check as lines, the worst first."""
    from redraft.cli.outcome import near
    from redraft.record.log import MAX_LINES
    from redraft.result import first_lines

    findings = (*report.errors, *report.warnings, *report.notes)
    lines = [issue.line() for issue in findings[:MAX_FINDINGS]]
    if rest := sum(issue.count for issue in findings[MAX_FINDINGS:]):
        lines.append(f"… and {rest:,} more; --json lists them all")

    errors, warnings = report.count("error"), report.count("warning")
    if against is None:
        lines.append(f"{errors} errors, {warnings} warnings")
    else:
        inherited = f"{len(report.inherited)} that {near(against)} had too do not count"
        lines.append(f"{errors} new errors, {warnings} new warnings; {inherited}")
    return [*lines, *first_lines([f"not measured: {claim}" for claim in report.unchecked], MAX_LINES)]


def kicad_plugin(out: Plugins = None, json: JsonData = False) -> None:
    """Install the button in KiCad 9: place components by a sentence.

    It goes into a folder of its own among KiCad's plugins; an older one is replaced. KiCad then installs redraft into
    an environment of its own, from where this one was installed.
    """
    with failures():
        from redraft.studios.board.button.package import plugins_folder, write_plugin

        written = write_plugin(out or plugins_folder())
        if json:
            typer.echo(plain(json_of({"folder": str(written)})))
            return
        typer.echo(plain(f"written to {written}"))
        for line in PLUGIN_STEPS:
            typer.echo(plain(line))


PLUGIN_STEPS = (
    "1. In KiCad 9: Preferences, Plugins, Enable KiCad API; and Detect Automatically if no Python is named there.",
    "2. Close KiCad, open the project in its project manager, and from there the board editor.",
    "3. KiCad installs redraft once, which takes minutes; then the button is at the right end of the upper toolbar.",
)


def kicad_cli(config: Config) -> str:
    """Return the path of `kicad-cli`, for `redraft doctor`. Raises `MissingPartError`."""
    from redraft.studios.board.kicad.cli import find_program

    return find_program()
