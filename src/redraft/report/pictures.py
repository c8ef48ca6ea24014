"""Pictures on a page as data URIs, within one budget of bytes; the pictures at the head of a run's page.

A picture's name comes from a journal, so it is not trusted: only files inside the run folder are read, and only as
pictures (`<img>` neither runs nor fetches what an SVG asks for).
"""

from __future__ import annotations

import base64
import io
import re
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from pydantic import BaseModel, Field, JsonValue, ValidationError

from redraft.errors import BriefError
from redraft.files import relative
from redraft.limits import PICTURE, read_file
from redraft.record.transcript import Transcript, Validation
from redraft.report.html import Values, clip, measured
from redraft.result import Score

if TYPE_CHECKING:
    from PIL import Image

PAGE_BUDGET = 6_000_000
"""Bytes of data URIs in one page; pictures beyond it are linked. A usual run needs a tenth."""

_PNG = b"\x89PNG\r\n\x1a\n"
_SVG_TAG = re.compile(rb"<svg\b[^>]*>", re.DOTALL)
_VIEW_BOX = re.compile(rb"""viewBox\s*=\s*["']\s*[-\d.eE]+[\s,]+[-\d.eE]+[\s,]+([\d.eE]+)[\s,]+([\d.eE]+)\s*["']""")
_STANDARD = 512


@dataclass(frozen=True)
class Shown:
    """A picture as the page shows it: inlined (`src`), or by its name with the reason (`absent`)."""

    name: str
    src: str = ""
    width: int = _STANDARD
    height: int = _STANDARD
    """Pixels; only their ratio matters, it keeps the page from jumping."""
    absent: str = ""
    linked: bool = False


class Gallery:
    """Hands out the pictures of one run folder until the budget is spent."""

    def __init__(self, folder: Path, budget: int = PAGE_BUDGET) -> None:
        self._folder = folder
        self._left = budget
        self._shown: set[str] = set()

    def show(self, name: str) -> Shown | None:
        """The picture of this name, or None when the run has no name for it."""
        if not name:
            return None
        path = inside(self._folder, name)
        if path is None:
            return Shown(name, absent="is not in the run folder")
        raw = read_file(path, PICTURE)
        src, size = data_uri(raw), size_of(raw)
        if src is None:
            return Shown(name, absent="is not a PNG, WebP or SVG")
        if len(src) > self._left:
            reason = "is shown above" if name in self._shown else LEFT_OUT
            return Shown(name, absent=reason, linked=True)
        self._left -= len(src)
        self._shown.add(name)
        return Shown(name, src, *size)

    def moves(self, name: str) -> bool:
        """Return whether the picture of this name is an animation."""
        path = inside(self._folder, name) if name else None
        return path is not None and _animated(read_file(path, PICTURE))


def inside(folder: Path, name: str, *, directory: bool = False) -> Path | None:
    """The file of this name, or the directory, if it is one and lies in the folder; links out of it do not count."""
    try:
        path = (folder / name).resolve()
        return (
            path if path.is_relative_to(folder.resolve()) and (path.is_dir if directory else path.is_file)() else None
        )
    except (OSError, ValueError):  # a name that no file system takes: a NUL, 10,000 letters
        return None


def data_uri(raw: bytes) -> str | None:
    """A PNG, WebP or SVG as an address that holds it whole; None for anything else."""
    kind = "png" if raw.startswith(_PNG) else "webp" if _is_webp(raw) else None
    if kind is not None:
        return f"data:image/{kind};base64,{base64.b64encode(raw).decode()}"
    if _SVG_TAG.search(raw[:4096]):
        return f"data:image/svg+xml,{quote(raw.decode('utf-8', 'replace'), safe=_SAFE)}"
    return None


_SAFE = " ()*,-./:;=@_!$'"
"""Characters that need no escape in a data URI inside a quoted attribute; drawings are half as long for it."""


def _is_webp(raw: bytes) -> bool:
    return raw.startswith(b"RIFF") and raw[8:12] == b"WEBP"


def _animated(raw: bytes) -> bool:
    """Return whether this is a WebP animation, by the flag in its extended header (RFC 9649, section 2.7)."""
    return _is_webp(raw) and raw[12:16] == b"VP8X" and len(raw) >= 30 and bool(raw[20] & 2)


