"""`redraft trust`: let the settings of a folder or file count as the person's own."""

from __future__ import annotations

from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli import flags as o
from redraft.cli.failures import failures
from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.trust import Untrusted


def trust(
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="Folder with redraft.yaml or .env, or a file of briefs.")
    ] = Path(),
    revoke: Annotated[bool, typer.Option("--revoke", help="Trust it no longer.")] = False,
    json: o.JsonData = False,
) -> None:
    """Trust the settings in a folder, or in a file of briefs, until they change.

    What is in a folder may shape results. Settings that run programs, choose servers, name keys or reach files
    elsewhere count only from your own settings, or after this command. It lists them; read the files first.
    """
    with failures():
        from redraft.limits import BRIEFS, read_file
        from redraft.trust import distrust
        from redraft.trust import trust as remember

        rows = dict[str, list[str]]()
        for file in _files(path):
            if revoke:
                rows[str(file)] = ["not trusted any more" if distrust(file) else "was not trusted"]
            else:
                content = read_file(file, BRIEFS)
                rows[str(file)] = [str(one) for one in _settings(file)]
                remember(file, content)
        if json:
            typer.echo(json_of({"revoked" if revoke else "trusted": rows}, indent=2))
            return
        for name, lines in rows.items():
            typer.echo(plain(f"{name}: {lines[0]}" if revoke else f"{name} is trusted until it changes"))
            for line in [] if revoke else lines:
                typer.echo(plain(f"  {line}"))


def _files(path: Path) -> list[Path]:
    """The files that a path stands for. Raises `ConfigError` if there are none."""
    from redraft.config import CONFIG_FILE, ENV_FILE
    from redraft.errors import ConfigError

    if path.is_file():
        return [path]
    if files := [path / name for name in (CONFIG_FILE, ENV_FILE) if (path / name).is_file()]:
        return files
    raise ConfigError(f"{path} has neither {CONFIG_FILE} nor {ENV_FILE}. Give a folder that has one, or a file.")


def _settings(file: Path) -> list[Untrusted]:
    """The settings of a YAML file that count from now on."""
    from redraft.config import untrusted_of
    from redraft.options import section_of

    return untrusted_of(file, section_of) if file.suffix in (".yaml", ".yml") else []
