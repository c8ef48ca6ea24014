"""Lines for the terminal about the fix memory: a table of kinds of error, and fixes as removed and added lines.

Entries are foreign text, so they are printed without control characters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from redraft.cli.terminal import plain
from redraft.fixes.base import Fix

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LINES = 12
"""Of one side of a fix."""


@dataclass
class Kind:
    """One kind of error, with the number of its fixes and their use."""

    key: str
    entries: int = 0
    used: int = 0
    worked: int = 0

    @property
    def category(self) -> str:
        return _category(self.key)

    @property
    def meaning(self) -> str:
        return meaning_of(self.key)

    def data(self) -> dict[str, str | int]:
        return {**asdict(self), "meaning": self.meaning}


def kinds(fixes: Iterable[Fix]) -> list[Kind]:
    """Count entries by key, in the order of keys."""
    found: dict[str, Kind] = {}
    for fix in fixes:
        kind = found.setdefault(fix.key, Kind(fix.key))
        kind.entries += 1
        kind.used += fix.times_used
        kind.worked += fix.times_worked
    return [found[key] for key in sorted(found)]


def meaning_of(key: str) -> str:
    """Return the meaning of a key in words; empty if it has none."""
    from redraft.fixes.normalize import CATEGORIES

    return CATEGORIES.get(_category(key), "")


def _category(key: str) -> str:
    return ":".join(key.split(":")[:2])


def best_first(fixes: Iterable[Fix]) -> list[Fix]:
    return sorted(fixes, key=lambda fix: (fix.times_used - 2 * fix.times_worked, fix.timestamp, fix.id))


def counted(number: int, word: str, more: str = "s") -> str:
    """`1 fix`, `1,200 fixes`."""
    return f"{number:,} {word}{'' if number == 1 else more}"


def show_kinds(label: str, found: Sequence[Kind]) -> None:
    """Print the table, grouped by the meaning of the errors, with totals."""
    say = partial(_console().print, soft_wrap=True)
    if not found:
        say(_text(f"No fixes are remembered yet ({label})."))
        return
    say(_text(_row("error", "fixes", "used", "worked"), "bold"))
    for meaning, group in groupby(found, key=lambda kind: (kind.category, kind.meaning)):
        say(_text(meaning[1] or meaning[0], "dim"))
        for kind in group:
            say(_text(_row(kind.key, *(f"{n:,}" for n in (kind.entries, kind.used, kind.worked)))))
    entries, worked = sum(kind.entries for kind in found), sum(kind.worked for kind in found)
    say(_text(f"\n{counted(entries, 'fix', 'es')} in {label}; {counted(worked, 'model call')} saved", "bold"))


def _row(key: str, *numbers: str) -> str:
    return f"  {key:<46}" + "".join(f"{number:>8}" for number in numbers)


def show_fixes(key: str, fixes: Sequence[Fix], limit: int) -> None:
    """Print fixes one below the other: the message, the removed and the added lines."""
    meaning = meaning_of(key)
    say = partial(_console().print, soft_wrap=True)
    say(_text(key, "bold cyan") + _text(f"  {meaning}" if meaning else "", "dim"))
    for number, fix in enumerate(fixes[:limit], start=1):
        say()
        say(_text(f"{number:>3}  ", "dim") + _text(fix.error_msg.replace("\n", " ")))
        say(_text(f"     {_history(fix)}", "dim"))
        for line in _side(fix.broken_snippet):
            say(_text(f"     - {line}", "red"))
        for line in _side(fix.fixed_snippet):
            say(_text(f"     + {line}", "green"))
    if len(fixes) > limit:
        say(_text(f"\n… and {len(fixes) - limit:,} more; all of them with --json", "dim"))


def _history(fix: Fix) -> str:
    used = f"used {fix.times_used}, worked {fix.times_worked}" if fix.times_used else "not used yet"
    demoted = "" if fix.trusted else "; no longer applied"
    return f"{fix.compiler + ', ' if fix.compiler else ''}{fix.timestamp[:10]}, {used}{demoted}"


def _side(snippet: str) -> list[str]:
    lines = snippet.expandtabs(4).split("\n") if snippet else []
    return lines if len(lines) <= LINES else [*lines[: LINES - 1], "…"]


def _text(text: str, style: str = "") -> Text:
    from rich.text import Text

    return Text(plain(text), style=style)


def _console() -> Console:
    from rich.console import Console

    return Console(highlight=False, markup=False, emoji=False)
