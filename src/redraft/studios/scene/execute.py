"""Executing a draft: the script runs on an empty scene, and the scene is measured and looked at."""

from __future__ import annotations

from collections.abc import Sequence

from redraft.errors import RunFormatError
from redraft.files import PictureFolder, digest
from redraft.requirements import merged
from redraft.studios.base import Bench
from redraft.studios.scene.spec import VIEWS, Change, Draft, Scene, SceneSettings, own
from redraft.studios.scene.workers import Wanted, run_script, survey

__all__ = ["blend_of", "execute", "finish", "preview_size", "size_of"]

WIDTH, HEIGHT = 768, 576
"""Pixels of the render that is delivered, where nobody says otherwise."""
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


async def execute(spec: Draft, base: Scene | None, bench: Bench) -> Scene:
    """Run a draft's script, measure what came of it and take the fast pictures; `base` again where that is its script.

    Raises:
        ExecutionError: E1. InfrastructureError: E0. MissingPartError: there is no Blender, or no jail for it.
    """
    settings, shelf = own(bench.settings), bench.shelf
    before = ((), ()) if base is None else (base.requirements, base.changes)
    said = {"requirements": merged(before[0], spec.requirements), "changes": _together(before[1], spec.changes)}
    if base is not None and spec.code == base.code and _is_here(base, shelf):
        return base.model_copy(update=said)
    staged = await run_script(spec.code, settings, bench.seed, bench.sandbox)
    camera = (*preview_size(settings), PREVIEW_SAMPLES)
    wanted = Wanted(facts=True, views=VIEWS, view_size=VIEW_SIZE, camera=camera, seed=bench.seed)
    seen = await survey(staged.blend, wanted, settings, bench.sandbox)
    facts = seen.facts
    assert facts is not None, "they were asked for"
    assert seen.exposure is not None, "it was asked for"
    return Scene(
        code=spec.code,
        facts=facts.model_copy(update={"notes": (*staged.notes, *facts.notes)}),
        exposure=seen.exposure,
        preview=shelf.put(seen.parts["camera"]),
        views={name: shelf.put(seen.parts[name]) for name in VIEWS},
        blend=shelf.keep(_blend_name(spec.code, bench.seed, facts.blender), staged.blend),
        printed=staged.printed,
    ).model_copy(update=said)


def _together(before: Sequence[Change], new: Sequence[Change]) -> tuple[Change, ...]:
    """What all edits of a run changed, the last `MOST_CHANGES`."""
    return tuple(dict.fromkeys((*before, *new)))[-MOST_CHANGES:]


def _is_here(scene: Scene, shelf: PictureFolder) -> bool:
    """Whether the run has the scene's pictures; those of an earlier run are made anew."""
    try:
        for name in (scene.preview, *scene.views.values()):
            shelf.get(name)
    except RunFormatError:
        return False
    return True


async def finish(scene: Scene, bench: Bench) -> Scene:
    """The scene with its render in full and as a `.glb`. Raises `ExecutionError` or `InfrastructureError`."""
    if scene.render and scene.glb:
        return scene  # an earlier run's, as it was delivered there
    settings = own(bench.settings)
    wanted = Wanted(camera=(*size_of(settings), settings.samples), glb=True, seed=bench.seed)
    seen = await survey(await blend_of(scene, bench), wanted, settings, bench.sandbox)
    glb = bench.shelf.put(seen.parts["glb"], ".glb")
    return scene.model_copy(update={"render": bench.shelf.put(seen.parts["camera"]), "glb": glb})


async def blend_of(scene: Scene, bench: Bench) -> bytes:
    """The scene's `.blend`; where the run's files have lost it, its script runs again."""
    try:
        return bench.shelf.get(scene.blend)
    except RunFormatError:
        staged = await run_script(scene.code, own(bench.settings), bench.seed, bench.sandbox)
        bench.shelf.keep(scene.blend.rpartition("/")[2], staged.blend)
        return staged.blend


def _blend_name(code: str, seed: int, blender: str) -> str:
    """A name by what makes it: Blender writes addresses of its memory into a `.blend`, which are others each time."""
    return f"{digest(f'{blender} {seed} {code}'.encode())}.blend"