def size_of(raw: bytes) -> tuple[int, int]:
    """Width and height of a PNG, an animation or an SVG, from its head."""
    if raw.startswith(_PNG) and len(raw) >= 24:
        width, height = struct.unpack(">II", raw[16:24])
        return (width or _STANDARD, height or _STANDARD)
    if _animated(raw):
        return (1 + int.from_bytes(raw[24:27], "little"), 1 + int.from_bytes(raw[27:30], "little"))
    tag = _SVG_TAG.search(raw[:4096])
    box = _VIEW_BOX.search(tag.group()) if tag else None
    if box is None:
        return (_STANDARD, _STANDARD)
    try:
        width, height = float(box.group(1)), float(box.group(2))
        return (_STANDARD, max(1, round(_STANDARD * height / width)))
    except (ValueError, ZeroDivisionError, OverflowError):
        return (_STANDARD, _STANDARD)


REVIEW_BUDGET = 12_000_000
"""Bytes of data URIs in one page of many runs; pictures beyond it are linked. Fifty runs need a third."""
SMALL = 320
"""Pixels of the longer side in the grid."""
LARGE = ((24, 800), (80, 560), (10_000_000, 400))
"""Of the picture beside its run, by how many runs there are at most."""
QUALITY = 84
"""Of JPEG; drawings are smaller as PNG and stay so."""

LEFT_OUT = "is left out to keep this page small"
WHOLE_SHARE = 0.2
"""Of the room that is left, for one picture that cannot be made smaller."""


class Thumbnail(NamedTuple):
    """One picture of a run in two sizes."""

    small: Shown
    large: Shown


class Thumbnails:
    """Pictures of run folders for a page in the folder `beside`, until the budget is spent.

    Where Pillow is installed they are made smaller; without it they are embedded whole, as long as there is room.
    """

    def __init__(self, beside: Path, runs: int, budget: int = REVIEW_BUDGET) -> None:
        self._beside = beside
        self._large = next(size for most, size in LARGE if runs <= most)
        self._left = budget

    def show(self, folder: Path, names: Sequence[str]) -> Thumbnail | None:
        """The first of these pictures that lies in the run folder; None when the run has no name for any."""
        named = [name for name in names if name]
        path = next((found for name in named if (found := inside(folder, name)) is not None), None)
        if path is None:
            return _twice(Shown(named[0], absent="is not in the run folder")) if named else None
        name, raw = relative(path, self._beside), read_file(path, PICTURE)
        if not (shrinks() and raw.startswith(_PNG)):
            return self._whole(name, raw)
        try:
            shrunk = _shrunk(raw, path, (SMALL, self._large))
        except BriefError:  # the only error of the decoder; its words are about targets
            return _twice(Shown(name, absent="is damaged, or not a picture that can be shown", linked=True))
        return Thumbnail(*(self._place(replace(picture, name=name)) for picture in shrunk))

    def _whole(self, name: str, raw: bytes) -> Thumbnail:
        src = data_uri(raw)
        if src is None:
            return _twice(Shown(name, absent="is not a PNG, WebP or SVG", linked=True))
        if 2 * len(src) > WHOLE_SHARE * self._left:
            advice = "" if shrinks() else " (with Pillow it would be made smaller)"
            return _twice(Shown(name, absent=f"{LEFT_OUT}{advice}", linked=True))
        self._left -= 2 * len(src)
        return _twice(Shown(name, src, *size_of(raw)))

    def _place(self, picture: Shown) -> Shown:
        if len(picture.src) > self._left:
            return Shown(picture.name, absent=LEFT_OUT, linked=True)
        self._left -= len(picture.src)
        return picture


def _twice(shown: Shown) -> Thumbnail:
    return Thumbnail(shown, shown)


@cache
def shrinks() -> bool:
    """Return whether pictures can be made smaller here."""
    return find_spec("PIL") is not None and find_spec("numpy") is not None


def _shrunk(raw: bytes, path: Path, sizes: tuple[int, int]) -> tuple[Shown, Shown]:
    """The picture with a longer side of so many pixels at most, opaque and in sRGB. Raises `BriefError`."""
    from PIL import Image

    from redraft.metrics.target import decoded

    small, large = sizes
    image = Image.fromarray(decoded(raw, path, large).pixels)
    shrunk = image.copy()
    shrunk.thumbnail((small, small), Image.Resampling.LANCZOS)
    return _encoded(shrunk), _encoded(image)


def _encoded(image: Image.Image) -> Shown:
    """Without loss where that is smaller, as it is for most drawings."""
    found: list[tuple[str, bytes]] = []
    for kind, options in (("png", {"compress_level": 6}), ("jpeg", {"quality": QUALITY, "optimize": True})):
        buffer = io.BytesIO()
        image.save(buffer, kind, **options)
        found.append((kind, buffer.getvalue()))
    kind, best = min(found, key=lambda pair: len(pair[1]))
    return Shown("", f"data:image/{kind};base64,{base64.b64encode(best).decode()}", *image.size)


