"""Execution of a draft: its script runs on an empty scene, and the scene is measured and looked at.

A run works with two Blenders: one runs scripts, the other opens what came of them and looks. They are different
processes, so that no script ever shares one with what judges it; both are confined in the same way.

The viewer recognizes convex footprints itself and sends the triangles of all others, whose union is made here. They are
from a file that a script has made, so their number and their crossings are bounded.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import shapely
from anyio import to_thread
from numpy.typing import NDArray
from pydantic import JsonValue, ValidationError
from shapely.geometry import MultiPolygon, Polygon, box

from redraft.errors import ExecutionError, InfrastructureError, RunFormatError
from redraft.files import PictureFolder, digest
from redraft.layout.requirements import merged
from redraft.result import CodePatch
from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Answer, Limits, Program
from redraft.sandbox.protection import protection
from redraft.studios.base import Resources
from redraft.studios.scene.blender import find_blender
from redraft.studios.scene.settings import SceneSettings, own
from redraft.studios.scene.spec import VIEWS, Change, Draft, Exposure, Scene, SceneFacts

Ring = tuple[tuple[float, float], ...]
MOST_CROSSINGS = 500_000
"""Pairs of triangles whose boxes meet; with more of them the hull is taken."""
MOST_RINGS = 64


def facts_of(answer: Answer) -> SceneFacts | None:
    """The facts in a viewer's answer, with all footprints; None where they were not asked for.

    Raises:
        pydantic.ValidationError: the answer is not what a viewer says.
    """
    if answer.data.get("facts") is None:
        return None
    facts = SceneFacts.model_validate(answer.data["facts"])
    triangles = _triangles(answer)
    rows = cast("list[dict[str, Any]]", answer.data.get("footprints") or [])
    found = {row["name"]: footprint_of(triangles[row["first"] : row["first"] + row["count"]]) for row in rows}
    things = (
        thing.model_copy(update={"footprint": found[thing.name]}) if thing.name in found else thing
        for thing in facts.things
    )
    return facts.model_copy(update={"things": tuple(things)})


def _triangles(answer: Answer) -> NDArray[np.float64]:
    parts = cast("list[dict[str, Any]]", answer.data.get("parts") or [])
    part = next((part for part in parts if part["name"] == "triangles"), None)
    data = answer.blob[part["offset"] : part["offset"] + part["size"]] if part else b""
    return np.frombuffer(data, "<f4").reshape(-1, 3, 2).astype(np.float64)


def footprint_of(triangles: NDArray[np.float64]) -> tuple[Ring, ...]:
    """Closed rings whose union is that of the triangles (n × 3 × 2), simplified to 1 mm or a hundredth of their size.

    A ring has no hole: what has one is cut in two through it.
    """
    rounded = np.round(triangles, 5)  # so that neighbors meet exactly, with no slits between them
    flat = np.asarray(shapely.polygons(cast("Any", rounded)), dtype=object)
    union = _union(flat[np.array([polygon.area > 0 for polygon in flat], bool)])
    if union.is_empty:
        return ()
    least = max(0.001, float(np.hypot(*(np.array(union.bounds[2:]) - union.bounds[:2]))) / 100)
    simple = shapely.union_all([_without_pores(polygon, least) for polygon in _polygons(union)]).simplify(least)
    rings = [ring for polygon in _polygons(simple) for ring in _rings(polygon)]
    if len(rings) > MOST_RINGS:
        rings = _rings(cast("Polygon", union.convex_hull))
    return tuple(ring for ring in rings if len(ring) >= 3)


def _union(flat: NDArray[Any]) -> Any:
    pairs = shapely.STRtree(flat).query(flat).shape[1]
    if pairs > MOST_CROSSINGS:
        return shapely.convex_hull(shapely.geometrycollections(flat))
    return shapely.union_all(flat)


def _without_pores(polygon: Polygon, least: float) -> Polygon:
    """Without holes that are smaller than what is left out anyway."""
    return Polygon(polygon.exterior, [hole for hole in polygon.interiors if Polygon(hole).area > least**2])


def _polygons(shape: Any) -> Sequence[Polygon]:
    if isinstance(shape, Polygon):
        return [shape]
    return [
        part
        for part in getattr(shape, "geoms", ())
        if isinstance(part, Polygon | MultiPolygon)
        for part in _polygons(part)
    ]


def _rings(polygon: Polygon) -> list[Ring]:
    """A polygon as rings without holes."""
    if polygon.is_empty:
        return []
    if polygon.interiors:
        return [ring for part in _halves(polygon) for ring in _rings(part)]
    corners = [(round(x, 4) + 0.0, round(y, 4) + 0.0) for x, y in polygon.exterior.coords[:-1]]
    return [tuple(corner for index, corner in enumerate(corners) if corner != corners[index - 1])]


def _halves(polygon: Polygon) -> list[Polygon]:
    """Cut along the middle of its first hole, upright."""
    low_x, low_y, high_x, high_y = polygon.bounds
    hole = polygon.interiors[0].bounds
    middle = (hole[0] + hole[2]) / 2
    sides = (box(low_x, low_y, middle, high_y), box(middle, low_y, high_x, high_y))
    return [part for side in sides for part in _polygons(polygon.intersection(side))]


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
    blend: bool = False
    """The file itself, without anything in it that runs."""
    seed: int = 0


@dataclass(frozen=True)
class Seen:
    """What a viewer found, and files by name (`front`, `camera`, `look-0`, `glb`, `blend`)."""

    facts: SceneFacts | None
    exposure: Exposure | None
    parts: dict[str, bytes]


def stage_program(settings: SceneSettings) -> Program:
    """Where scripts run. Raises `MissingPartError` or `ConfigError`."""
    return _program("Blender", "stage.server", settings, ROOM + round(settings.memory_limit * 2**30))


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
        watches=module == "stage.server",
    )


def _assets(settings: SceneSettings) -> tuple[Path, ...]:
    return (Path(settings.assets).resolve(),) if settings.assets else ()


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
    limits = Limits(seconds, output=MOST_BLEND + (1 << 20), processes=256, heavy=HEAVY)
    try:
        answer = await sandbox.ask(stage_program(settings), job, limits=limits)
    except ExecutionError as error:
        if not _are_patches(error.patches):
            from redraft.studios.scene.inside.stage.messages import FORGED  # imports what Windows has not

            raise ExecutionError(FORGED, by=error.by) from error
        raise
    notes = cast("list[str]", answer.data["notes"])
    return Staged(answer.blob, str(answer.data["printed"]), tuple(notes))


def _are_patches(patches: Sequence[object]) -> bool:
    """Whether these can be recorded: a report that says anything else is none."""
    try:
        for patch in patches:
            CodePatch.model_validate(patch)
    except ValidationError:
        return False
    return True


async def survey(blend: bytes, wanted: Wanted, settings: SceneSettings, sandbox: Sandbox) -> Seen:
    """Open a scene, measure it and take pictures of it.

    Raises:
        ExecutionError: it is too heavy to render, or a view names an unknown object.
        InfrastructureError: the worker was lost. MissingPartError: Blender or its sandbox is missing.
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
        "blend": wanted.blend,
    }
    seconds = RENDER_LIMIT if wanted.glb else SURVEY_LIMIT
    fix = "Ask for fewer views, and for none that is lit." if wanted.looks else HEAVY
    slow = f"Viewing the scene took longer than {seconds:g} s. {fix}"
    limits = Limits(seconds, output=MOST_SEEN, slow=slow, heavy=HEAVY)
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
    return Seen(facts, light, _parts(answer))


