"""The pictures at the head of the page: what was delivered, beside the target where there is one, and as it moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, Field, JsonValue, ValidationError

from redraft.report.pictures import Gallery, Shown, inside
from redraft.report.words import clip, measured
from redraft.result import Score
from redraft.transcript import Transcript, Validation

__all__ = ["Exhibit", "Frames", "Target", "exhibits", "frames_of", "target_in"]

PREVIEW = "preview"
"""Role of the animated picture among a run's files."""
SHEET = "sheet"
"""Role of the sheet of views."""
SHARE = 0.75
"""Of the page's room that one animation may take. Twelve frames of stars at 512 × 512 need two thirds."""
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


@dataclass(frozen=True)
class Exhibit:
    """One picture in the masthead. Without a label it stands alone."""

    shown: Shown
    alt: str
    label: str = ""
    figures: str = ""
    """Beside the label: the score."""
    notes: tuple[str, ...] = ()
    moving: Shown | None = None
    """The animation, to lie over it."""
    plays: bool = True
    """The animation is on from the start; beside a target it is not, for the still is what was measured."""

    @property
    def broad(self) -> bool:
        return self.shown.width > BROAD * self.shown.height


@dataclass(frozen=True)
class Frames:
    """The frames of what was delivered, large."""

    sheet: Shown
    alt: str
    scores: tuple[tuple[int, str, bool], ...]
    """Number of each frame from 1, its score, and whether it is the best."""
    metric: str
    preview: str
    """File of the animation; empty when there is none."""


def target_in(note: JsonValue) -> Target | None:
    """The target of a run; None without one, and for a note that is none."""
    try:
        return Target.model_validate(note)
    except ValidationError:
        return None


def exhibits(
    transcript: Transcript, target: Target | None, delivered: Validation | None, gallery: Gallery, folder: Path
) -> tuple[Exhibit, ...]:
    """Target and best frame; without a target the delivered picture alone, with its animation over it. Then the sheet
    of all views, where there is one."""
    instruction = clip(str(transcript.brief.get("instruction", "")), 200).text
    score = None if target is None or delivered is None else delivered.score
    best = _best_frame(transcript.files, score, folder)
    still = best or _still(transcript.files)
    picture = gallery.show(still) or (gallery.show(delivered.picture) if delivered else None)
    aim = None if target is None else gallery.show(target.picture)
    moving = _moving(transcript.files, gallery)
    if target is not None and aim is not None:
        size = f"{target.width} × {target.height}"
        beside = Exhibit(aim, "The picture to come near to", "Target", size, target.notes)
        near = () if picture is None else (_nearest(picture, score, moving, one=best != ""),)
        return (beside, *near, *_sides(transcript.files, gallery))
    if picture is None:
        return ()
    sides = _sides(transcript.files, gallery)
    verb = "rendered" if moving is not None or sides else "drawn"
    return (Exhibit(picture, f"What was {verb} for: {instruction}", moving=moving), *sides)


def _sides(files: Mapping[str, str], gallery: Gallery) -> tuple[Exhibit, ...]:
    """What was delivered, seen from several sides on one sheet."""
    sheet = gallery.show(files.get(SHEET, ""))
    return () if sheet is None else (Exhibit(sheet, "The same from all sides", "From all sides"),)


def _still(files: Mapping[str, str]) -> str:
    named = next((files[role] for role in ("svg", "png") if role in files), "")
    return named or next((name for name in files.values() if name.endswith((".svg", ".png"))), "")


def _moving(files: Mapping[str, str], gallery: Gallery) -> Shown | None:
    name = files.get(PREVIEW, "")
    return gallery.show(name, SHARE) if gallery.moves(name) else None


def _best_frame(files: Mapping[str, str], score: Score | None, folder: Path) -> str:
    """The file of the frame that was nearest; empty when it is the only one, or not there."""
    if score is None or len(score.frames) < 2 or "frames" not in files:
        return ""
    name = FRAME.format(folder=files["frames"], number=score.frame)
    return name if inside(folder, name) else ""


def _nearest(picture: Shown, score: Score | None, moving: Shown | None, *, one: bool) -> Exhibit:
    """Beside the target: the best frame, or what there is of the delivered. `one`: it is that frame indeed."""
    if score is None:
        return Exhibit(picture, "What came of it", "Delivered", moving=moving, plays=False)
    label = f"Best frame, {score.frame + 1} of {len(score.frames)}" if one else "Delivered"
    alt, figure = f"What came nearest: {measured(score)}", f"{score.metric} {score.best:.4f}"
    return Exhibit(picture, alt, label, figure, moving=moving, plays=False)


def frames_of(transcript: Transcript, delivered: Validation | None, gallery: Gallery) -> Frames | None:
    """The sheet of all frames; None where there is only one."""
    score = None if delivered is None else delivered.score
    preview = transcript.files.get(PREVIEW, "")
    moves = gallery.moves(preview)
    if delivered is None or not (moves or (score and len(score.frames) > 1)):
        return None
    sheet = gallery.show(delivered.picture)
    if sheet is None:
        return None
    return Frames(
        sheet=sheet,
        alt="All frames, in the order of their times",
        scores=() if score is None else _by_frame(score),
        metric="" if score is None else score.metric,
        preview=preview if moves else "",
    )


def _by_frame(score: Score) -> tuple[tuple[int, str, bool], ...]:
    return tuple((n + 1, f"{value:.4f}", n == score.frame) for n, value in enumerate(score.frames))
