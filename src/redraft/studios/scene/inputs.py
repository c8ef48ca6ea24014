"""Inputs that requests of the scene studio have beside the shared ones: where scripts run, what was measured."""

from __future__ import annotations

from pathlib import Path
from typing import TypeGuard

from pydantic import JsonValue

from redraft.studios.programs import holds_edits
from redraft.studios.requests import FixRequest, StudioRequest
from redraft.studios.scene.blender import lacking
from redraft.studios.scene.execute import size_of
from redraft.studios.scene.inventory import inventory
from redraft.studios.scene.settings import own
from redraft.studios.scene.spec import Scene
from redraft.studios.wording import stating

MAX_ASSETS = 60
"""Files in the assets folder that are listed."""
MAX_PRINTED = 600
"""Characters at the end of a script's output that are shown again."""
SHEET = (
    "at the left {render}, at the right four plain views of shapes and base colors (front, right, above, three-quarter)"
)


def inputs(request: StudioRequest[Scene]) -> dict[str, JsonValue]:
    """Return where the script runs, the size of the render, and what was measured of the scene."""
    settings, scene = own(request.settings), request.current
    width, height = size_of(settings)
    assets: list[JsonValue] = []
    if settings.assets:
        paths = sorted(path for path in Path(settings.assets).resolve().rglob("*") if path.is_file())
        assets = [str(path) for path in paths[:MAX_ASSETS]]
    fields: dict[str, JsonValue] = {
        "blender": settings.version,
        "lacks": [*lacking(settings.version)],
        "width": width,
        "height": height,
        "seconds": settings.limit,
        "assets": assets,
    }
    if scene is not None:
        fields |= {
            "things": [*inventory(scene)],
            "notes": [*scene.facts.notes, *scene.facts.removed],
            "printed": scene.printed.strip()[-MAX_PRINTED:],
            "pictures": _captions(request, scene),
        }
    if ran_with_error(request):
        fields |= stating("scene", wanted=False)
        if not holds_edits(request.reply):  # beside a whole script that ran, the one before is of no use
            fields["current"] = ""
    return fields


def ran_with_error(request: StudioRequest[Scene]) -> TypeGuard[FixRequest[Scene]]:
    """Return whether a request is the fix of a script that raised an error."""
    return isinstance(request, FixRequest) and request.failure.failure_class == "E1"


def _captions(request: StudioRequest[Scene], scene: Scene) -> list[JsonValue]:
    """Return for each picture what it shows, in order."""
    camera = scene.facts.camera is not None
    render = "the render through the scene's camera" if camera else "a view from three quarters, as there is no camera"
    captions = {
        "sheet.png": SHEET.format(render=render),
        "beside-target.png": "the target at the left, the render at the right",
        "target.png": "the target",
    }
    looks = iter(request.looks)
    lines: list[JsonValue] = []
    for name in (picture.name for picture in request.pictures):
        version, dash, rest = name.partition("-")
        of = f"version {version}, " if dash and version in ("A", "B") else ""
        caption = captions.get(rest if of else name) or f"the look that you asked for: {next(looks, name)}"
        lines.append(f"{name}: {of}{caption}")
    return lines
