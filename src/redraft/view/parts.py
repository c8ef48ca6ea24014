"""Parts of a run's page beyond its report: stages, pictures to compare, frames, changes of code."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
from pydantic import ValidationError

from redraft.brief import Brief
from redraft.errors import RedraftError
from redraft.files import PictureFolder, lasting, temporary
from redraft.models.base import Reply
from redraft.options import check_config
from redraft.record.events import EffectFailed, EffectFinished, EffectStarted, Event
from redraft.record.transcript import EXECUTION, Transcript
from redraft.report.html import Values, money, seconds
from redraft.report.pictures import inside, target_in
from redraft.result import Usage
from redraft.sandbox.pool import WAITING, Sandbox
from redraft.studios import open_studio, settings_of
from redraft.studios.base import Resources, Studio
from redraft.text import plural

if TYPE_CHECKING:
    from redraft.view.pages import Viewer

STAGES = {
    "execute": "Running drafts",
    "audit": "Outside judge",
    "measure": "Distance to the target",
    "recall": "Fix memory, asked",
    "learn": "Fix memory, taught",
    "finish": "Finishing",
}
"""Effects that ask no model, by the beginning of their last segment."""
SECONDS = 4.0
"""That frames cover where a run does not say it."""
MOST_FRAMES = 600
MOST_LINES = 600
"""Of changed code on one page."""
CONTEXT = 3
"""Unchanged lines around a change."""
STEP = 15
"""Degrees between two pictures of a turntable."""
TURN_SECONDS = 6.0
"""One turn of it, when it is played."""


def stages_of(events: Sequence[Event]) -> list[Values]:
    """Return time and cost by stage, the longest first."""
    found: dict[str, list[tuple[float, Usage]]] = {}
    started = {event.key: event for event in events if isinstance(event, EffectStarted)}
    for event in events:
        if isinstance(event, EffectFinished | EffectFailed) and event.key in started:
            start = started[event.key]
            usage = _usage(event) if start.asks_model else Usage()
            found.setdefault(_stage(start), []).append(((event.at - start.at).total_seconds(), usage))
    rows = [
        (name, len(all_), sum(s for s, _ in all_), sum((u for _, u in all_), Usage())) for name, all_ in found.items()
    ]
    longest = max((took for _, _, took, _ in rows), default=0.0) or 1.0
    return [
        {
            "name": name,
            "count": plural(count, "time"),
            "took": seconds(took),
            "share": round(100 * took / longest, 1),
            "cost": money(usage.cost) if usage.calls else "",
        }
        for name, count, took, usage in sorted(rows, key=lambda row: -row[2])
    ]


def _stage(start: EffectStarted) -> str:
    if start.asks_model and isinstance(start.inputs, dict):
        return f"Model: {str(start.inputs.get('kind', '')).rpartition('.')[2] or 'request'}"
    last = start.key.rpartition("/")[2]
    return next((name for prefix, name in STAGES.items() if last.startswith(prefix)), last)


def _usage(event: EffectFinished | EffectFailed) -> Usage:
    try:
        return Reply.model_validate(event.result).usage if isinstance(event, EffectFinished) else Usage()
    except ValidationError:
        return Usage()


def pairs_of(viewer: Viewer, transcript: Transcript, folder: Path, before: str) -> list[tuple[str, str]]:
    """Return the pictures that can be compared: label and address, in the order in which they were made.

    `before` is the address of the picture of the run that this one continues.
    """
    rows: list[tuple[str, str]] = []
    target = target_in(transcript.notes.get("target"))
    if target is not None:
        rows.append(("Target", viewer.picture(folder, target.picture).src))
    rows.append(("Before the edit", before))
    for turn in transcript.turns:
        for found in turn.validations:
            candidate = "" if found.candidate is None else f", candidate {found.candidate}"
            label = f"Turn {found.iteration}{candidate}, {found.source}"
            rows.append((label, viewer.picture(folder, found.picture).src if found.picture else ""))
    files = transcript.files
    roles = ("svg", "sheet") if "frames" in files else ("svg", "sheet", "png")  # of the same sort as those of the turns
    names = [files[role] for role in roles if role in files]
    rows += [("Delivered", viewer.picture(folder, name).src) for name in names[:1]]
    return [(label, src) for label, src in rows if src]


def frames_of(viewer: Viewer, transcript: Transcript, folder: Path) -> Values | None:
    """Return the frames of an animation and the seconds between two; None where there are fewer than two."""
    name = transcript.files.get("frames", "")
    place = inside(folder, name, directory=True) if name else None
    if place is None:
        return None
    names = sorted(path.relative_to(folder.resolve()).as_posix() for path in place.glob("*.png"))[:MOST_FRAMES]
    if len(names) < 2:
        return None
    studios = transcript.config.get("studios")
    own = studios.get(transcript.studio) if isinstance(studios, dict) else None
    given = own.get("seconds") if isinstance(own, dict) else None
    length = float(given) if isinstance(given, int | float) else SECONDS
    return {"srcs": [viewer.picture(folder, name).src for name in names], "interval": length / len(names)}


def changes_of(events: Sequence[Event]) -> tuple[list[Values], int]:
    """Return the changed lines between each program that was run and the one before, and how many are left out."""
    programs = [(event.key, code) for event in events if isinstance(event, EffectStarted) and (code := _code(event))]
    found: list[Values] = []
    room, left_out = MOST_LINES, 0
    for (_, old), (key, new) in pairwise(programs):
        rows = _rows(old.splitlines(), new.splitlines())
        if rows and len(rows) <= room:
            room -= len(rows)
            place = key.partition(f"/{EXECUTION}")[0]
            found.append({"place": place, "rows": rows, "many": plural(sum(kind != "" for kind, *_ in rows), "line")})
        else:
            left_out += bool(rows)
    return found, left_out


def _code(event: EffectStarted) -> str:
    if event.asks_model or not event.key.rpartition("/")[2].startswith(EXECUTION):
        return ""
    draft = event.inputs.get("draft") if isinstance(event.inputs, dict) else None
    code = (draft.get("code") or draft.get("script")) if isinstance(draft, dict) else None
    return code if isinstance(code, str) else ""


def _rows(old: list[str], new: list[str]) -> list[tuple[str, str, str]]:
    """Changed lines with some around them: `+`, `-`, nothing or `…`, the line's number, and its text."""
    rows: list[tuple[str, str, str]] = []
    for group in difflib.SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(CONTEXT):
        rows += [("…", "", "")] if rows else []
        for kind, a0, a1, b0, b1 in group:
            if kind == "equal":
                rows += [("", str(b0 + n + 1), line) for n, line in enumerate(new[b0:b1])]
                continue
            rows += [("-", str(a0 + n + 1), line) for n, line in enumerate(old[a0:a1])]
            rows += [("+", str(b0 + n + 1), line) for n, line in enumerate(new[b0:b1])]
    return rows