PREVIEW = "preview"
"""Role of the animated picture among a run's files."""
BEFORE = "before"
"""Role of the picture of what a run changes, as it was."""
SHEET = "sheet"
"""Role of the sheet of views."""
FRAME = "{folder}/frame-{number:03}.png"
"""A frame of a run, in the folder whose role is `frames`; counted from 0."""
BROAD = 1.7
"""Width by height from which on two pictures stand below each other."""


class Target(BaseModel):
    """The note `target`; what else is noted stays in the record."""

    picture: str = Field(min_length=1)
    width: int
    height: int
    notes: tuple[str, ...] = ()
    metric: str = ""


def target_in(note: JsonValue) -> Target | None:
    """The target of a run; None without one, and for any other note."""
    try:
        return Target.model_validate(note)
    except ValidationError:
        return None


def exhibits(
    transcript: Transcript, target: Target | None, delivered: Validation | None, gallery: Gallery, folder: Path
) -> list[Values]:
    """The pictures at the head of the page: target and best frame; without a target the delivered picture alone, with
    its animation over it. Then the sheet of all views, where there is one."""
    files = transcript.files
    score = None if target is None or delivered is None else delivered.score
    best = _best_frame(files, score, folder)
    picture = gallery.show(best or _still(files)) or (gallery.show(delivered.picture) if delivered else None)
    aim = None if target is None else gallery.show(target.picture)
    moving = gallery.show(files[PREVIEW]) if gallery.moves(files.get(PREVIEW, "")) else None
    shown: list[Values] = []
    if target is not None and aim is not None:
        size = f"{target.width} × {target.height}"
        shown.append(_exhibit(aim, "The target picture", "Target", size, target.notes))
        if picture is not None:
            # Beside a target the animation is not on from the start: the still is what was measured.
            shown.append(_exhibit(picture, *_nearest(score, one=best != ""), moving=moving, plays=False))
    sheet = gallery.show(files.get(SHEET, ""))
    before = gallery.show(files.get(BEFORE, ""))
    if not shown and before is not None and picture is not None:
        shown += [_exhibit(before, "The same window before", "Before"), _exhibit(picture, "The result", "After")]
    if not shown and picture is not None:
        instruction = clip(str(transcript.brief.get("instruction", "")), 200).text
        shown.append(_exhibit(picture, f"The result of: {instruction}", moving=moving))
    if shown and sheet is not None:
        shown.append(_exhibit(sheet, "The same from all sides", "From all sides"))
    return shown


def _exhibit(
    shown: Shown,
    alt: str,
    label: str = "",
    figures: str = "",
    notes: tuple[str, ...] = (),
    *,
    moving: Shown | None = None,
    plays: bool = True,
) -> Values:
    return {
        "shown": shown,
        "alt": alt,
        "label": label,
        "figures": figures,
        "notes": notes,
        "moving": moving,
        "plays": plays,
        "broad": shown.width > BROAD * shown.height,
    }


def _still(files: Mapping[str, str]) -> str:
    named = next((files[role] for role in ("svg", "png") if role in files), "")
    return named or next((name for name in files.values() if name.endswith((".svg", ".png"))), "")


def _best_frame(files: Mapping[str, str], score: Score | None, folder: Path) -> str:
    """The file of the frame that was nearest; empty when it is the only one, or missing."""
    if score is None or len(score.frames) < 2 or "frames" not in files:
        return ""
    name = FRAME.format(folder=files["frames"], number=score.frame)
    return name if inside(folder, name) else ""


def _nearest(score: Score | None, *, one: bool) -> tuple[str, str, str]:
    """Alternative text, label and figures beside the target. `one`: the picture is the best of several frames."""
    if score is None:
        return "Result", "Delivered", ""
    label = f"Best frame, {score.frame + 1} of {len(score.frames)}" if one else "Delivered"
    return f"Nearest: {measured(score)}", label, f"{score.metric} {score.best:.4f}"


def frames_of(transcript: Transcript, delivered: Validation | None, gallery: Gallery) -> Values | None:
    """The frames of what was delivered, large: their sheet, and the scores by number from 1; None where there is only
    one frame."""
    score = None if delivered is None else delivered.score
    preview = transcript.files.get(PREVIEW, "")
    moves = gallery.moves(preview)
    if delivered is None or not (moves or (score and len(score.frames) > 1)):
        return None
    sheet = gallery.show(delivered.picture)
    if sheet is None:
        return None
    numbered = enumerate(() if score is None else score.frames, start=1)
    return {
        "sheet": sheet,
        "alt": "All frames, in the order of their times",
        "scores": [(n, f"{value:.4f}", score is not None and n == score.frame + 1) for n, value in numbered],
        "metric": "" if score is None else score.metric,
        "preview": preview if moves else "",
    }
