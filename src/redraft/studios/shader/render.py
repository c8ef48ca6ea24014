"""Pictures of a shader's frames: those for the critic, a sheet of all, an animation, the target beside the best."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from redraft.brief import Brief
from redraft.files import PictureFolder
from redraft.metrics.base import Pixels, resized
from redraft.metrics.pictures import animated, contact_sheet, evenly, gif, labelled_sheet, pixels_of, png, side_by_side
from redraft.result import Picture, Score
from redraft.studios.shader.spec import Shader
from redraft.studios.target import target_of

PREVIEW_SIDE = 512
"""Pixels of the longer side of the preview; `frames/` has the full size."""
GIF_SIDE = 240
"""Pixels of the longer side of the GIF, which is for chats and slides."""
CRITIC_SIDE = 768
"""Pixels of the longer side of a picture for the critic."""
MAX_WHOLE = 4
"""Frames of an animation that the critic sees each in a picture of its own."""
MAX_CHANGES = 6
"""Differences of neighboring frames that the critic sees, on one sheet."""
MAX_AMPLIFIED = 32
"""Factor up to which a difference is amplified: beyond that the rounding of colors shows."""

CAPTIONS = {
    "changes.png": "what changes between neighboring frames: their absolute difference, amplified (black: nothing); "
    "under each its times and the mean change of the picture, the largest change framed",
    "closing.png": "the loop's first frame and the frame at its end, which should be the same picture",
    "target.png": "the target",
    "beside-target.png": "the target at the left, the best frame at the right",
}
_NAME = re.compile(r"(?:(?P<version>[AB])-)?(?P<plain>(?:frame-(?P<time>[\d.]+)s)?.*)", re.DOTALL)


def frames_of(shader: Shader, folder: PictureFolder) -> list[Pixels]:
    """Return the frames as pixels. Raises `RunFormatError` when one is gone."""
    return [pixels_of(folder.get(frame.picture)) for frame in shader.frames]


def looked_at(shader: Shader, folder: PictureFolder) -> list[Picture]:
    """Return the pictures for the critic.

    One frame; or of frames that differ a few whole ones and what changes between neighbors; and of a loop its first and
    its closing frame.
    """
    frames = frames_of(shader, folder)
    count = len(frames) if len({frame.picture for frame in shader.frames}) > 1 else 1
    whole = [count * i // min(MAX_WHOLE, count) for i in range(min(MAX_WHOLE, count))]
    pictures = [Picture(name=f"frame-{shader.frames[i].time:.2f}s.png", png=_bounded(frames[i])) for i in whole]
    closing = None if shader.closing is None else pixels_of(folder.get(shader.closing))
    if count > 1:
        times = [frame.time for frame in shader.frames]
        ends = [] if closing is None else [closing]
        pictures.append(Picture(name="changes.png", png=_sheet_of_changes([*frames, *ends], [*times, shader.seconds])))
    if closing is not None:
        labels = ["first frame, 0.00 s", f"closing frame, {shader.seconds:.2f} s"]
        both = labelled_sheet([frames[0], closing], labels, width=CRITIC_SIDE)
        pictures.append(Picture(name="closing.png", png=_bounded(pixels_of(both))))
    return pictures


def _sheet_of_changes(frames: Sequence[Pixels], times: Sequence[float]) -> bytes:
    """Return some of the differences of neighbors on one sheet, the largest among them, all amplified alike."""
    apart = [np.abs(one.astype(np.int16) - other).max(axis=2) for one, other in pairwise(frames)]
    means = [float(change.mean()) / 255 for change in apart]
    largest = int(np.argmax(means))
    shown = evenly(len(apart), MAX_CHANGES, largest)
    bright = max(float(np.percentile(apart[i], 99.5)) for i in shown)
    factor = int(min(MAX_AMPLIFIED, max(1.0, 255 / bright))) if bright else MAX_AMPLIFIED
    pictures = [np.repeat(np.clip(apart[i] * factor, 0, 255).astype(np.uint8)[..., None], 3, axis=2) for i in shown]
    labels = [f"{times[i]:.2f} to {times[i + 1]:.2f} s: {means[i]:.1%} (x{factor})" for i in shown]
    return _bounded(pixels_of(labelled_sheet(pictures, labels, shown.index(largest), CRITIC_SIDE)))


def _bounded(picture: Pixels) -> bytes:
    return png(_within(picture, CRITIC_SIDE))


def compared(pictures: Sequence[Picture]) -> tuple[Picture, ...]:
    """Return three pictures of each of two versions that are shown beside each other.

    They are the frame in the middle, what changes, and what the loop closes with or the first frame.
    """
    kept: list[Picture] = []
    for letter in "AB":
        own = [picture for picture in pictures if picture.name.startswith(f"{letter}-")]
        frames = [picture for picture in own if "frame-" in picture.name]
        rest = [picture for picture in own if picture not in frames]
        middle = frames[len(frames) // 2 :][:1]
        kept += [*(frames[:1] if len(rest) < 2 and frames[:1] != middle else []), *middle, *rest]
    return tuple(kept)


def captions(pictures: Sequence[Picture]) -> list[str]:
    """Return for each picture what it shows, in words."""
    lines: list[str] = []
    for picture in pictures:
        name = _NAME.fullmatch(picture.name)
        assert name is not None
        content = f"the frame at {name['time']} s" if name["time"] else CAPTIONS.get(name["plain"], name["plain"])
        lines.append(f"version {name['version']}: {content}" if name["version"] else content)
    return lines


def sheet(shader: Shader, folder: PictureFolder, best: int | None = None) -> bytes:
    """Return all frames on one PNG; a single frame as it is."""
    if len(shader.frames) == 1:
        return folder.get(shader.frames[0].picture)
    return contact_sheet(frames_of(shader, folder), [frame.time for frame in shader.frames], best)


def on_one_sheet(shader: Shader, folder: PictureFolder) -> list[Picture]:
    """Return the sheet of all frames as a picture."""
    return [Picture(name="frames.png", png=sheet(shader, folder))]


def moving(shader: Shader, folder: PictureFolder) -> tuple[bytes, bytes]:
    """Return the frames as a WebP animation and as a smaller GIF."""
    frames = frames_of(shader, folder)
    small, smaller = ([_within(frame, side) for frame in frames] for side in (PREVIEW_SIDE, GIF_SIDE))
    return animated(small, shader.seconds), gif(smaller, shader.seconds)


def _within(picture: Pixels, side: int) -> Pixels:
    height, width = picture.shape[:2]
    factor = min(1.0, side / max(height, width))
    return resized(picture, max(1, round(width * factor)), max(1, round(height * factor)))


def beside_target(shader: Shader, score: Score | None, brief: Brief, folder: PictureFolder) -> bytes:
    """Return the target at the left and the best frame at the right as PNG."""
    frame = shader.frames[0 if score is None else score.frame]
    label = "best frame" if len(shader.frames) == 1 else f"best frame, at {frame.time:.2f} s"
    return side_by_side(target_of(brief).pixels, pixels_of(folder.get(frame.picture)), label)
