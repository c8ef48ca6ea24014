"""The commands that are not a studio's. They only parse flags and print; `redraft.api` checks and does the work."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from itertools import islice
from json import dumps as json_of
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import flags as o
from redraft.cli.batch import batch
from redraft.cli.doctor import doctor
from redraft.cli.failures import failures, open_page
from redraft.cli.foreground import Foreground
from redraft.cli.logs import LogFormat, LogLevel, Verbose
from redraft.cli.memory import memory_commands
from redraft.cli.studio import EXITS, Commands, Program, Setup, Studios
from redraft.cli.terminal import plain
from redraft.cli.trust import trust

if TYPE_CHECKING:
    from pydantic import JsonValue

    from redraft.cli.terminal import Terminal
    from redraft.result import Result

program = Commands(
    cls=Program,
    help="Closes the loop around language models for visual work: draft, execute, check, repair, look.",
    epilog=f'Try: redraft sketch "a house with a red roof, a tree to its left"\n\n{EXITS}',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=True,
)
skills_commands = Commands(help="Skills for agents: how to use redraft's tools.", no_args_is_help=True)
setup_commands = Commands(cls=Setup, no_args_is_help=True)
config_commands = Commands(help="Settings: check a file, show those in force, set one.", no_args_is_help=True)


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
    verbose: Verbose = 0,
    log_level: LogLevel = None,
    log_format: LogFormat = None,
) -> None:
    """Closes the loop around language models for visual work: draft, execute, check, repair, look."""


def folder_of(run: str) -> Path:
    """Return the folder of a run that is named on the command line; `last` is the newest one."""
    from redraft.files import run_folder
    from redraft.options import check_config, last_run

    return last_run(Path(check_config(refuse=False).config.out)) if run == "last" else run_folder(Path(run))


def confirmed(run: Path) -> bool:
    """List what a record sets beyond the person's own settings, and ask on a terminal whether it is wanted."""
    from redraft.cli.outcome import near
    from redraft.loop.resume import config_to_resume, read_start
    from redraft.options import check_config

    _, untrusted = config_to_resume(read_start(run)[0], run, check_config(refuse=False).config)
    if not untrusted:
        return True
    typer.echo(plain(f"The record in {near(run)} sets:"), err=True)
    for one in untrusted:
        typer.echo(plain(f"  {one}"), err=True)
    return not sys.stdin.isatty() or typer.confirm("Use these settings?", err=True)


def _studio_of(run: Path) -> str:
    """The studio of a run, for messages; empty if its record cannot be read."""
    from redraft.errors import RedraftError
    from redraft.loop.resume import read_start

    try:
        return read_start(run)[0].studio
    except RedraftError:
        return ""


def _folder_of_runs(given: Path | None) -> Path:
    """Return the folder of runs: as given, or as set, which need not exist yet."""
    from redraft.errors import ConfigError
    from redraft.options import check_config

    if given is not None and not given.is_dir():
        raise ConfigError(f"{given} is {'a file' if given.exists() else 'missing'}. Give a folder of runs.")
    return given or Path(check_config(refuse=False).config.out)


program.add_typer(Commands(cls=Studios, no_args_is_help=True, help="Run a studio by name."), name="run")
program.command()(batch)


