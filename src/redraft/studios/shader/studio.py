"""The shader studio: a sentence, a target picture, or both in; GLSL, frames and an animation out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from anyio import to_thread
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.files import PictureFolder, write_atomic
from redraft.models.conversation import Block
from redraft.result import Failure, Heuristics, Picture, Report, Score
from redraft.studios.base import Resources
from redraft.studios.kinds import ProgramStudio, ReferenceStudio, TargetStudio
from redraft.studios.requests import Kind, StudioRequest, StudioSettings
from redraft.studios.shader import execute as execution
from redraft.studios.shader import inputs as wording
from redraft.studios.shader import parse as parsing
from redraft.studios.shader import render as rendering
from redraft.studios.shader.check import check
from redraft.studios.shader.contract import for_shadertoy
from redraft.studios.shader.gl import SEEDS, require_gl
from redraft.studios.shader.settings import ShaderSettings, own
from redraft.studios.shader.spec import FILE, Draft, Shader
from redraft.studios.target import about_target, distance, target_of, target_picture

FRAMES = "frames"
"""Folder of the delivered frames."""


class ShaderStudio(ProgramStudio[Draft, Shader], TargetStudio[Draft, Shader], ReferenceStudio[Draft, Shader]):
    """Fragment shaders. Holds no state."""

    name = "shader"
    medium = "a picture that a fragment shader computes, which may move"
    artifact_model = Shader
    settings_model = ShaderSettings
    offline = "redraft.studios.shader.offline.answers"
    purpose = "Write a shader for a sentence, or toward a picture."
    example = "slow aurora over a dark lake"
    trial: ClassVar[Mapping[str, JsonValue]] = {"frames": 1, "width": 64, "height": 64}
    takes = frozenset({"target", "reference"})
    deliverables = (
        ("glsl", "shader"),
        ("preview", "preview"),
        ("gif", "GIF"),
        ("frames", "frames"),
        ("shadertoy", ""),
        ("png", ""),
        ("json", ""),
    )
    language = "GLSL"
    failed = "failed.glsl"
    views = ("frames", "critic")
    written = ("code", "program")
    contract = "_contract"
    adjustable = ("frames", "seconds", "loop", "width", "height")

    def prepare(self, settings: StudioSettings, brief: Brief) -> ShaderSettings:
        """The settings with what follows from the brief: size and frames, of a target or of the run that is continued.

        Raises:
            MissingPartError: OpenGL or a package of the metric is missing.
            BriefError: target or reference cannot be used.
            RunNotFoundError, RunFormatError: the run to continue is missing, or damaged.
        """
        from redraft.metrics.base import ENOUGH, open_metric
        from redraft.metrics.target import fitting_size

        chosen = own(settings)
        require_gl()
        wording.reference_of(brief)
        width, height, frames, enough = 512, 512, 12, chosen.enough
        if (base := self.open(brief)) is not None:
            width, height, frames = base.width, base.height, len(base.frames)
        if brief.target is not None:
            open_metric(chosen.metric)
            width, height = fitting_size(target_of(brief))
            frames, enough = 1, ENOUGH[chosen.metric] if enough is None else enough
        return chosen.model_copy(
            update={
                "width": chosen.width or width,
                "height": chosen.height or height,
                "frames": chosen.frames or frames,
                "enough": enough,
            }
        )

    def inputs(self, request: StudioRequest[Shader]) -> dict[str, JsonValue]:
        """Size, times and captions of the frames; of an error the lines that it names."""
        return wording.inputs(request)

    def pictures(self, request: StudioRequest[Shader]) -> tuple[Picture, ...]:
        """The pictures of the request; of two versions that are compared, those that show the difference best."""
        return wording.pictures(request)

    def discover(self, brief: Brief, reply: str, failure: Failure | None) -> Block:
        """Return the request for what to reuse of the reference, to change and to bridge. Raises `BriefError`."""
        return wording.discover(brief, reply, failure)

    def parse(self, kind: Kind, text: str, base: Shader | None, *, strict: bool = False) -> Draft:
        """A reply as a shader: whole, or as edits of the one before. Raises `FormatError`."""
        return parsing.parse(text, None if base is None else base.code)

    async def execute(self, spec: Draft, base: Shader | None, resources: Resources) -> Shader:
        """Compile and render. Raises `ExecutionError` or `InfrastructureError`."""
        return await execution.execute(spec, base, resources)

    def check(self, artifact: Shader, base: Shader | None, brief: Brief, heuristics: Heuristics = "default") -> Report:
        """The rules' report."""
        return check(artifact, brief, heuristics)

    async def render(self, artifact: Shader, views: Sequence[str], resources: Resources) -> list[Picture]:
        """`critic`, the standard view: whole frames, changes and the end of a loop; `frames`: all on one sheet.

        Raises:
            ValueError: another view.
        """
        if unknown := [view for view in views if view not in self.views]:
            raise ValueError(f"a shader has no view {unknown[0]!r}; it has {', '.join(self.views)}")
        pictures: list[Picture] = []
        for view in views or ("critic",):
            draw = rendering.looked_at if view == "critic" else rendering.on_one_sheet
            pictures += await to_thread.run_sync(partial(draw, artifact, resources.pictures), limiter=resources.limiter)
        return pictures

    def illustrate(self, artifact: Shader, report: Report, resources: Resources) -> dict[str, tuple[str, bytes]]:
        """The sheet of frames, for the record."""
        return {"plain": (".png", rendering.sheet(artifact, resources.pictures))}

    def summary(self, artifact: Shader) -> str:
        """`48 lines, 12 frames`."""
        lines, frames = len(artifact.code.splitlines()), len(artifact.frames)
        return f"{lines} line{'' if lines == 1 else 's'}, {frames} frame{'' if frames == 1 else 's'}"

    def facts(self, artifact: Shader) -> list[str]:
        """Size and speed, the seam of a loop, and each frame's range and mean color."""
        speed = "" if artifact.milliseconds is None else f", {artifact.milliseconds:.1f} ms a frame on this machine"
        seam = [] if artifact.seam is None else [f"end of the loop differs from its start by {artifact.seam:.4f}"]
        frames = [
            f"t={f.time:.2f} s: values {f.low:.2f} to {f.high:.2f}, mean {f.colour}, spread {f.spread:.2f}"
            + (f", {f.broken:.1%} not finite" if f.broken else "")
            for f in artifact.frames
        ]
        return [f"{artifact.width} × {artifact.height}, {artifact.compiler}{speed}", *seam, *frames]

    def deliver(self, artifact: Shader, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write `shader.glsl`, `shadertoy.glsl`, `shader.json`, `frame.png`; and of several frames `frames/`, the
        animation `preview.webp` and the smaller `animation.gif`.

        `frames` is the folder; its files are numbered from 0. Each file is written whole or not at all.

        Raises:
            RunError: a file cannot be written, or a frame is gone.
        """
        contents: dict[str, tuple[str, str | bytes]] = {
            "glsl": ("shader.glsl", artifact.code.rstrip("\n") + "\n"),
            "shadertoy": ("shadertoy.glsl", for_shadertoy(artifact.code, resources.seed % SEEDS)),
            "json": (FILE, artifact.model_dump_json(indent=1, exclude={"milliseconds"}) + "\n"),
            "png": ("frame.png", resources.pictures.get(artifact.frames[0].picture)),
        }
        if len(artifact.frames) > 1:
            preview, gif = rendering.moving(artifact, resources.pictures)
            contents |= {"preview": ("preview.webp", preview), "gif": ("animation.gif", gif)}
        files = {role: write_atomic(folder / name, content) for role, (name, content) in contents.items()}
        return files | _frames(artifact, folder, resources.pictures)

    def metric(self, settings: StudioSettings) -> str:
        """`FLIP`, `SSIM` or `LPIPS`."""
        return own(settings).metric.upper()

    def about(self, brief: Brief, resources: Resources) -> dict[str, JsonValue]:
        """What the record says of the target."""
        return about_target(brief, resources.pictures, own(resources.settings).metric)

    async def shown(
        self, artifact: Shader | None, score: Score | None, brief: Brief, resources: Resources
    ) -> list[Picture]:
        """The target; with the best frame at its right, where there is one."""
        if artifact is None:
            return [Picture(name="target.png", png=target_picture(brief))]
        work = partial(rendering.beside_target, artifact, score, brief, resources.pictures)
        return [Picture(name="beside-target.png", png=await to_thread.run_sync(work, limiter=resources.limiter))]

    async def score(self, artifact: Shader, brief: Brief, resources: Resources) -> Score:
        """The distance of each frame from the target."""
        work = partial(_score, artifact, brief, resources.pictures, own(resources.settings))
        return await to_thread.run_sync(work, limiter=resources.limiter)

    def code(self, spec: Draft) -> str:
        """The shader; line 1 of it is line 1 of its compiler's messages."""
        return spec.code

    def with_code(self, spec: Draft, code: str) -> Draft:
        """The same draft with another shader. Raises `FormatError`."""
        return spec.model_copy(update={"code": parsing.checked(code)})

    def as_reply(self, spec: Draft) -> str:
        """A draft as a model writes it."""
        return parsing.as_reply(spec)


def _frames(artifact: Shader, folder: Path, pictures: PictureFolder) -> dict[str, Path]:
    if len(artifact.frames) < 2:
        return {}
    for number, frame in enumerate(artifact.frames):
        write_atomic(folder / FRAMES / f"frame-{number:03}.png", pictures.get(frame.picture))
    return {"frames": folder / FRAMES}


def _score(artifact: Shader, brief: Brief, pictures: PictureFolder, settings: ShaderSettings) -> Score:
    return distance(brief, rendering.frames_of(artifact, pictures), settings.metric, settings.enough)


studio = ShaderStudio()