def turns_of(viewer: Viewer, transcript: Transcript, folder: Path) -> Values | None:
    """Return the addresses of pictures from all around, which are rendered when they are asked for."""
    path = inside(folder, transcript.files.get("json", ""))
    try:
        turntable = open_studio(transcript.studio).turntable if path is not None else ""
    except RedraftError:  # the studio is not installed here
        turntable = ""
    if path is None or not turntable:
        return None
    changed, angles = path.stat().st_mtime_ns, range(STEP, 361, STEP)
    return {
        "srcs": [f"{viewer.address(folder.name, str(angle), 'turntable')}?{changed:x}" for angle in angles],
        "interval": TURN_SECONDS / len(angles),
    }


async def turned(studio: Studio[Any, Any], folder: Path, degrees: int) -> bytes:
    """Return a picture of a run's result, so far around, as PNG.

    Raises:
        RunNotFoundError, RunFormatError: the run has no result, or its files were changed.
        ExecutionError: it is too heavy. InfrastructureError, MissingPartError, ConfigError: as in `Studio.render`.
    """
    settings = settings_of(studio, check_config(refuse=False).config.studios.get(studio.name, {}))
    with temporary() as scratch:
        async with Sandbox(lasting(), waiting=WAITING) as sandbox:
            files = PictureFolder(scratch, earlier=(folder,))
            resources = Resources(scratch, 0, anyio.CapacityLimiter(1), files, sandbox, settings)
            artifact = studio.open(Brief(instruction="look", on=folder))
            (picture,) = await studio.render(artifact, [studio.turntable.format(degrees)], resources)
            return picture.png