@program.command()
def runs(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Folder of runs (default: the setting `out`).")
    ] = None,
    studio: Annotated[str | None, typer.Option(metavar="NAME", help="Only runs of this studio.")] = None,
    limit: Annotated[int, typer.Option(metavar="N", min=1, help="Show at most this many runs (default 20).")] = 20,
    json: o.JsonData = False,
) -> None:
    """List runs, the newest first."""
    with failures():
        from redraft.cli.outcome import near
        from redraft.files import batches_in
        from redraft.record.transcript import runs_in
        from redraft.studios import open_studio

        place = _folder_of_runs(folder)
        found = list(islice((run for run in runs_in(place) if studio in (None, run.studio)), limit))
        if studio and not found:
            open_studio(studio)
        if json:
            rows: list[JsonValue] = [
                {
                    "run": str(run.folder),
                    "studio": run.studio,
                    "started": run.started.isoformat(),
                    "outcome": run.outcome,
                    "score": run.score,
                    "instruction": run.instruction,
                }
                for run in found
            ]
            typer.echo(json_of(rows, indent=2))
            return
        if not found:
            typer.echo(plain(f"no runs in {near(place.resolve())}"))
        for run in found:
            words = " ".join(run.instruction.split())
            short = words if len(words) <= 48 else f"{words[:47]}…"
            head = f"{run.started:%Y-%m-%d %H:%M}  {run.studio:<7} {run.outcome:<10}"
            typer.echo(plain(f"{head} {short:<48}  {near(run.folder.resolve())}"))
        for path in batches_in(place):
            shown = near(path.resolve())
            typed = quote(str(shown))
            typer.echo(plain(f"batch: {shown} (see its runs: redraft runs {typed}, redraft view {typed})"))


@program.command()
def resume(
    run: o.RunFolder,
    model: Annotated[str | None, typer.Option(metavar="NAME", help="Go on with another model.")] = None,
    backend: o.Backend = None,
    max_calls: o.MaxCalls = None,
    max_tokens: o.MaxTokens = None,
    max_cost: o.MaxCost = None,
    as_recorded: o.AsRecorded = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Continue a run that was interrupted.

    Finished work is not repeated, and no reply is paid for twice. A cap that ended the run can be raised. Of a run that
    is finished, only files that are missing are restored. Of a run that you did not start here, programs, servers, keys
    and files elsewhere count only with --as-recorded.
    """
    given: dict[str, JsonValue] = {"calls": max_calls, "tokens": max_tokens, "cost": max_cost}
    caps = {name: cap for name, cap in given.items() if cap is not None}

    def do(foreground: Foreground, terminal: Terminal) -> Result:
        from redraft import api

        foreground.folder = folder_of(run)
        foreground.studio = _studio_of(foreground.folder)
        return api.resume(
            foreground.folder,
            model=model,
            backend=backend,
            caps=caps,
            as_recorded=as_recorded and confirmed(foreground.folder),
            observer=terminal,
            notify=terminal.notify,
        )

    Foreground("", json, quiet).carry_out(do)


@program.command()
def undo(
    run: o.RunFolder,
    n: Annotated[int, typer.Argument(metavar="N", help="How many edits to take back.")] = 1,
    out: o.Out = None,
    as_recorded: o.AsRecorded = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Take back the last N edits.

    The result before them is delivered in a new run folder; nothing is deleted.
    """

    def do(foreground: Foreground, terminal: Terminal) -> Result:
        from redraft import api

        foreground.folder = folder_of(run)
        foreground.studio = _studio_of(foreground.folder)
        use = as_recorded and confirmed(foreground.folder)
        return api.undo(foreground.folder, n, out=out, as_recorded=use, observer=terminal)

    Foreground("", json, quiet).carry_out(do)


@program.command()
def choose(
    run: o.RunFolder,
    candidate: Annotated[int, typer.Argument(metavar="N", help="Number of the candidate, from 0.")],
    out: o.Out = None,
    as_recorded: o.AsRecorded = False,
    json: o.Json = False,
    quiet: o.Quiet = False,
) -> None:
    """Deliver another candidate of a run's first turn, in a new run folder."""

    def do(foreground: Foreground, terminal: Terminal) -> Result:
        from redraft import api

        foreground.folder = folder_of(run)
        foreground.studio = _studio_of(foreground.folder)
        use = as_recorded and confirmed(foreground.folder)
        return api.choose(foreground.folder, candidate, out=out, as_recorded=use, observer=terminal)

    Foreground("", json, quiet).carry_out(do)


@program.command()
def report(
    run: o.RunFolder,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write the page here, as one file to share.")
    ] = None,
    site: Annotated[
        Path | None, typer.Option(metavar="DIR", help="RUN is a folder of runs: write all of them as a static site.")
    ] = None,
    open_: Annotated[bool, typer.Option("--open", help="Also open it in the browser.")] = False,
    json: o.JsonData = False,
) -> None:
    """Write the report page of a run, finished or not, and print its path.

    With --site, write a gallery of all runs in a folder that any web server can show.
    """
    with failures():
        from redraft.cli.outcome import near
        from redraft.errors import ConfigError
        from redraft.record.transcript import Record

        if site is not None and out is not None:
            raise ConfigError("--out is for the page of one run, --site for a folder of runs. Give one of them.")
        if site is not None:
            from redraft.report.site import write_site

            page = write_site(Path(run), site)
        else:
            from redraft.report.page import write_page

            page = write_page(Record.load(folder_of(run)), out)
        typer.echo(json_of({"report": str(page)}) if json else plain(str(near(page))))
        if open_:
            open_page(page)


