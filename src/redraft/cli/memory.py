"""`redraft memory …`: list, show, export, import and forget the fixes of errors that redraft remembers."""

from __future__ import annotations

import sys
from json import dumps as json_of
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from redraft.cli.failures import failures
from redraft.cli.flags import JsonData
from redraft.cli.studio import Commands
from redraft.cli.terminal import plain

if TYPE_CHECKING:
    from redraft.fixes.base import Store

memory_commands = Commands(help="The fix memory: fixes of errors, remembered across runs.", no_args_is_help=True)

StoreName = Annotated[
    str | None,
    typer.Option(
        "--memory", metavar="STORE", help="auto, sqlite, sqlite:PATH or redis://…, instead of the setting `memory`."
    ),
]
Key = Annotated[str, typer.Argument(metavar="KEY", help="Kind of error, such as glsl:undeclared_identifier.")]
OneKey = Annotated[str | None, typer.Argument(metavar="KEY", help="Kind of error to forget.")]
Most = Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Show at most this many fixes.")]


@memory_commands.command(name="list")
def list_(store: StoreName = None, json: JsonData = False) -> None:
    """List the kinds of error with known fixes.

    For each: the number of fixes, how often one was applied without asking a model, and how often that worked.
    """
    with failures():
        from redraft.cli import memory_view as view

        kept = _opened(store)
        kinds = view.kinds(kept.entries())
        if json:
            _say(json_of({"store": kept.label, "keys": [kind.data() for kind in kinds]}, indent=2))
        else:
            view.show_kinds(kept.label, kinds)


@memory_commands.command()
def show(key: Key, store: StoreName = None, limit: Most = 20, json: JsonData = False) -> None:
    """Show the fixes of one kind of error, the most successful first.

    --json prints all of them, whatever --limit is.
    """
    with failures():
        from redraft.cli import memory_view as view

        kept = _opened(store)
        fixes = view.best_first(kept.entries(_known(kept, key)))
        if json:
            _say(json_of([{"id": fix.id, **fix.model_dump()} for fix in fixes], indent=2))
        else:
            view.show_fixes(key, fixes, limit)


@memory_commands.command()
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The .jsonl file to write; - is standard output.")],
    store: StoreName = None,
    json: JsonData = False,
) -> None:
    """Write all fixes to a file, one JSON object a line."""
    with failures():
        from redraft.files import write_atomic
        from redraft.fixes.exchange import exported

        kept = _opened(store)
        if str(file) == "-":
            for line in exported(kept):
                typer.echo(line)
            return
        lines = list(exported(kept))
        write_atomic(file, "".join(f"{line}\n" for line in lines))
        _say(json_of({"written": len(lines), "file": str(file)}) if json else f"{_fixes(len(lines))} written to {file}")


@memory_commands.command(name="import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A .jsonl file of `redraft memory export`.")],
    store: StoreName = None,
    json: JsonData = False,
) -> None:
    """Add the fixes of a file.

    All lines are checked first: if one is wrong, nothing is added. Known fixes keep their counts.
    """
    with failures():
        from redraft.fixes.exchange import import_fixes

        kept = _opened(store)
        new, known = import_fixes(kept, file)
        if json:
            _say(json_of({"added": new, "known": known, "store": kept.label}))
            return
        _say(f"{_fixes(new)} added to {kept.label}" + (f", {known:,} known already" if known else ""))


@memory_commands.command()
def forget(
    context: typer.Context,
    key: OneKey = None,
    every: Annotated[bool, typer.Option("--all", help="Forget the fixes of every kind of error.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask first.")] = False,
    store: StoreName = None,
    json: JsonData = False,
) -> None:
    """Delete fixes for good; asks first. `redraft memory export` keeps a copy."""
    if (key is None) != every:
        context.fail("Give either a kind of error (see: redraft memory list) or --all.")
    with failures():
        kept = _opened(store)
        count = kept.keys()[_known(kept, key)] if key is not None else sum(kept.keys().values())
        what = f"{_fixes(count)} {f'of {key}' if key is not None else ''}".rstrip() + f" in {kept.label}"
        if count and not yes and not _agreed(f"Forget {what}?"):
            _say(json_of({"forgotten": 0, "store": kept.label}) if json else "nothing was deleted")
            return
        gone = kept.forget(key)
        _say(json_of({"forgotten": gone, "store": kept.label}) if json else f"{_fixes(gone)} forgotten")


def _opened(name: str | None) -> Store:
    """The store that is named, or the one of the settings. Raises `ConfigError` for none."""
    from redraft.errors import ConfigError
    from redraft.fixes.base import open_store
    from redraft.options import check_config

    kept = open_store(
        name if name is not None else check_config().config.memory, lambda line: typer.echo(plain(line), err=True)
    )
    if kept is None:
        raise ConfigError(
            "memory: the fix memory is off (none). Name a store: --memory sqlite, or --memory redis://HOST"
        )
    return kept


def _known(kept: Store, key: str) -> str:
    """A key that has entries. Raises `ConfigError` naming near ones."""
    import difflib

    from redraft.errors import ConfigError

    keys = kept.keys()
    if key in keys:
        return key
    near = difflib.get_close_matches(key, keys, n=3, cutoff=0.65)
    advice = f"Did you mean {' or '.join(near)}?" if near else "List the known kinds: redraft memory list"
    raise ConfigError(f"{kept.label} has no fix for {key!r}. {advice}")


def _agreed(question: str) -> bool:
    from redraft.errors import ConfigError

    if not _on_a_terminal():
        raise ConfigError(f"{question} Standard input is not a terminal, so redraft cannot ask. Add --yes.")
    return typer.confirm(plain(question))


def _on_a_terminal() -> bool:
    return sys.stdin.isatty()


def _fixes(count: int) -> str:
    from redraft.cli.memory_view import counted

    return counted(count, "fix", "es")


def _say(text: str) -> None:
    typer.echo(plain(text))
