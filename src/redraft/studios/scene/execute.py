"""Execution of a draft: its script runs on an empty scene, and the scene is measured and rendered.

A run works with two Blenders: one runs scripts, the other opens the resulting scenes, measures and renders them. They
are different processes, so that no script ever shares one with what judges it; both are confined in the same way.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from anyio import to_thread
from pydantic import JsonValue, ValidationError

from redraft.errors import ExecutionError, InfrastructureError, RunFormatError
from redraft.files import PictureFolder, digest
from redraft.layout.requirements import merged
from redraft.result import CodePatch
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Answer, Limits, Program
from redraft.sandbox.protection import protection
from redraft.studios.base import Resources
from redraft.studios.scene.blender import find_blender
from redraft.studios.scene.footprints import facts_of
from redraft.studios.scene.settings import SceneSettings, own
from redraft.studios.scene.spec import VIEWS, Draft, Exposure, Scene, SceneFacts

MAX_BLEND = 64 << 20
"""Bytes of one `.blend`."""
MAX_VIEWED = 256 << 20
"""Bytes of a viewer's answer."""
BACKSTOP = 15.0
"""Seconds beyond a script's own limit: the stage ends a script itself, and stays warm."""
SURVEY_LIMIT = 240.0
"""Seconds to measure a scene and to take the fast pictures; a full render has more."""
RENDER_LIMIT = 900.0
VIEWER_MEMORY = 6 << 30
VIEWER_RETIRE = 1536 << 20
"""Bytes above which a viewer is not used again."""
HEAVY = "Make the scene lighter: fewer objects, fewer subdivisions, copies that share their mesh."
BLENDER_MEMORY = 1 << 30
"""Bytes that Blender itself holds, beside the script's limit."""
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
    """A job for the viewer."""

    facts: bool = False
    views: tuple[str, ...] = ()
    view_size: int = 320
    camera: tuple[int, int, int] | None = None
    """Width, height and samples of a render through the camera."""
    looks: tuple[str, ...] = ()
    look_size: tuple[int, int] = (480, 360)
    glb: bool = False
    blend: bool = False
    """The file itself, without anything in it that runs."""
    seed: int = 0


@dataclass(frozen=True)
class Seen:
    """A viewer's measurements, and files by name (`front`, `camera`, `look-0`, `glb`, `blend`)."""

    facts: SceneFacts | None
    exposure: Exposure | None
    parts: dict[str, bytes]


def stage_program(settings: SceneSettings) -> Program:
    """Return the program that runs scripts. Raises `MissingPartError` or `ConfigError`."""
    return _program("Blender", "stage.server", settings, BLENDER_MEMORY + round(settings.memory_limit * 2**30))


def viewer_program(settings: SceneSettings) -> Program:
    """Return the program that opens, measures and renders scenes. Raises `MissingPartError` or `ConfigError`."""
    return _program("Blender's viewer", "viewer.server", settings, VIEWER_MEMORY, retire=VIEWER_RETIRE)


def _program(name: str, module: str, settings: SceneSettings, memory: int, retire: int | None = None) -> Program:
    """Return a module of `inside` in the Blender that the settings name, kept from all but the assets."""
    blender = find_blender(settings.blender)
    assets = (Path(settings.assets).resolve(),) if settings.assets else ()
    return Program(
        name,
        blender.program(f"redraft.studios.scene.inside.{module}"),
        level=protection(settings.sandbox),
        memory=memory,
        binds=(*blender.binds, *assets),
        environment=VARIABLES,
        start=120.0,
        retire=retire,
        watches=module == "stage.server",
    )


async def run_script(code: str, settings: SceneSettings, seed: int, sandbox: Sandbox) -> Staged:
    """Run a script on an empty scene.

    Raises:
        ExecutionError: it raised, broke a limit or crashed Blender, in words for its writer.
        InfrastructureError: the worker was lost. MissingPartError: Blender or its sandbox is missing.
    """
    memory = round(settings.memory_limit * 2**30)
    job: dict[str, JsonValue] = {
        "code": code,
        "seed": seed,
        "seconds": settings.limit,
        "memory": memory,
        "confined": sys.platform == "linux",
    }
    # A script that crashed runs a second time; it is ended by the stage, and by these limits only where that fails.
    seconds = settings.limit * 2 + BACKSTOP
    limits = Limits(seconds, output=MAX_BLEND + (1 << 20), processes=256, heavy=HEAVY)
    try:
        answer = await sandbox.ask(stage_program(settings), job, limits=limits)
    except ExecutionError as error:
        try:
            for patch in error.patches:
                CodePatch.model_validate(patch)
        except ValidationError:  # the script wrote a report of its own
            from redraft.studios.scene.inside.stage.messages import FORGED  # imports modules that Windows lacks

            raise ExecutionError(FORGED, by=error.by) from error
        raise
    notes = cast("list[str]", answer.data["notes"])
    return Staged(answer.blob, str(answer.data["printed"]), tuple(notes))