@program.command()
def view(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Folder of runs (default: the setting `out`).")
    ] = None,
    read_only: Annotated[bool, typer.Option("--read-only", help="Show runs; start and change nothing.")] = False,
    port: Annotated[
        int, typer.Option(metavar="N", min=0, max=65535, help="Port on this machine; 0 takes any that is free.")
    ] = 8766,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address and open no browser.")] = False,
) -> None:
    """Show the runs of a folder in the browser as they happen; start, stop, edit and compare them there.

    The page is for you alone: it listens on this machine only, and its address holds a key.
    """
    with failures():
        from redraft.errors import MissingPartError

        place = _folder_of_runs(folder)
        try:
            from redraft.view.server import serve
        except ImportError as error:
            raise MissingPartError.of("The viewer", error, "view") from error
        serve(place, port=port, read_only=read_only, browser=not no_browser)


@program.command()
def mcp(
    folders: Annotated[
        list[Path] | None,
        typer.Argument(metavar="DIR...", help="Folders to read and write files in (default: the current one)."),
    ] = None,
    studios: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Serve these studios only: scene,shader (default: all).")
    ] = None,
    print_config: Annotated[
        str | None,
        typer.Option(
            metavar="CLIENT",
            help="Print what to set in a client, and exit: claude-code, claude-desktop, cursor, vscode or python.",
        ),
    ] = None,
    http: Annotated[
        bool, typer.Option("--http", help="Use streamable HTTP instead of standard input and output.")
    ] = False,
    host: Annotated[str, typer.Option(metavar="ADDRESS", help="With --http: address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="N", min=0, max=65535, help="With --http: port to listen on.")] = 8765,
    allow_origin: Annotated[
        list[str] | None,
        typer.Option(metavar="URL", help="With --http: origin of a web page that may connect; repeatable."),
    ] = None,
    config: o.ConfigFile = None,
) -> None:
    """Serve the tools of all studios to an MCP client: Claude, Cursor, or any other.

    Over standard input and output unless --http is given. Files outside these folders are out of reach; what a model
    writes runs in the sandbox.

    With --http and a token in the environment variable REDRAFT_MCP_TOKEN, each request must bear that token.
    """
    with failures():
        from redraft.config import MCP_TOKEN
        from redraft.errors import MissingPartError
        from redraft.options import check_config

        settings, chosen = check_config(config).config, _studios(studios)
        if print_config is not None:
            origin = f"http://{f'[{host}]' if ':' in host else host}:{port}"
            if allow_origin and not host.startswith(("127.", "localhost", "::1")):
                origin = allow_origin[0]  # this machine's name there
            _print_config(print_config, folders or [Path()], chosen, config, f"{origin}/mcp" if http else "")
            return
        try:  # the server alone, not the studio: the client waits for it to start
            from redraft.mcp.server import serve
        except ImportError as error:
            raise MissingPartError.of("The MCP server", error, "mcp") from error
        serve(
            folders or [Path()],
            transport="http" if http else "stdio",
            host=host,
            port=port,
            allow_origins=tuple(allow_origin or ()),
            token=os.environ.pop(MCP_TOKEN, None),  # no child process gets it
            config=settings,
            studios=chosen,
        )


def _studios(text: str | None) -> tuple[str, ...] | None:
    """The studios that an option names. Raises `ConfigError` for one that is not installed."""
    if text is None:
        return None
    from redraft.errors import ConfigError
    from redraft.studios import studio_names

    names = tuple(dict.fromkeys(filter(None, (name.strip() for name in text.split(",")))))
    known = studio_names()
    if not names or not set(names) <= set(known):
        raise ConfigError(f"--studios {text!r}: installed are {', '.join(known)}. Separate names with commas.")
    return names


def _print_config(
    client: str, folders: Sequence[Path], studios: Sequence[str] | None, config: Path | None, url: str
) -> None:
    """Print the configuration of a client on standard output, and its place on standard error.

    Clients start a server in a folder of their own, so paths are absolute, and settings of this folder are named.
    """
    from redraft.config import CONFIG_FILE, MCP_TOKEN
    from redraft.errors import ConfigError
    from redraft.mcp.clients import CLIENTS, config_for
    from redraft.mcp.opened import Folders

    if client not in CLIENTS:
        raise ConfigError(f"--print-config {client!r}: unknown client. Choose one of {', '.join(CLIENTS)}.")
    settings = config or Path(CONFIG_FILE)
    words = [str(folder) for folder in Folders.of(folders).allowed]
    words += ["--studios", ",".join(studios)] if studios else []
    words += ["--config", str(settings.absolute())] if settings.is_file() else []
    text = config_for(client, words, url=url, token=bool(url and os.environ.get(MCP_TOKEN)))
    typer.echo(f"For {client}, {CLIENTS[client]}:", err=True)
    typer.echo(text)
    if url:
        typer.echo("Start the server first: the same command without --print-config.", err=True)


@skills_commands.callback()
def skills() -> None:
    """Skills for agents: how to use redraft's tools."""


@skills_commands.command("install")
def install_skills(
    folder: Annotated[
        Path | None, typer.Argument(metavar="DIR", help="Folder of skills (default: .claude/skills in this folder).")
    ] = None,
    studios: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Skills of these studios only: scene,shader (default: all).")
    ] = None,
    user: Annotated[bool, typer.Option("--user", help="For all projects: ~/.claude/skills.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite skills that differ.")] = False,
    json: o.JsonData = False,
) -> None:
    """Write one skill for each studio, in the open agent-skills format.

    A skill tells an agent when to use a studio's tools, in which order, and what to avoid. Claude Code, Cursor and VS
    Code read .claude/skills, Codex reads .agents/skills; for other agents give the folder that they read.
    """
    with failures():
        from redraft.errors import ConfigError
        from redraft.mcp.guides import install_skills as write

        if user and folder is not None:
            raise ConfigError(f"--user and a folder ({folder}): give one of them.")
        target = folder or (Path.home() if user else Path()) / ".claude" / "skills"
        done = write(target, _studios(studios) or (), force=force)
        if json:
            typer.echo(json_of([{"file": str(each.file), "done": each.done} for each in done], indent=2))
            return
        for each in done:
            typer.echo(plain(f"{each.done:<9}  {each.file}"))


