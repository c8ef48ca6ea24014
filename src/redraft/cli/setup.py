"""`redraft setup …`: install Blender's module, an add-on, KiCad's button."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from json import dumps as json_of
from pathlib import Path
from shlex import quote
from typing import Annotated

import typer

from redraft.cli import flags as o
from redraft.cli.failures import INTERRUPTED, failures, say_error
from redraft.cli.studio import Commands
from redraft.cli.terminal import plain

setup_commands = Commands(no_args_is_help=True)

Into = Annotated[Path | None, typer.Option(metavar="DIR", help="Install into this folder instead of the default one.")]
Addon = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder for the packages (default: this one).", show_default=False)
]
Python = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Python to use, 3.11 or 3.13 (default: the first one found).")
]

Plugins = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="KiCad's folder of plugins, instead of the user's own.")
]


@setup_commands.callback()
def setup() -> None:
    """Install Blender's module, an add-on for Blender, or the button in KiCad.

    `redraft doctor` says which of them are missing.
    """


@setup_commands.command()
def blender(into: Into = None, python: Python = None, json: o.JsonData = False) -> None:
    """Install Blender's Python module, which scenes need.

    It goes into its own folder: a download of about 400 MB from the package index, 1 GB on disk. Needs Python 3.11 or
    3.13.

    Blender is a separate program under the GPL; redraft runs it as a separate process and does not contain it. If you
    have Blender 4.1 or later, you need not install anything: redraft finds it on PATH, or set studios.scene.blender in
    redraft.yaml.
    """
    with failures():
        from redraft.studios.scene.blender import homes
        from redraft.studios.scene.setup import install_blender

        began = time.monotonic()
        try:
            with _steps() as say:
                installed = install_blender(into, python, say=say)
        except KeyboardInterrupt:
            say_error("stopped; the incomplete installation will not be used. Start again: redraft setup blender")
            raise typer.Exit(INTERRUPTED) from None
        if json:
            made = {"version": installed.blender.version, "folder": str(installed.folder), "already": installed.already}
            _say(json_of({**made, "bytes": installed.size}))
            return
        took = "already installed" if installed.already else f"{time.monotonic() - began:.0f} s"
        size = f"{installed.size / 1e6:,.0f} MB"
        _say(f"Blender {installed.blender.version} is ready in {installed.folder}: {size}, {took}")
        if installed.folder not in homes():
            _say(f"to use it, set in redraft.yaml  studios: {{scene: {{blender: {installed.folder}}}}}")


@setup_commands.command("blender-addon")
def blender_addon(out: Addon = Path(), json: o.JsonData = False) -> None:
    """Write redraft's add-on, for scenes into your open Blender.

    With it, `redraft scene … --send` places the result there. Two packages of the same add-on: an extension for Blender
    4.2 and later, and a legacy add-on for earlier versions.
    """
    with failures():
        from redraft.studios.scene.setup import write_addon

        extension, legacy = write_addon(out)
        if json:
            _say(json_of({"extension": str(extension), "legacy": str(legacy)}))
            return
        _say(f"{extension}: for Blender 4.2 and later; drag it into Blender's window, or run:")
        _say(f"  blender --command extension install-file -r user_default -e {quote(str(extension))}")
        _say(f"{legacy}: for earlier versions; Edit > Preferences > Add-ons > Install…")
        _say("then press Start Listening in the sidebar of the 3D viewport (N), tab redraft")


@setup_commands.command("kicad-plugin")
def kicad_plugin(out: Plugins = None, json: o.JsonData = False) -> None:
    """Install the button in KiCad 9: place components by a sentence.

    It goes into a folder of its own among KiCad's plugins; an older one is replaced. KiCad then installs redraft into
    an environment of its own, from where this one was installed.
    """
    with failures():
        from redraft.studios.board.button.package import plugins_folder, write_plugin

        written = write_plugin(out or plugins_folder())
        if json:
            _say(json_of({"folder": str(written)}))
            return
        _say(f"written to {written}")
        for line in NEXT:
            _say(line)


NEXT = (
    "1. In KiCad 9: Preferences, Plugins, Enable KiCad API; and Detect Automatically if no Python is named there.",
    "2. Close KiCad, open the project in its project manager, and from there the board editor.",
    "3. KiCad installs redraft once, which takes minutes; then the button is at the right end of the upper toolbar.",
)


@contextmanager
def _steps() -> Generator[Callable[[str], None]]:
    """Each step on its own line; on a terminal with the time so far."""
    from rich.console import Console
    from rich.progress import Progress, SpinnerColumn, TimeElapsedColumn

    console = Console(stderr=True, highlight=False, markup=False, emoji=False, soft_wrap=True)
    columns = (SpinnerColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as clock:
        task = clock.add_task("", total=None)

        def say(step: str) -> None:
            console.print(plain(step))
            clock.reset(task)

        yield say


def _say(line: str) -> None:
    typer.echo(plain(line))
