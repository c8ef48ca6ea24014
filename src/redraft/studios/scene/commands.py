"""`redraft setup blender` and `redraft setup blender-addon`: Blender's module, and the add-on for your own Blender."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from json import dumps as json_of
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.failures import INTERRUPTED, failures, say_error
from redraft.cli.flags import JsonData
from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.config import Config

Into = Annotated[Path | None, typer.Option(metavar="DIR", help="Install into this folder instead of the default one.")]
Addon = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder for the packages (default: this one).", show_default=False)
]
Python = Annotated[
    Path | None, typer.Option(metavar="PATH", help="Python to use, 3.11 or 3.13 (default: the first one found).")
]


def blender(into: Into = None, python: Python = None, json: JsonData = False) -> None:
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
        version, folder = installed.blender.version, installed.folder
        if json:
            facts = {"version": version, "folder": str(folder), "already": installed.already, "bytes": installed.size}
            typer.echo(plain(json_of(facts)))
            return
        took = "already installed" if installed.already else f"{time.monotonic() - began:.0f} s"
        typer.echo(plain(f"Blender {version} is ready in {folder}: {installed.size / 1e6:,.0f} MB, {took}"))
        if folder not in homes():
            typer.echo(plain(f"to use it, set in redraft.yaml  studios: {{scene: {{blender: {folder}}}}}"))


def blender_addon(out: Addon = Path(), json: JsonData = False) -> None:
    """Write redraft's add-on, for scenes into your open Blender.

    With it, `redraft scene … --send` places the result there. Two packages of the same add-on: an extension for Blender
    4.2 and later, and a legacy add-on for earlier versions.
    """
    with failures():
        from redraft.studios.scene.setup import write_addon

        extension, legacy = write_addon(out)
        if json:
            typer.echo(plain(json_of({"extension": str(extension), "legacy": str(legacy)})))
            return
        for line in (
            f"{extension}: for Blender 4.2 and later; drag it into Blender's window, or run:",
            f"  blender --command extension install-file -r user_default -e {quote(str(extension))}",
            f"{legacy}: for earlier versions; Edit > Preferences > Add-ons > Install…",
            "then press Start Listening in the sidebar of the 3D viewport (N), tab redraft",
        ):
            typer.echo(plain(line))


@contextmanager
def _steps() -> Generator[Callable[[str], None]]:
    """Print each step on its own line; on a terminal with the time so far."""
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


def installed_blender(config: Config) -> str:
    """Return the Blender that scenes run in, for `redraft doctor`. Raises `MissingPartError`."""
    from redraft.studios.scene.blender import find_blender

    blender = find_blender(str(config.studios.get("scene", {}).get("blender", "auto")))
    return f"Blender {blender.version}: {blender.place}"