@program.command()
def models(config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """List the models that can be named, each with its requirements."""
    with failures():
        from redraft.models.registry import available
        from redraft.options import check_config

        rows = available(check_config(config).config.models)
        if json:
            typer.echo(json_of([{"model": name, "about": said} for name, said in rows], indent=2))
            return
        width = max(len(name) for name, _ in rows)
        for name, said in rows:
            typer.echo(plain(f"{name:<{width}}  {said}"))


@program.command()
def examples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write to, such as `.`.")],
    json: o.JsonData = False,
) -> None:
    """Write the files that the documentation uses: a board, a picture, a taste and briefs.

    Files of your own are not overwritten.
    """
    with failures():
        from redraft.samples import write_samples

        written = [str(path) for path in write_samples(folder)]
        typer.echo(json_of(written, indent=2) if json else plain("\n".join(written)))


@setup_commands.callback()
def setup() -> None:
    """Install Blender's module, an add-on for Blender, or the button in KiCad.

    `redraft doctor` says which of them are missing.
    """


@config_commands.command("check")
def check(
    file: Annotated[
        Path | None, typer.Argument(metavar="FILE", help="Settings (default: redraft.yaml in this folder).")
    ] = None,
    json: o.JsonData = False,
) -> None:
    """Check a settings file together with the environment's settings, without running anything."""
    with failures():
        from redraft.config import CONFIG_FILE, refuse_unused
        from redraft.options import check_config

        report = check_config(file)
        if "model" in report.sources:
            refuse_unused(report)
        here = Path(CONFIG_FILE) if Path(CONFIG_FILE).is_file() else None
        checked = file or here or f"no {CONFIG_FILE} here; the defaults and the environment"
        if json:
            typer.echo(json_of({"checked": str(checked), "unchecked": report.unchecked}))
            return
        typer.echo(plain(f"{checked}: all settings are valid"))
        for name, reason in report.unchecked.items():
            typer.echo(plain(f"not checked: studios.{name}, because: {reason}"))


