"""A patch: the parts of a drawing that an edit changes; and drafts and patches executed.

It is applied in this order: remove, redraw, plan and strokes, restyle, move, scale. Strokes that it does not name
stay the same objects. Protected parts change only as far as the patch lists them (`permitted`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from anyio import to_thread
from pydantic import Field, JsonValue, ValidationError

from redraft.errors import ExecutionError
from redraft.layout.items import Matrix, Move, anchors_of
from redraft.layout.requirements import merged, says
from redraft.result import Mismatch
from redraft.studios.base import Resources
from redraft.studios.sketch.geometry import TangledError, layout_of, painted
from redraft.studios.sketch.spec import MAX_PARTS, MAX_STROKES, Draft, Drawing, OneLine, Part, Stroke
from redraft.studios.sketch.strokes import Closed, Colour, Line, Name, PenWidth
from redraft.studios.sketch.transform import transformed

Anchor = Literal["center", "left", "right", "top", "bottom", "top_left", "top_right", "bottom_left", "bottom_right"]


class PatchError(ValueError):
    """The patch does not fit the drawing it is for."""


class Restyle(Closed):
    """New colors, pen or layer of a part: `fill` for what is filled, `stroke` and `width` for what is drawn by pen."""

    part: Name
    fill: Colour | None = None
    stroke: Colour | None = None
    width: PenWidth | None = None
    layer: int | None = Field(default=None, ge=-1000, le=1000)
    """A higher layer is painted later."""
    children: bool = False
    """Its parts too, at any depth."""


class Shift(Closed):
    """Moves a part and its parts."""

    part: Name
    dx: float = Field(ge=-2, le=2)
    dy: float = Field(ge=-2, le=2)


class Resize(Closed):
    """Scales a part and its parts about an anchor of its box; pens keep their width."""

    part: Name
    factor: float = Field(ge=0.02, le=50)
    about: Anchor = "center"


class Change(Closed):
    """A part of the drawing that the run continues which an edit changes, with all that belongs to it."""

    part: str
    reason: str = ""
    quote: str = ""
    """The words of the instruction that ask for it; needed to remove, restyle or redraw."""


class Patch(Closed):
    """A change to a drawing; `redraw` lists parts whose strokes are replaced by those in `strokes`. It may be empty."""

    approach: OneLine = ""
    changes: tuple[Change, ...] = ()
    """Protected parts that it changes."""
    remove: tuple[Name, ...] = Field(default=(), max_length=MAX_PARTS)
    redraw: tuple[Name, ...] = Field(default=(), max_length=MAX_PARTS)
    plan: tuple[Part, ...] = Field(default=(), max_length=MAX_PARTS)
    requirements: tuple[JsonValue, ...] = ()
    """New statements, and changed ones by their id."""
    strokes: tuple[Stroke, ...] = Field(default=(), max_length=MAX_STROKES)
    behind: Name | None = None
    """Where new parts are painted: just behind this part and its parts; on top of everything when None."""
    restyle: tuple[Restyle, ...] = Field(default=(), max_length=MAX_PARTS)
    move: tuple[Shift, ...] = Field(default=(), max_length=MAX_PARTS)
    scale: tuple[Resize, ...] = Field(default=(), max_length=MAX_PARTS)
    mismatches: tuple[Mismatch, ...] = ()
    """Of a repair: answers to requirements that do not hold."""


def apply(base: Drawing, patch: Patch) -> Drawing:
    """Return the drawing after the patch.

    Raises:
        PatchError: an unknown name, a stroke for a part that is not to be redrawn, or a result that is no
            drawing; the message says which and what is allowed.
    """
    try:
        drawing = _redrawn(_without(base, patch.remove), patch)
        for i, change in enumerate(patch.restyle):
            drawing = _restyled(drawing, change, f"restyle[{i}]")
        for i, shift in enumerate(patch.move):
            _check_names(drawing, [shift.part], f"move[{i}]")
            drawing = amended(drawing, [Move.shift(shift.part, shift.dx, shift.dy)])
        for i, resize in enumerate(patch.scale):
            _check_names(drawing, [resize.part], f"scale[{i}]")
            about = anchors_of(layout_of(drawing).bounds(resize.part))[resize.about]
            drawing = amended(drawing, [Move.scale(resize.part, resize.factor, resize.factor, about)])
    except ValidationError as error:
        raise PatchError(_first_problem(error)) from error
    except TangledError as error:
        raise PatchError(str(error)) from error
    return drawing


def permitted(base: Drawing, patch: Patch) -> tuple[Patch, tuple[str, ...]]:
    """Return the patch without forbidden changes to protected parts, and a line for each thing left out.

    A part that `changes` lists may be moved and scaled, with all that belongs to it; to remove, redraw or restyle it,
    the quote given with it must be in the instruction.
    """
    protected = frozenset(base.protected) & {p.name for p in base.plan}
    if not protected:
        return patch, ()
    listed = family(base.plan, (c.part for c in patch.changes))
    quoted = family(base.plan, (c.part for c in patch.changes if says(base.asked, c.quote)))
    notes: list[str] = []

    def allowed(name: str, done: str, *, needs_quote: bool = True) -> bool:
        if name not in protected or name in (quoted if needs_quote else listed):
            return True
        reason = "its quote is not in the instruction" if name in listed else "the reply does not list it as changed"
        notes.append(f"{name} was not {done}: {reason}")
        return False

    redraw = tuple(name for name in patch.redraw if allowed(name, "redrawn"))
    dropped = set(patch.redraw) - set(redraw)
    update = {
        "remove": tuple(name for name in patch.remove if allowed(name, "removed")),
        "redraw": redraw,
        "strokes": tuple(s for s in patch.strokes if s.part not in dropped),
        "restyle": tuple(change for change in patch.restyle if allowed(change.part, "restyled")),
        "move": tuple(m for m in patch.move if allowed(m.part, "moved", needs_quote=False)),
        "scale": tuple(m for m in patch.scale if allowed(m.part, "scaled", needs_quote=False)),
    }
    return patch.model_copy(update=update), tuple(dict.fromkeys(notes))


def amended(drawing: Drawing, moves: Sequence[Move]) -> Drawing:
    """Return the drawing after the moves, in order, each taking a part's parts along.

    Raises:
        PatchError: a move names no part, or takes one farther off the canvas than drawings may reach.
    """
    matrices: dict[str, list[Matrix]] = {}
    for move in moves:
        _check_names(drawing, [move.item], "a move")
        for name in family(drawing.plan, [move.item]):
            matrices.setdefault(name, []).append(move.matrix)
    strokes: list[Stroke] = []
    for i, stroke in enumerate(drawing.strokes):
        moved = stroke
        for matrix in matrices.get(stroke.part, ()):
            try:
                moved = transformed(moved, _for_ink(moved, matrix))
            except ValidationError as error:
                where = f"strokes[{i}] ({stroke.kind}, part {stroke.part!r})"
                raise PatchError(f"{where}: {_first_problem(error)}") from error
        strokes.append(moved)
    return drawing.with_strokes(drawing.plan, strokes)


def _for_ink(stroke: Stroke, matrix: Matrix) -> Matrix:
    """Return the map for a stroke's coordinates that takes its painted box exactly where `matrix` takes that box.

    A pen keeps its width, so coordinates that were merely scaled would leave a part half a pen off its measure.
    """
    a, b, c, d, e, f = matrix
    if not stroke.has_pen or b or c or (a, d) == (1.0, 1.0) or a <= 0 or d <= 0:
        return matrix
    x0, y0, x1, y1 = painted(stroke).bounds
    (a, e), (d, f) = _for_side(x0, x1, a, e, stroke.width), _for_side(y0, y1, d, f, stroke.width)
    return (a, 0.0, 0.0, d, e, f)


def _for_side(low: float, high: float, factor: float, shift: float, pen: float) -> tuple[float, float]:
    """Return factor and shift for the coordinates along one axis; lines across it only follow their middle."""
    bare, scaled = high - low - pen, (high - low) * factor - pen
    middle = (low + high) / 2
    own_factor = scaled / bare if bare > pen / 100 and scaled > 0 else 1.0
    return own_factor, middle * factor + shift - middle * own_factor


def _first_problem(error: ValidationError) -> str:
    detail = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(p) for p in detail["loc"])
    return f"the result is no drawing: {where + ': ' if where else ''}{detail['msg'].removeprefix('Value error, ')}"


def family(plan: Iterable[Part], names: Iterable[str]) -> set[str]:
    """Return the named parts and all that are part of them."""
    members, plan = set(names), list(plan)
    while more := {p.name for p in plan if p.parent in members} - members:
        members |= more
    return members


def _check_names(drawing: Drawing, names: Iterable[str], where: str) -> None:
    known = [p.name for p in drawing.plan]
    for name in names:
        if name not in known:
            some = ", ".join(known[:30]) + (" …" if len(known) > 30 else "")
            raise PatchError(f"{where}: there is no part {name!r} in the drawing; its parts are {some or '(none)'}")


def _without(base: Drawing, names: Sequence[str]) -> Drawing:
    if not names:
        return base
    _check_names(base, names, "remove")
    gone = family(base.plan, names)
    plan = [p for p in base.plan if p.name not in gone]
    strokes = [s for s in base.strokes if s.part not in gone]
    # What only held the removed parts together is gone with them.
    while idle := {p.name for p in plan} - {s.part for s in strokes} - {p.parent for p in plan if p.parent}:
        plan = [p for p in plan if p.name not in idle]
    return base.with_strokes(plan, strokes)


def _redrawn(base: Drawing, patch: Patch) -> Drawing:
    """Put new strokes of an old part where its first one stood, those of new parts on top or `behind` a part."""
    _check_names(base, patch.redraw, "redraw")
    old = {p.name for p in base.plan}
    if again := [p.name for p in patch.plan if p.name in old]:
        raise PatchError(
            f"plan: part {again[0]!r} is in the drawing already; plan lists new parts only. To draw it anew, put it "
            "into redraw and give its strokes; to begin it from nothing, name the new part differently"
        )
    free = {p.name for p in patch.plan} | set(patch.redraw)
    for i, stroke in enumerate(patch.strokes):
        if stroke.part not in free:
            raise PatchError(
                f"strokes[{i}] ({stroke.kind}): part {stroke.part!r} is neither new (in plan) nor in redraw, and what "
                "is not named stays as it is; name it in one of them, or leave this stroke out"
            )
    if dry := set(patch.redraw) - {s.part for s in patch.strokes}:
        raise PatchError(f"redraw: part {min(dry)!r} has no new stroke; give its strokes, or use remove")

    strokes: list[Stroke] = []
    done: set[str] = set()
    for stroke in base.strokes:
        if stroke.part not in patch.redraw:
            strokes.append(stroke)
        elif stroke.part not in done:
            done.add(stroke.part)
            strokes += [s for s in patch.strokes if s.part == stroke.part]
    new = [s for s in patch.strokes if s.part not in done]
    at = len(strokes)
    if patch.behind is not None:
        _check_names(base, [patch.behind], "behind")
        names = family(base.plan, [patch.behind])
        at = next((i for i, stroke in enumerate(strokes) if stroke.part in names), at)
    return base.with_strokes((*base.plan, *patch.plan), (*strokes[:at], *new, *strokes[at:]))


def _restyled(drawing: Drawing, change: Restyle, where: str) -> Drawing:
    """Repaint a part: its filled strokes with the fill, its drawn ones with the pen; all of them where none is so."""
    _check_names(drawing, [change.part], where)
    names = family(drawing.plan, [change.part]) if change.children else {change.part}
    own = [s for s in drawing.strokes if s.part in names]
    if not own:
        raise PatchError(f"{where}: part {change.part!r} has no strokes of its own; set children to true")
    any_filled, any_penned = any(s.has_fill for s in own), any(s.has_pen for s in own)

    strokes: list[Stroke] = []
    for stroke in drawing.strokes:
        new: dict[str, Any] = {}
        if stroke.part in names:
            new = {"layer": change.layer}
            if not isinstance(stroke, Line) and (stroke.has_fill or not any_filled):
                new["fill"] = change.fill
            if stroke.has_pen or not any_penned:
                new |= {"stroke": change.stroke, "width": change.width}
        new = {name: value for name, value in new.items() if value is not None}
        strokes.append(type(stroke).model_validate(stroke.model_dump() | new) if new else stroke)
    if strokes == list(drawing.strokes):
        raise PatchError(f"{where}: it changes nothing in part {change.part!r}, which is painted so already")
    return drawing.with_strokes(drawing.plan, strokes)


async def execute(spec: Draft | Patch, base: Drawing | None, resources: Resources) -> Drawing:
    """Apply a draft or patch, off the event loop: geometry of thousands of strokes takes its time.

    Raises:
        ExecutionError: E1.
    """
    return await to_thread.run_sync(draw, spec, base, limiter=resources.limiter)


def draw(spec: Draft | Patch, base: Drawing | None) -> Drawing:
    """Return the drawing that a draft is, or that a patch makes of `base`; what `base` states is kept.

    Raises:
        ExecutionError: the patch does not fit, lines cross too often to be measured, or a part paints nothing.
    """
    before = base or Drawing()
    notes: tuple[str, ...] = ()
    if isinstance(spec, Draft):
        drawing = before.with_strokes(spec.plan, spec.strokes)
    else:
        patch, notes = permitted(before, spec)
        try:
            drawing = apply(before, patch)
        except PatchError as error:
            raise ExecutionError(str(error)) from error
    stated = merged(before.requirements, spec.requirements, spec.mismatches)
    drawing = drawing.model_copy(update={"requirements": stated, "notes": notes})

    try:
        layout = layout_of(drawing)
    except TangledError as error:
        raise ExecutionError(str(error)) from error
    busy = {stroke.part for stroke in drawing.strokes}
    for item in layout:
        if item.name in busy and item.shape.is_empty:
            raise ExecutionError(
                f"Part {item.name!r} paints nothing: its strokes have no pen and enclose no area (points on one line, "
                "or text without ink). Give it a stroke colour and a width, or points that enclose an area."
            )
    return drawing
