"""The two Blenders that a run works with: one runs scripts, the other opens what came of them and looks.

They are different processes, so that no script ever shares one with what judges it; both are confined in the same way.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from anyio import to_thread
from pydantic import JsonValue

from redraft.errors import ExecutionError, InfrastructureError
from redraft.sandbox import Answer, Limits, Program, Sandbox, protection
from redraft.studios.scene.blender import find_blender
from redraft.studios.scene.footprints import facts_of
from redraft.studios.scene.spec import Exposure, SceneFacts, SceneSettings

__all__ = ["MOST_BLEND", "Seen", "Staged", "Wanted", "run_script", "stage_program", "survey", "viewer_program"]

MOST_BLEND = 64 << 20
"""Bytes of one `.blend`."""
MOST_SEEN = 256 << 20
BACKSTOP = 15.0
"""Seconds beyond a script's own limit: the stage ends a script itself, and stays warm."""
SURVEY_LIMIT = 240.0
"""Seconds to measure a scene and to take the fast pictures; a render in full has more."""
RENDER_LIMIT = 900.0
VIEWER_MEMORY = 6 << 30
VIEWER_RETIRE = 1536 << 20
"""Bytes above which a viewer is not used again."""
HEAVY = "Make the scene lighter: fewer objects, fewer subdivisions, copies that share their mesh."
ROOM = 1 << 30
"""What Blender itself holds, beside what a script may."""
VARIABLES = (("PYTHONHASHSEED", "0"), ("LIBGL_ALWAYS_SOFTWARE", "1"), ("MESA_SHADER_CACHE_DISABLE", "true"))
"""Sets are walked in the same order in every run, and pictures are the same with and without a graphics card."""


@dataclass(frozen=True)
class Staged:
    """A script that ran to its end."""

    blend: bytes
    printed: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """What a viewer is asked for."""

    facts: bool = False
    views: tuple[str, ...] = ()
    view_size: int = 320
    camera: tuple[int, int, int] | None = None
    """Width, height and samples of a render through the camera."""
    looks: tuple[str, ...] = ()
    look_size: tuple[int, int] = (480, 360)
    glb: bool = False
    seed: int = 0


@dataclass(frozen=True)
class Seen:
    """What a viewer found, and files by name (`front`, `camera`, `look-0`, `glb`)."""

    facts: SceneFacts | None
    exposure: Exposure | None
    parts: dict[str, bytes]


def stage_program(settings: SceneSettings) -> Program:
    """Where scripts run. Raises `MissingPartError` or `ConfigError`."""
    return _program("Blender", "stage.server", settings, ROOM + round(settings.memory * 2**30))


def viewer_program(settings: SceneSettings) -> Program:
    """Where scenes are opened and looked at. Raises `MissingPartError` or `ConfigError`."""
    return _program("Blender's viewer", "viewer.server", settings, VIEWER_MEMORY, retire=VIEWER_RETIRE)


def _program(name: str, module: str, settings: SceneSettings, memory: int, retire: int | None = None) -> Program:
    """A module of `inside` in the Blender that the settings name, kept from all but the assets."""
    blender = find_blender(settings.blender)
    return Program(
        name,
        blender.program(f"redraft.studios.scene.inside.{module}"),
        level=protection(settings.sandbox),
        memory=memory,
        binds=(*blender.binds, *_assets(settings)),
        environment=VARIABLES,
        start=120.0,
        retire=retire,
    )


def _assets(settings: SceneSettings) -> tuple[Path, ...]:
    return (Path(settings.assets).resolve(),) if settings.assets else ()


async def run_script(code: str, settings: SceneSettings, seed: int, sandbox: Sandbox) -> Staged:
    """Run a script on an empty scene.

    Raises:
        ExecutionError: it raised, broke a limit or crashed Blender, in words for its writer.
        InfrastructureError: the worker was lost. MissingPartError: there is no Blender, or no jail for it.
    """
    memory = round(settings.memory * 2**30)
    job: dict[str, JsonValue] = {
        "code": code,
        "seed": seed,
        "seconds": settings.limit,
        "memory": memory,
        "confined": sys.platform == "linux",
    }
    # A script that crashed runs a second time; it is ended by the stage, and by these limits only where that fails.
    seconds = settings.limit * 2 + BACKSTOP
    limits = Limits(seconds, ROOM + memory, output=MOST_BLEND + (1 << 20), processes=256, heavy=HEAVY)
    answer = await sandbox.ask(stage_program(settings), job, limits=limits)
    notes = cast("list[str]", answer.data["notes"])
    return Staged(answer.blob, str(answer.data["printed"]), tuple(notes))


async def survey(blend: bytes, wanted: Wanted, settings: SceneSettings, sandbox: Sandbox) -> Seen:
    """Open a scene, measure it and take pictures of it.

    Raises:
        ExecutionError: it is too heavy to be looked at, or a view names what is not there.
        InfrastructureError: the worker was lost. MissingPartError: there is no Blender, or no jail for it.
    """
    camera = None
    if wanted.camera is not None:
        width, height, samples = wanted.camera
        camera = {"width": width, "height": height, "samples": samples, "seed": wanted.seed}
    job: dict[str, JsonValue] = {
        "facts": wanted.facts,
        "exposure": wanted.camera is not None,
        "views": [*wanted.views],
        "view_size": wanted.view_size,
        "camera": cast("JsonValue", camera),
        "looks": [*wanted.looks],
        "look_size": [*wanted.look_size],
        "glb": wanted.glb,
    }
    seconds = RENDER_LIMIT if wanted.glb else SURVEY_LIMIT
    mend = "Ask for fewer views, and for none that is lit." if wanted.looks else HEAVY
    slow = f"To look at the scene took longer than {seconds:g} s. {mend}"
    limits = Limits(seconds, VIEWER_MEMORY, output=MOST_SEEN, slow=slow, heavy=HEAVY)
    try:
        answer = await sandbox.ask(viewer_program(settings), job, limits=limits, blob=blend)
    except InfrastructureError as error:
        raise InfrastructureError(f"The scene was made, but could not be looked at: {error}") from error
    return await to_thread.run_sync(_seen, answer)


def _seen(answer: Answer) -> Seen:
    exposure = answer.data.get("exposure")
    return Seen(facts_of(answer), None if exposure is None else Exposure.model_validate(exposure), _parts(answer))


def _parts(answer: Answer) -> dict[str, bytes]:
    parts = cast("list[dict[str, JsonValue]]", answer.data["parts"])
    found: dict[str, bytes] = {}
    for part in parts:
        start, size = cast("int", part["offset"]), cast("int", part["size"])
        piece = answer.blob[start : start + size]
        if len(piece) != size:
            raise ExecutionError(f"The viewer's answer ends before {part['name']!r} does.")
        found[str(part["name"])] = piece
    return found