@config_commands.command("show")
def show(config: o.ConfigFile = None, json: o.JsonData = False) -> None:
    """Show every setting in force, as a settings file.

    Defaults are comments; every other value names its source in one.
    """
    with failures():
        from redraft.options import in_force

        report = in_force(config)
        if json:
            typer.echo(plain(report.config.model_dump_json(indent=2)))
            return
        for line in report.lines():
            typer.echo(plain(line))


@config_commands.command("set")
def set_(
    key: Annotated[str, typer.Argument(metavar="KEY", help="Setting by its dotted key: loop.candidates.")],
    value: Annotated[str, typer.Argument(metavar="VALUE", help="Its value, as in YAML.")],
    config: o.ConfigFile = None,
    user: Annotated[bool, typer.Option("--user", help="Write your own settings, which count in all folders.")] = False,
    json: o.JsonData = False,
) -> None:
    """Write one setting into redraft.yaml.

    Comments and other settings in the file stay as they are. A value that is not valid is not written. A new file is
    trusted, and one that was trusted stays so.
    """
    with failures():
        from redraft.config import CONFIG_FILE, own_file, read_value, write_setting
        from redraft.errors import ConfigError
        from redraft.limits import SETTINGS, read_file
        from redraft.options import check_config
        from redraft.trust import is_trusted
        from redraft.trust import trust as remember

        if user and config is not None:
            raise ConfigError(f"--user and --config {config}: give one of them.")
        file = own_file() if user else config or Path(CONFIG_FILE)
        given = read_value(key, value)
        check_config(file if file.exists() else None, {key: given}, refuse=False)
        known = not file.exists() or is_trusted(file, read_file(file, SETTINGS))
        file.parent.mkdir(parents=True, exist_ok=True)
        write_setting(file, key, given)
        if known:
            remember(file, read_file(file, SETTINGS))
        said = json_of({"key": key, "value": given, "file": str(file)}) if json else f"{key}: {value} is set in {file}"
        typer.echo(plain(said))


program.command()(doctor)
program.command()(trust)
program.add_typer(config_commands, name="config")
program.add_typer(memory_commands, name="memory")
program.add_typer(setup_commands, name="setup")
program.add_typer(skills_commands, name="skills")
Program.later.update(
    {info.name or info.callback.__name__: info for info in program.registered_commands if info.callback}
)
Program.later.update({str(info.name): info.typer_instance for info in program.registered_groups})
program.registered_commands, program.registered_groups = [], []
