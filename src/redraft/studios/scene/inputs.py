"""The inputs that requests of the scene studio have beside the shared ones: where scripts run, what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TypeGuard

from pydantic import JsonValue

from redraft.studios.programs import holds_edits
from redraft.studios.requests import FixRequest, StudioRequest
from redraft.studios.scene.blender import lacking
from redraft.studios.scene.execute import size_of
from redraft.studios.scene.inventory import inventory
from redraft.studios.scene.settings import SceneSettings, own
from redraft.studios.scene.spec import Scene
from redraft.studios.wording import stating

MOST_ASSETS = 60
PRINTED = 600
"""Characters of what a script printed that are shown again."""
SHEET = (
    "at the left {render}, at the right four plain views of shapes and base colors (front, right, above, three-quarter)"
)


def inputs(request: StudioRequest[Scene]) -> dict[str, JsonValue]:
    """Return where the script runs and how it is looked at, and what was measured of the scene."""
    settings, scene = own(request.settings), request.current
    width, height = size_of(settings)
    found: dict[str, JsonValue] = {
        "blender": settings.version,
        "lacks": [*lacking(settings.version)],
        "width": width,
        "height": height,
        "seconds": settings.limit,
        "assets": _assets(settings),
    }
    if scene is not None:
        found |= {
            "things": [*inventory(scene)],
            "notes": [*scene.facts.notes, *scene.facts.removed],
            "printed": scene.printed.strip()[-PRINTED:],
            "pictures": _captions(request, scene),
        }
    if ran_with_error(request):
        found |= stating("scene", wanted=False)
        if not holds_edits(request.reply):  # of a whole script that ran, the one before is of no use
            found["current"] = ""
    return found


def ran_with_error(request: StudioRequest[Scene]) -> TypeGuard[FixRequest[Scene]]:
    """Return whether a request is the fix of a script that raised an error."""
    return isinstance(request, FixRequest) and request.failure.failure_class == "E1"


def _assets(settings: SceneSettings) -> list[JsonValue]:
    """The files that a script may read, by path."""
    if not settings.assets:
        return []
    paths = sorted(path for path in Path(settings.assets).resolve().rglob("*") if path.is_file())
    return [str(path) for path in paths[:MOST_ASSETS]]


def _captions(request: StudioRequest[Scene], scene: Scene) -> list[JsonValue]:
    """What each picture shows, in order."""
    camera = scene.facts.camera is not None
    render = "the render through the scene's camera" if camera else "a view from three quarters, as there is no camera"
    looks = iter(request.looks)
    return [f"{picture.name}: {_caption(picture.name, render, looks)}" for picture in request.pictures]


def _caption(name: str, render: str, looks: Iterator[str]) -> str:
    version, dash, rest = name.partition("-")
    of = f"version {version}, " if dash and version in ("A", "B") else ""
    shown = {
        "sheet.png": SHEET.format(render=render),
        "beside-target.png": "the target at the left, the render at the right",
        "target.png": "the target",
    }
    said = shown.get(rest if of else name)
    return f"{of}{said}" if said else f"the look that you asked for: {next(looks, name)}"