def _parts(answer: Answer) -> dict[str, bytes]:
    parts = cast("list[dict[str, JsonValue]]", answer.data["parts"])
    found: dict[str, bytes] = {}
    for part in parts:
        start, size = cast("int", part["offset"]), cast("int", part["size"])
        piece = answer.blob[start : start + size]
        if len(piece) != size:
            raise InfrastructureError(f"The viewer's answer ends before {part['name']!r} does.")
        found[str(part["name"])] = piece
    return found


WIDTH, HEIGHT = 768, 576
"""Pixels of the render that is delivered, by default."""
PREVIEW = 400
"""Pixels of the longer side of the first render: what is measured, and what a critic sees."""
PREVIEW_SAMPLES = 8
VIEW_SIZE = 320
MOST_CHANGES = 500
"""Listed changes that a run keeps."""


def size_of(settings: SceneSettings) -> tuple[int, int]:
    """Width and height of the render that is delivered."""
    return settings.width or WIDTH, settings.height or HEIGHT


def preview_size(settings: SceneSettings) -> tuple[int, int]:
    """The same shape, small."""
    width, height = size_of(settings)
    factor = min(1.0, PREVIEW / max(width, height))
    return max(16, round(width * factor)), max(16, round(height * factor))


async def execute(spec: Draft, base: Scene | None, resources: Resources) -> Scene:
    """Run a draft's script, measure what came of it and take the fast pictures; `base` again where that is its script.

    Raises:
        ExecutionError: E1. InfrastructureError: E0. MissingPartError: Blender or its sandbox is missing.
    """
    settings, folder = own(resources.settings), resources.pictures
    before = ((), ()) if base is None else (base.requirements, base.changes)
    said = {
        "requirements": merged(before[0], spec.requirements, spec.mismatches),
        "changes": _together(before[1], spec.changes),
    }
    if base is not None and spec.code == base.code and _is_here(base, folder):
        return base.model_copy(update=said)
    staged = await run_script(spec.code, settings, resources.seed, resources.sandbox)
    camera = (*preview_size(settings), PREVIEW_SAMPLES)
    wanted = Wanted(facts=True, views=VIEWS, view_size=VIEW_SIZE, camera=camera, blend=True, seed=resources.seed)
    seen = await survey(staged.blend, wanted, settings, resources.sandbox)
    facts = seen.facts
    assert facts is not None, "they were asked for"
    assert seen.exposure is not None, "it was asked for"
    return Scene(
        code=spec.code,
        facts=facts.model_copy(update={"notes": (*staged.notes, *facts.notes)}),
        exposure=seen.exposure,
        preview=folder.put(seen.parts["camera"]),
        views={name: folder.put(seen.parts[name]) for name in VIEWS},
        blend=folder.keep(_blend_name(spec.code, resources.seed, facts.blender), seen.parts["blend"]),
        printed=staged.printed,
    ).model_copy(update=said)


