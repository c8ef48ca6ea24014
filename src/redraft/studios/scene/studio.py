"""The scene studio: from a sentence, a target picture, or both, to a Blender scene, its script and its renders."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from anyio import to_thread
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.errors import ConfigError, FormatError, MissingPartError, SendError
from redraft.files import write_atomic
from redraft.layout.items import Layout
from redraft.limits import RECORD, read_file
from redraft.result import Heuristics, Picture, Report, Result, Score
from redraft.sandbox.protection import protection
from redraft.studios.base import Resources
from redraft.studios.kinds import FinishingStudio, Guard, LayoutStudio, ProgramStudio, TargetStudio
from redraft.studios.requests import Kind, StudioRequest, StudioSettings
from redraft.studios.scene import execute as execution
from redraft.studios.scene import inputs as wording
from redraft.studios.scene import parse as parsing
from redraft.studios.scene import render as rendering
from redraft.studios.scene.blender import find_blender
from redraft.studios.scene.execute import stage_program, viewer_program
from redraft.studios.scene.inside.viewer.look_syntax import LookError, parse_look
from redraft.studios.scene.parse import FILE, load
from redraft.studios.scene.settings import SceneSettings, own
from redraft.studios.scene.spec import VIEWS, Draft, Scene
from redraft.studios.target import about_target, distance, target_of
from redraft.text import plural

RENDERS = "renders"
"""Folder of the delivered views."""
SENT = "sent.json"
"""File with the answer of the Blender that the scene was sent to."""
MAX_REMOVED = 5
"""Removed parts that are a warning each; a script can make thousands."""


class SceneStudio(
    ProgramStudio[Draft, Scene], TargetStudio[Draft, Scene], LayoutStudio[Draft, Scene], FinishingStudio[Draft, Scene]
):
    """Blender scenes. Holds no state."""

    name = "scene"
    medium = "a 3D scene built in Blender and rendered through one camera"
    artifact_model = Scene
    settings_model = SceneSettings
    offline = "redraft.studios.scene.offline.answers"
    purpose = "Build a Blender scene for a sentence, or toward a picture."
    example = "a red apple on a wooden table"
    trial: ClassVar[Mapping[str, JsonValue]] = {"samples": 1, "width": 128, "height": 96, "send": False}
    takes = frozenset({"target"})
    turntable = "three-quarter | turn {}"
    deliverables = (("blend", "scene"), ("png", "image"), ("glb", ""), ("script", ""), ("sheet", ""), ("renders", ""))
    language = "Python"
    failed = "failed.py"
    looks = "critique"
    cells = 300
    space = "scene"
    views = (rendering.SHEET, rendering.CAMERA, *VIEWS)
    written = ("script", "program")
    contract = "_contract"
    adjustable = ("width", "height", "samples")

    def prepare(self, settings: StudioSettings, brief: Brief) -> SceneSettings:
        """Return the settings with the version of Blender, and the target's shape.

        Raises:
            MissingPartError: Blender, its sandbox or a package of the metric is missing.
            BriefError: the target cannot be used. ConfigError: a path in the settings is wrong.
        """
        from redraft.metrics.base import ENOUGH, open_metric
        from redraft.metrics.target import fitting_size

        chosen = own(settings)
        if not hasattr(os, "fork"):
            raise MissingPartError(
                "Scenes run in processes that are forked from a warm Blender, which Windows cannot do. Use redraft in "
                "the Windows Subsystem for Linux: wsl --install"
            )
        if chosen.assets and not Path(chosen.assets).is_dir():
            raise ConfigError(
                f"studios.scene.assets: {chosen.assets!r} is not a folder; give one that scripts may read."
            )
        blender = find_blender(chosen.blender)
        protection(chosen.sandbox)
        width, height = execution.size_of(chosen)
        enough = chosen.enough
        if brief.target is not None:
            open_metric(chosen.metric)
            enough = ENOUGH[chosen.metric] if enough is None else enough
            fitting = fitting_size(target_of(brief))
            if chosen.width is None and chosen.height is None:  # the target's shape at the size of a delivered render
                factor = execution.WIDTH / max(fitting)
                width, height = (max(64, round(side * factor)) for side in fitting)
        return chosen.model_copy(
            update={"version": blender.version, "width": width, "height": height, "enough": enough}
        )

    def guard(self, settings: StudioSettings) -> Guard:
        """Return the program that runs the scripts, and its protection. Raises `MissingPartError` or `ConfigError`."""
        chosen = own(settings)
        version = chosen.version or find_blender(chosen.blender).version
        return Guard(program=f"Blender {version}", level=protection(chosen.sandbox))

    def warm(self, resources: Resources) -> None:
        """Start both Blenders; an error is raised by the first job."""
        settings = own(resources.settings)
        resources.sandbox.warm(stage_program(settings))
        resources.sandbox.warm(viewer_program(settings))

    def open(self, brief: Brief) -> Scene | None:
        """Return the scene of the run that the brief continues. Raises `RunNotFoundError` or `RunFormatError`."""
        return None if brief.on is None else load(brief.on)

    def inputs(self, request: StudioRequest[Scene]) -> dict[str, JsonValue]:
        """Return where the script runs, the size of the render, and what was measured of the scene."""
        return wording.inputs(request)

    def pictures(self, request: StudioRequest[Scene]) -> tuple[Picture, ...]:
        """Return the pictures of a request; none where a script raised an error, which they do not show."""
        return () if wording.ran_with_error(request) else request.pictures

    def parse(self, kind: Kind, text: str, base: Scene | None, *, strict: bool = False) -> Draft:
        """Return the script in a reply, whole or as edits of the one before. Raises `FormatError`."""
        return parsing.parse(text, None if base is None else base.code)

    async def execute(self, spec: Draft, base: Scene | None, resources: Resources) -> Scene:
        """Run the script and look. Raises `ExecutionError`, `InfrastructureError` or `MissingPartError`."""
        return await execution.execute(spec, base, resources)

    def check(self, artifact: Scene, base: Scene | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
        """Return the report: measured requirements, defects, and the findings of heuristics."""
        from redraft.studios.scene.check import check

        return check(artifact, base, brief, heuristics)

    async def render(self, artifact: Scene, views: Sequence[str], resources: Resources) -> list[Picture]:
        """Return pictures by name: `sheet` (the default), `camera`, `front`, `side`, `top`, `three_quarter`, or looks.

        Raises:
            ValueError: not a look. ExecutionError: it names an unknown object.
        """
        for view in views:
            if view not in self.views:
                parse_look(view)
        return await rendering.views_of(artifact, views, resources)

    def refuse_looks(self, looks: Sequence[str]) -> None:
        """Check the syntax of looks. Raises `FormatError`."""
        for look in looks:
            try:
                parse_look(look)
            except LookError as error:
                raise FormatError(f"look: {error}") from error

    def illustrate(self, artifact: Scene, report: Report, resources: Resources) -> dict[str, tuple[str, bytes]]:
        """Return the sheet of all views, and the script, for the record."""
        script = artifact.code.rstrip("\n") + "\n"
        return {"plain": (".png", rendering.sheet(artifact, resources.pictures)), "script": (".py", script.encode())}

    def summary(self, artifact: Scene) -> str:
        """Return the size in words: `7 things, 48 lines`."""
        things = sum(thing.parent is None for thing in artifact.facts.things)
        return f"{plural(things, 'thing')}, {plural(len(artifact.code.splitlines()), 'line')}"

    def facts(self, artifact: Scene) -> list[str]:
        """Return notes of Blender, the script's output, camera, lights, and each object with its size and place."""
        from redraft.studios.scene.inventory import inventory

        printed = artifact.printed.strip()
        return [
            *artifact.facts.notes,
            *artifact.facts.removed,
            *([f"printed: …{printed[-300:]}"] if printed else []),
            *inventory(artifact),
        ]

    async def finish(self, artifact: Scene, resources: Resources) -> Scene:
        """Return the scene with its full render and as a `.glb`. Raises `AttemptError`."""
        return await execution.finish(artifact, resources)

    def deliver(self, artifact: Scene, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write `scene.py`, `scene.json`, `scene.blend`, `scene.glb`, `render.png`, and `renders/` with the views.

        Each file is written whole or not at all. A run that was stopped has its small render, and no `.glb`.

        Raises:
            RunError: a file cannot be written, or one is gone.
        """
        pictures = resources.pictures
        contents: dict[str, tuple[str, str | bytes]] = {
            "script": ("scene.py", artifact.code.rstrip("\n") + "\n"),
            "json": (FILE, artifact.model_dump_json(indent=1) + "\n"),
            "blend": ("scene.blend", pictures.get(artifact.blend)),
            "png": ("render.png", pictures.get(artifact.render or artifact.preview)),
            "sheet": ("sheet.png", rendering.sheet(artifact, pictures)),
        }
        if artifact.glb:
            contents["glb"] = ("scene.glb", pictures.get(artifact.glb))
        files = {role: write_atomic(folder / name, content) for role, (name, content) in contents.items()}
        for name in VIEWS:
            write_atomic(folder / RENDERS / f"{name}.png", pictures.get(artifact.views[name]))
        return {**files, RENDERS: folder / RENDERS}

    def removals(self, artifact: Scene) -> list[str]:
        """Return the parts that are not in `scene.blend`; of a long list the first, and the place of the rest."""
        removed = [*artifact.facts.removed]
        more = len(removed) - MAX_REMOVED
        rest = f"{more} more parts of the scene are not in scene.blend: see facts.removed in {FILE}."
        return [*removed[:MAX_REMOVED], *([rest] if more > 0 else [])]

    def handed_over(self, result: Result, settings: StudioSettings) -> Result | None:
        """Return None where the settings want the scene in the open Blender: resuming sends it again."""
        return None if own(settings).send else result

    def hand_over(self, result: Result, settings: StudioSettings) -> Result:
        """Place the scene into the open Blender if the settings want it, also when a finished run is resumed.

        A scene that cannot be sent is the result's `error`: nothing of it is lost, and `resume` sends it again.
        """
        from redraft.studios.scene.send import send

        if not own(settings).send or result.error is not None or "blend" not in result.files:
            return result
        try:
            sent = send(result.files, result.run.name)
        except SendError as error:
            failed: dict[str, JsonValue] = {"phase": "hand over", "step": "send", "message": str(error)}
            return result.model_copy(update={"error": failed})
        file = write_atomic(result.run / SENT, sent.model_dump_json(indent=1) + "\n")
        files: dict[str, Path] = {**result.files, "sent": file}
        return result.model_copy(update={"files": files, "warnings": (*result.warnings, *sent.notes())})

    def details(self, result: Result) -> list[str]:
        """Return where the scene was placed in the open Blender."""
        from redraft.studios.scene.send import Sent

        file = result.files.get("sent")
        return [] if file is None else [f"sent:    {Sent.model_validate_json(read_file(file, RECORD)).line()}"]

    def metric(self, settings: StudioSettings) -> str:
        """Return the metric's name: `FLIP`, `SSIM` or `LPIPS`."""
        return own(settings).metric.upper()

    def about(self, brief: Brief, resources: Resources) -> dict[str, JsonValue]:
        """Return the record's entry about the target."""
        return about_target(brief, resources.pictures, own(resources.settings).metric)

    async def shown(
        self, artifact: Scene | None, score: Score | None, brief: Brief, resources: Resources
    ) -> list[Picture]:
        """Return the target; where there is a render, with that at its right, and the sheet."""
        return await rendering.pictures(artifact, brief, resources)

    async def score(self, artifact: Scene, brief: Brief, resources: Resources) -> Score:
        """Return the distance of the render from the target."""
        settings = own(resources.settings)
        frame = rendering.frame_of(artifact, resources.pictures)
        work = partial(distance, brief, [frame], settings.metric, settings.enough)
        return await to_thread.run_sync(work, limiter=resources.limiter)

    def code(self, spec: Draft) -> str:
        """Return the script; line 1 of it is line 1 of its tracebacks."""
        return spec.code

    def with_code(self, spec: Draft, code: str) -> Draft:
        """Return the draft with another script. Raises `FormatError`."""
        return spec.model_copy(update={"code": parsing.checked(code)})

    def as_reply(self, spec: Draft) -> str:
        """Return a draft as a model writes it."""
        return parsing.as_reply(spec)

    def layout(self, artifact: Scene) -> Layout:
        """Return the things' footprints and heights, as the camera is turned."""
        from redraft.studios.scene.layout import layout_of

        return layout_of(artifact)


studio = SceneStudio()
