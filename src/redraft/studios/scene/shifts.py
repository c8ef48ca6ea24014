"""The solver's moves in a script: one marked block at its end, which moves objects after all else is done.

The block is data in a function call, so that it can be read back exactly; a block that was changed by hand is code like
any other. Shifts are in the world's axes, in metres; an object that is gone is named on the output and left.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from redraft.studios.scene.spec import Shift, Vector

__all__ = ["shifts_of", "with_shifts", "without_shifts"]

BEGIN = "# --- redraft: moved by the solver (mend the code above instead, and this goes away) ---"
END = "# --- redraft: end ---"
_BLOCK = re.compile(rf"\n\n{re.escape(BEGIN)}\n.*?\n{re.escape(END)}\n", re.DOTALL)
_ROWS = re.compile(r"^_redraft_shift\((\[\n.*?^\])\)$", re.DOTALL | re.MULTILINE)

_CODE = """\
def _redraft_shift(moves):
    import bpy

    bpy.context.view_layer.update()
    for name, by, _ in moves:
        thing = bpy.data.objects.get(name)
        if thing is None:
            print("redraft: there is no object", repr(name), "to move by", by)
            continue
        within = (thing.matrix_world @ thing.matrix_basis.inverted_safe()).to_3x3().inverted_safe()
        step = by if thing.parent is None else within @ type(thing.location)(by)
        thing.location = [at + change for at, change in zip(thing.location, step)]
    bpy.context.view_layer.update()


_redraft_shift({rows})
del _redraft_shift
"""


def with_shifts(code: str, shifts: Sequence[Shift]) -> str:
    """A script with further moves: those that it has already are added to, and what comes to nothing is left out."""
    plain, every = without_shifts(code), _added([*shifts_of(code), *shifts])
    return plain + _block(every) if every else plain


def shifts_of(code: str) -> list[Shift]:
    """The moves that a script's blocks hold, exactly as they were given."""
    return [shift for block in _BLOCK.finditer(code) for shift in _read(block[0]) or ()]


def without_shifts(code: str) -> str:
    """The script as it was before any moves, to the character."""
    return _BLOCK.sub(lambda block: block[0] if _read(block[0]) is None else "", code)


def _added(shifts: Iterable[Shift]) -> list[Shift]:
    """One for each object, in the order of their first; the last reason stands."""
    sums: dict[str, Shift] = {}
    for shift in shifts:
        before = sums[shift.name].by if shift.name in sums else (0.0, 0.0, 0.0)
        by = tuple(_sum(a, b) for a, b in zip(before, shift.by, strict=True))
        sums[shift.name] = Shift(name=shift.name, by=(by[0], by[1], by[2]), reason=shift.reason)
    return [shift for shift in sums.values() if any(shift.by)]


def _sum(a: float, b: float) -> float:
    """Without what rounding leaves of two that cancel."""
    total = a + b
    return 0.0 if abs(total) < 1e-9 * max(abs(a), abs(b)) else total


def _block(shifts: Sequence[Shift]) -> str:
    rows = "".join(f"    ({_quoted(s.name)}, {_numbers(s.by)}, {_quoted(s.reason)}),\n" for s in shifts)
    return f"\n\n{BEGIN}\n" + _CODE.replace("{rows}", f"[\n{rows}]") + f"{END}\n"


def _quoted(text: str) -> str:
    """Pure ASCII, on one line, whatever is in it."""
    return ascii(text)


def _numbers(by: Vector) -> str:
    return "(" + ", ".join(repr(float(value)) for value in by) + ")"


def _read(block: str) -> list[Shift] | None:
    """A block's moves; None for what is not, to the character, a block of ours."""
    rows = _ROWS.search(block)
    if rows is None:
        return None
    try:
        entries = ast.literal_eval(rows[1])
        shifts = [Shift(name=name, by=by, reason=reason) for name, by, reason in entries]
    except (ValueError, TypeError, SyntaxError):  # written by somebody else
        return None
    return shifts if _block(shifts) == block else None
