"""The image studio: concepts and a taste in; a final image prompt, a picture and their record out.

What is drafted, checked and repaired is the prompt. It is painted once, when it is delivered: a picture costs money.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import shorten
from typing import Any, cast

from pydantic import JsonValue

from redraft.brief import Brief
from redraft.errors import ImageBackendError
from redraft.files import write_atomic
from redraft.models.conversation import Block
from redraft.painting.base import ImageRequest
from redraft.record.journal import derive_seed
from redraft.result import Heuristics, Picture, Report
from redraft.studios.base import Resources
from redraft.studios.image import compose as composing
from redraft.studios.image import parse as parsing
from redraft.studios.image.backends.pictures import described
from redraft.studios.image.concepts import concepts
from redraft.studios.image.settings import ImageSettings, own
from redraft.studios.image.spec import ImagePrompt, Painting
from redraft.studios.kinds import PaintingStudio, Publication
from redraft.studios.requests import DraftRequest, Kind, StudioRequest, StudioSettings

FILE = "image.json"
STAGES = 2
"""Of a draft from concepts alone: the idea, and how it is seen."""


class ImageStudio(PaintingStudio[ImagePrompt, Painting]):
    """Prompts and their pictures. Holds no state."""

    name = "image"
    artifact_model = Painting
    settings_model = ImageSettings
    offline = "redraft.studios.image.offline.answers"
    medium = "a picture that an image model paints from one paragraph of prose"
    purpose = "Make a picture from concepts and a taste."
    example = "lighthouse, sailboat, moon"
    takes = frozenset({"concepts", "profile"})
    deliverables = (("png", "image"), ("prompt", "prompt"), ("generations", "list"), ("json", ""))
    judged = False
    views = ("image",)
    written = ("prompt", "text")
    contract = ""

    def brief(self, instruction: str, settings: StudioSettings, seed: int, **inputs: Any) -> Brief:
        """Return the brief for concepts, with commas between; with `on`, for a change of that run's picture.

        Raises:
            BriefError: nothing is given, or what does not go together; the file of concepts is unusable.
        """
        chosen, on = own(settings), inputs.get("on")
        named = inputs.pop("concepts", instruction if on is None else ())
        file = None if chosen.concepts_file is None else Path(chosen.concepts_file)
        change = instruction if on is not None else ""
        found = concepts(named, file, chosen.count, seed, on=on, change=change)
        return Brief.of(change, concepts=found, **inputs)

    def draft_calls(self, settings: StudioSettings, *, ideas: bool) -> int:
        """A stage or two, each with its circle of readers, and the final prompt."""
        return (1 if ideas else STAGES) * (2 if own(settings).refine else 1) + 1

    def compose(self, request: StudioRequest[Painting]) -> Block:
        """Return the conversation of a draft, or the one request of an edit, a repair or a fix."""
        if isinstance(request, DraftRequest) and request.kind == "draft":
            return composing.draft(request)
        return super().compose(request)

    def inputs(self, request: StudioRequest[Painting]) -> dict[str, JsonValue]:
        """The concepts, the taste, and the shape of the picture."""
        return composing.inputs(request)

    def parse(self, kind: Kind, text: str, base: Painting | None, *, strict: bool = False) -> ImagePrompt:
        """A reply as a prompt: it replaces the one before. Raises `FormatError`."""
        return parsing.parse(text)

    async def execute(self, spec: ImagePrompt, base: Painting | None, resources: Resources) -> Painting:
        """The prompt, not painted yet."""
        return Painting(prompt=spec.prompt)

    def check(
        self, artifact: Painting, base: Painting | None, brief: Brief, heuristics: Heuristics = "default"
    ) -> Report:
        """What was asked for, kept in the text."""
        from redraft.studios.image.check import check

        disliked = () if brief.profile is None else brief.profile.disliked
        return check(artifact.prompt, brief.concepts, disliked, heuristics)

    async def render(self, artifact: Painting, views: Sequence[str], resources: Resources) -> list[Picture]:
        """The picture, once it is painted; its one view is `image`. Raises `ValueError` for another."""
        if unknown := [view for view in views if view not in self.views]:
            raise ValueError(f"an image has no view {unknown[0]!r}; it has {', '.join(self.views)}")
        return [Picture(name="image.png", png=resources.pictures.get(artifact.picture))] if artifact.picture else []

    def approach(self, spec: ImagePrompt) -> str:
        """The prompt's first words."""
        return shorten(spec.prompt, 120, placeholder=" …")

    def summary(self, artifact: Painting) -> str:
        """`a prompt of 84 words`."""
        return f"a prompt of {len(artifact.prompt.split())} words"

    async def finish(self, artifact: Painting, resources: Resources) -> Painting:
        """The prompt with its picture, painted by the resources's backend; one that has its picture keeps it.

        Raises:
            ImageBackendError: as the backend does.
        """
        if artifact.picture:
            return artifact
        assert resources.backend is not None, "the composition root opens the backend of a studio that paints"
        seed = derive_seed(resources.seed, "image")
        request = ImageRequest(prompt=artifact.prompt, seed=seed, width=resources.size[0], height=resources.size[1])
        reply = await resources.backend.paint(request, resources.tell)
        fields = {"prompt": artifact.prompt, "seed": str(seed), "run": resources.run, "backend": reply.backend}
        try:
            png = described(reply.png, {f"redraft:{name}": value for name, value in fields.items()})
        except ValueError as error:
            raise ImageBackendError(f"{reply.backend} did not send a valid picture: {error}") from error
        width, height = int.from_bytes(png[16:20]), int.from_bytes(png[20:24])
        return artifact.model_copy(
            update={
                "picture": resources.pictures.put(png),
                "width": width,
                "height": height,
                "backend": reply.backend,
                "cost": reply.cost,
                "params": {**reply.params, "seed": seed},
            }
        )

    def stand_ins(self, artifact: Painting, brief: Brief) -> tuple[str, ...]:
        """The things of the brief that the embedded backend has no more than a placeholder for."""
        asked = set(" ".join((*brief.concepts, brief.instruction)).lower().split())
        named = cast("Sequence[str]", artifact.params.get("stand_ins", ()))
        return tuple(thing for thing in named if asked & set(thing.lower().split()))

    def painted(self, artifact: Painting) -> dict[str, JsonValue]:
        """Who painted the picture, how large it is, and what it cost."""
        return artifact.model_dump(mode="json", include={"backend", "cost", "width", "height", "params"})

    def deliver(self, artifact: Painting, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write `prompt.txt`, `image.json`, and `image.png` once it is painted, each whole or not at all.

        Raises:
            RunError: a file cannot be written.
        """
        contents: dict[str, tuple[str, str | bytes]] = {
            "prompt": ("prompt.txt", artifact.prompt + "\n"),
            "json": (FILE, artifact.model_dump_json(indent=1) + "\n"),
        }
        if artifact.picture:
            contents["png"] = ("image.png", resources.pictures.get(artifact.picture))
        return {role: write_atomic(folder / name, content) for role, (name, content) in contents.items()}

    def check_lists(self, generations: Path) -> None:
        """Check the generations CSV and the titles manifest before a model is asked. Raises `HistoryError`."""
        from redraft.studios.image.publish import check_lists

        check_lists(generations)

    def publish(self, artifact: Painting, brief: Brief, resources: Resources, where: Publication) -> dict[str, Path]:
        """List the picture in the generations CSV and the titles manifest. Raises `HistoryError`."""
        from redraft.studios.image.publish import publish

        return publish(artifact, brief, resources, where)


studio = ImageStudio()
