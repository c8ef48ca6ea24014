"""Pictures of a scene: the sheet that a critic sees, single views, looks from anywhere, and the target beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from anyio import to_thread

from redraft.brief import Brief
from redraft.files import PictureFolder
from redraft.metrics.base import Pixels
from redraft.metrics.pictures import pixels_of, side_by_side, survey_sheet
from redraft.result import Picture
from redraft.studios.base import Resources
from redraft.studios.scene.execute import Wanted, blend_of, survey
from redraft.studios.scene.settings import own
from redraft.studios.scene.spec import VIEWS, Scene
from redraft.studios.target import target_of, target_picture

SHEET = "sheet"
CAMERA = "camera"
NAMES = {"front": "from the front", "side": "from the right", "top": "from above", "three_quarter": "three-quarter"}


def sheet(scene: Scene, folder: PictureFolder) -> bytes:
    """Return the render through the camera and the four views, each with its name. Raises `RunFormatError`."""
    others = {NAMES[name]: pixels_of(folder.get(scene.views[name])) for name in VIEWS}
    label = "through the camera" if scene.facts.camera else "no camera: looked at from three quarters"
    return survey_sheet(frame_of(scene, folder), label, others)


def frame_of(scene: Scene, folder: PictureFolder) -> Pixels:
    """Return the small render through the camera, which every turn has, as pixels."""
    return pixels_of(folder.get(scene.preview))


def beside_target(scene: Scene, brief: Brief, folder: PictureFolder) -> list[Picture]:
    """Return the target at the left with the render at the right, and the sheet."""
    both = side_by_side(target_of(brief).pixels, frame_of(scene, folder), "render")
    return [Picture(name="beside-target.png", png=both), Picture(name="sheet.png", png=sheet(scene, folder))]


async def pictures(scene: Scene | None, brief: Brief, resources: Resources) -> list[Picture]:
    """Return what a model that sees is shown of a run toward a target."""
    if scene is None:
        return [Picture(name="target.png", png=target_picture(brief))]
    work = partial(beside_target, scene, brief, resources.pictures)
    return await to_thread.run_sync(work, limiter=resources.limiter)


async def views_of(scene: Scene, views: Sequence[str], resources: Resources) -> list[Picture]:
    """Return pictures by name: `sheet`, `camera`, the four fast views, or looks such as `right | at Bowl | zoom 2`.

    Raises:
        ExecutionError: a look names an unknown object. ValueError: it is not a look.
    """
    folder = resources.pictures
    looks = [view for view in views if view not in {SHEET, CAMERA, *VIEWS}]
    seen: dict[str, bytes] = {}
    if looks:
        blend = await blend_of(scene, resources)
        job = Wanted(looks=tuple(looks), seed=resources.seed)
        seen = (await survey(blend, job, own(resources.settings), resources.sandbox)).parts

    shown: list[Picture] = []
    for view in views or (SHEET,):
        if view == SHEET:
            content = await to_thread.run_sync(partial(sheet, scene, folder), limiter=resources.limiter)
        elif view in looks:
            content = seen[f"look-{looks.index(view)}"]
        else:
            content = folder.get(scene.preview if view == CAMERA else scene.views[view])
        name = "-".join("".join(c if c.isalnum() else " " for c in view).split())[:60] or "look"
        shown.append(Picture(name=f"{name}.png", png=content))
    return shown
