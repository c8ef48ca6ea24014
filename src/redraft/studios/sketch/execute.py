"""Executing a draft or a patch: a new drawing, checked to paint what its plan names."""

from __future__ import annotations

from collections.abc import Sequence

from anyio import to_thread

from redraft.errors import ExecutionError
from redraft.requirements import merged
from redraft.spatial.layout import Move
from redraft.studios.base import Bench
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.patch import Patch, PatchError, amended, apply, permitted
from redraft.studios.sketch.spec import Draft, Drawing
from redraft.studios.sketch.tangle import TangledError

__all__ = ["amend", "draw", "execute"]


async def execute(spec: Draft | Patch, base: Drawing | None, bench: Bench) -> Drawing:
    """Apply a draft or patch, off the event loop: geometry of thousands of strokes takes its time.

    Raises:
        ExecutionError: E1.
    """
    return await to_thread.run_sync(draw, spec, base, limiter=bench.limiter)


def draw(spec: Draft | Patch, base: Drawing | None) -> Drawing:
    """The drawing that a draft is, or that a patch makes of `base`; what `base` states is kept.

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
    stated = merged(before.requirements, spec.requirements)
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


def amend(drawing: Drawing, moves: Sequence[Move]) -> Drawing:
    """The drawing after the solver's moves, coordinates on the quantum of 10⁻⁶.

    Raises:
        ExecutionError: a move takes a part farther off the canvas than drawings may reach.
    """
    try:
        return amended(drawing, moves)
    except PatchError as error:
        raise ExecutionError(str(error)) from error
