"""Pictures of a shader's frames: single ones, a sheet of all, an animation, and the target beside the best."""

from __future__ import annotations

from redraft.brief import Brief
from redraft.metrics.base import Pixels
from redraft.metrics.encode import animated, pixels_of
from redraft.metrics.parts import resized
from redraft.metrics.pictures import contact_sheet, side_by_side
from redraft.result import Score
from redraft.shelf import Shelf
from redraft.studios.shader.spec import Shader
from redraft.studios.toward import target_of

__all__ = ["beside_target", "frames_of", "preview", "sheet"]

PREVIEW = 360
"""Pixels of the longer side of the animated preview; the frames are there in full."""


def frames_of(shader: Shader, shelf: Shelf) -> list[Pixels]:
    """The frames as pixels. Raises `RunFormatError` when one is gone."""
    return [pixels_of(shelf.get(frame.picture)) for frame in shader.frames]


def sheet(shader: Shader, shelf: Shelf, best: int | None = None) -> bytes:
    """All frames on one PNG; a single frame as it is."""
    if len(shader.frames) == 1:
        return shelf.get(shader.frames[0].picture)
    return contact_sheet(frames_of(shader, shelf), [frame.time for frame in shader.frames], best)


def preview(shader: Shader, shelf: Shelf) -> bytes:
    """The frames as an animated PNG that takes as long as they say, small enough to send to somebody."""
    factor = min(1.0, PREVIEW / max(shader.width, shader.height))
    width, height = max(1, round(shader.width * factor)), max(1, round(shader.height * factor))
    return animated([resized(frame, width, height) for frame in frames_of(shader, shelf)], shader.seconds)


def beside_target(shader: Shader, score: Score | None, brief: Brief, shelf: Shelf) -> bytes:
    """The target at the left, the best frame at the right, PNG."""
    frame = shader.frames[0 if score is None else score.frame]
    label = "best frame" if len(shader.frames) == 1 else f"best frame, at {frame.time:.2f} s"
    return side_by_side(target_of(brief).pixels, pixels_of(shelf.get(frame.picture)), label)