def _together(before: Sequence[Change], new: Sequence[Change]) -> tuple[Change, ...]:
    """What all edits of a run changed, the last `MOST_CHANGES`."""
    return tuple(dict.fromkeys((*before, *new)))[-MOST_CHANGES:]


def _is_here(scene: Scene, folder: PictureFolder) -> bool:
    """Whether the run has the scene's pictures; those of an earlier run are made anew."""
    try:
        for name in (scene.preview, *scene.views.values()):
            folder.get(name)
    except RunFormatError:
        return False
    return True


async def finish(scene: Scene, resources: Resources) -> Scene:
    """The scene with its render in full and as a `.glb`. Raises `ExecutionError` or `InfrastructureError`."""
    if scene.render and scene.glb:
        return scene  # an earlier run's, as it was delivered there
    settings = own(resources.settings)
    wanted = Wanted(camera=(*size_of(settings), settings.samples), glb=True, seed=resources.seed)
    seen = await survey(await blend_of(scene, resources), wanted, settings, resources.sandbox)
    glb = resources.pictures.put(seen.parts["glb"], ".glb")
    return scene.model_copy(update={"render": resources.pictures.put(seen.parts["camera"]), "glb": glb})


async def blend_of(scene: Scene, resources: Resources) -> bytes:
    """The scene's `.blend`; where the run's files have lost it, its script runs again."""
    try:
        return resources.pictures.get(scene.blend)
    except RunFormatError:
        settings = own(resources.settings)
        staged = await run_script(scene.code, settings, resources.seed, resources.sandbox)
        seen = await survey(staged.blend, Wanted(blend=True), settings, resources.sandbox)
        resources.pictures.keep(scene.blend.rpartition("/")[2], seen.parts["blend"])
        return seen.parts["blend"]


def _blend_name(code: str, seed: int, blender: str) -> str:
    """A name by what makes it: Blender writes addresses of its memory into a `.blend`, which are others each time."""
    return f"{digest(f'{blender} {seed} {code}'.encode())}.blend"