async def survey(blend: bytes, tasks: Wanted, settings: SceneSettings, sandbox: Sandbox) -> Seen:
    """Open a scene, measure it and render pictures of it.

    Raises:
        ExecutionError: it is too heavy to render, or a view names an unknown object.
        InfrastructureError: the worker was lost. MissingPartError: Blender or its sandbox is missing.
    """
    camera = None
    if tasks.camera is not None:
        width, height, samples = tasks.camera
        camera = {"width": width, "height": height, "samples": samples, "seed": tasks.seed}
    job: dict[str, JsonValue] = {
        "facts": tasks.facts,
        "exposure": tasks.camera is not None,
        "views": [*tasks.views],
        "view_size": tasks.view_size,
        "camera": cast("JsonValue", camera),
        "looks": [*tasks.looks],
        "look_size": [*tasks.look_size],
        "glb": tasks.glb,
        "blend": tasks.blend,
    }
    seconds = RENDER_LIMIT if tasks.glb else SURVEY_LIMIT
    fix = "Ask for fewer views, and for none that is lit." if tasks.looks else HEAVY
    slow = f"Viewing the scene took longer than {seconds:g} s. {fix}"
    limits = Limits(seconds, output=MAX_VIEWED, slow=slow, heavy=HEAVY)
    try:
        answer = await sandbox.ask(viewer_program(settings), job, limits=limits, blob=blend)
    except InfrastructureError as error:
        raise InfrastructureError(f"The scene was built, but could not be viewed: {error}") from error
    return await to_thread.run_sync(_seen, answer)


def _seen(answer: Answer) -> Seen:
    exposure = answer.data.get("exposure")
    try:
        facts, light = facts_of(answer), None if exposure is None else Exposure.model_validate(exposure)
    except ValidationError as error:
        raise InfrastructureError(f"The viewer's answer cannot be read: {error}") from error
    files: dict[str, bytes] = {}
    for part in cast("list[dict[str, JsonValue]]", answer.data["parts"]):
        start, size = cast("int", part["offset"]), cast("int", part["size"])
        content = answer.blob[start : start + size]
        if len(content) != size:
            raise InfrastructureError(f"The viewer's answer ends before {part['name']!r} does.")
        files[str(part["name"])] = content
    return Seen(facts, light, files)


WIDTH, HEIGHT = 768, 576
"""Pixels of the render that is delivered, by default."""
PREVIEW = 400
"""Pixels of the longer side of the first render, which is measured and which a critic sees."""
PREVIEW_SAMPLES = 8
VIEW_SIZE = 320
MAX_CHANGES = 500
"""Listed changes that a run keeps."""


def size_of(settings: SceneSettings) -> tuple[int, int]:
    """Return width and height of the render that is delivered."""
    return settings.width or WIDTH, settings.height or HEIGHT


def preview_size(settings: SceneSettings) -> tuple[int, int]:
    """Return width and height of the first render: the same shape, small."""
    width, height = size_of(settings)
    factor = min(1.0, PREVIEW / max(width, height))
    return max(16, round(width * factor)), max(16, round(height * factor))


async def execute(spec: Draft, base: Scene | None, resources: Resources) -> Scene:
    """Run a draft's script, measure the scene and take the fast pictures; `base` again where that has the same script.

    Raises:
        ExecutionError: E1. InfrastructureError: E0. MissingPartError: Blender or its sandbox is missing.
    """
    settings, folder = own(resources.settings), resources.pictures
    requirements, changes = ((), ()) if base is None else (base.requirements, base.changes)
    statements = {
        "requirements": merged(requirements, spec.requirements, spec.mismatches),
        "changes": tuple(dict.fromkeys((*changes, *spec.changes)))[-MAX_CHANGES:],
    }
    if base is not None and spec.code == base.code and _has_pictures(folder, base):
        return base.model_copy(update=statements)

    staged = await run_script(spec.code, settings, resources.seed, resources.sandbox)
    camera = (*preview_size(settings), PREVIEW_SAMPLES)
    tasks = Wanted(facts=True, views=VIEWS, view_size=VIEW_SIZE, camera=camera, blend=True, seed=resources.seed)
    seen = await survey(staged.blend, tasks, settings, resources.sandbox)
    facts = seen.facts
    assert facts is not None, "the job asks for them"
    assert seen.exposure is not None, "the job asks for a render"

    # Named by what makes it: Blender writes addresses of its memory into a `.blend`, which differ each time.
    blend = f"{digest(f'{facts.blender} {resources.seed} {spec.code}'.encode())}.blend"
    return Scene(
        code=spec.code,
        facts=facts.model_copy(update={"notes": (*staged.notes, *facts.notes)}),
        exposure=seen.exposure,
        preview=folder.put(seen.parts["camera"]),
        views={name: folder.put(seen.parts[name]) for name in VIEWS},
        blend=folder.keep(blend, seen.parts["blend"]),
        printed=staged.printed,
    ).model_copy(update=statements)


def _has_pictures(folder: PictureFolder, scene: Scene) -> bool:
    """Return whether the run has the scene's pictures; those of an earlier run are made anew."""
    try:
        for name in (scene.preview, *scene.views.values()):
            folder.get(name)
    except RunFormatError:
        return False
    return True


async def finish(scene: Scene, resources: Resources) -> Scene:
    """Return the scene with its full render and as a `.glb`. Raises `ExecutionError` or `InfrastructureError`."""
    if scene.render and scene.glb:
        return scene  # an earlier run's, as it was delivered there
    settings = own(resources.settings)
    tasks = Wanted(camera=(*size_of(settings), settings.samples), glb=True, seed=resources.seed)
    seen = await survey(await blend_of(scene, resources), tasks, settings, resources.sandbox)
    glb = resources.pictures.put(seen.parts["glb"], ".glb")
    return scene.model_copy(update={"render": resources.pictures.put(seen.parts["camera"]), "glb": glb})


async def blend_of(scene: Scene, resources: Resources) -> bytes:
    """Return the scene's `.blend`; where the run's files have lost it, run its script again."""
    try:
        return resources.pictures.get(scene.blend)
    except RunFormatError:
        settings = own(resources.settings)
        staged = await run_script(scene.code, settings, resources.seed, resources.sandbox)
        seen = await survey(staged.blend, Wanted(blend=True), settings, resources.sandbox)
        resources.pictures.keep(scene.blend.rpartition("/")[2], seen.parts["blend"])
        return seen.parts["blend"]
