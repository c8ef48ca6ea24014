"""Kinds of studios: what the loop needs of some media only. A studio inherits from each kind that it is.

Drafts may be programs, aim at a target or start from a reference. Artifacts may have a layout, an outside judge, a last
step before the delivery, or a picture to be painted.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue

from redraft.brief import Brief
from redraft.models.conversation import Block
from redraft.result import Failure, Picture, Report, Score
from redraft.sandbox.program import Level
from redraft.studios.base import Resources, Studio
from redraft.studios.requests import StudioSettings

if TYPE_CHECKING:
    from redraft.layout.items import (  # shapely and OR-tools come with the studios that have a layout
        Layout,
        Move,
        Solution,
    )
    from redraft.layout.requirements import Kind as RequirementKind

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
SpecT = TypeVar("SpecT", bound=BaseModel)


class Guard(BaseModel):
    """The program that runs what a model writes, and the guard that keeps it from files and network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: str
    """Its name and version: `Blender 5.0.1`."""
    level: Level
    """`bubblewrap`, `landlock`, or `worker`: a process of its own that may do all that the user may."""


class ProgramStudio(Studio[SpecT, ArtifactT]):
    """A studio whose drafts are programs, so that a fix of one error may serve the next."""

    language: ClassVar[str]
    """Name of the language, for agents and the fix memory: `GLSL`."""
    failed: ClassVar[str] = ""
    """File in which a run without a result leaves its last program: `failed.py`; empty for none."""

    @abstractmethod
    def code(self, spec: SpecT) -> str:
        """Return the program of a draft, with the lines that error messages count."""

    @abstractmethod
    def with_code(self, spec: SpecT, code: str) -> SpecT:
        """Return the same draft with another program. Raises `FormatError` when it is not one."""

    @abstractmethod
    def as_reply(self, spec: SpecT) -> str:
        """Return a draft as a model writes it."""

    def guard(self, settings: StudioSettings) -> Guard | None:
        """Return the guard of the programs; None if they can reach nothing anyway.

        Raises:
            MissingPartError: a part of it is missing. ConfigError: a setting cannot be honored here.
        """
        return None


def code_of(studio: Studio[SpecT, Any], spec: SpecT) -> str:
    """Return the program of a draft; empty if drafts are not programs."""
    return studio.code(spec) if isinstance(studio, ProgramStudio) else ""


class TargetStudio(Studio[SpecT, ArtifactT]):
    """A studio that can work toward a target picture; `takes` has `target`."""

    cells: ClassVar[int] = 600
    """Mean colors of the target in one request at most."""

    @abstractmethod
    def metric(self, settings: StudioSettings) -> str:
        """Return the metric of the distance to a target, as the record names it: `FLIP`. One run has one metric."""

    @abstractmethod
    def about(self, brief: Brief, resources: Resources) -> dict[str, JsonValue]:
        """Return the record's facts about the target: `picture`, `width`, `height`, `notes`, `metric`."""

    @abstractmethod
    async def score(self, artifact: ArtifactT, brief: Brief, resources: Resources) -> Score:
        """Return the distance from the target, frame by frame.

        Raises:
            InfrastructureError: it could not be measured.
        """

    @abstractmethod
    async def shown(
        self, artifact: ArtifactT | None, score: Score | None, brief: Brief, resources: Resources
    ) -> list[Picture]:
        """Return the target for a model that sees, with the artifact's best frame beside it where there is one."""


class LayoutStudio(Studio[SpecT, ArtifactT]):
    """A studio whose artifacts are placed items. Drafts may state requirements where artifacts carry `requirements`."""

    states: ClassVar[tuple[RequirementKind, ...]] = ()
    """Kinds of requirements that drafts may state; all, where it is empty."""
    space: ClassVar[Literal["drawing", "scene"]] = "drawing"
    """Whether requirements are about a canvas, in shares of it, or about three dimensions, in meters."""

    @abstractmethod
    def layout(self, artifact: ArtifactT) -> Layout:
        """Return the artifact as placed items."""

    def solve(
        self, artifact: ArtifactT, base: ArtifactT | None, report: Report, brief: Brief, seed: int
    ) -> Solution | None:
        """Return moves that fix what only geometry is needed for, such as collisions; None where there are none."""
        return None

    def apply_moves(self, artifact: ArtifactT, moves: Sequence[Move]) -> ArtifactT:
        """Return the artifact after the moves of `solve`.

        Raises:
            ExecutionError: the medium cannot hold it.
        """
        return artifact


class ReferenceStudio(Studio[SpecT, ArtifactT]):
    """A studio that reads notes or a work of another author before the first draft; `takes` has `reference`."""

    @abstractmethod
    def discover(self, brief: Brief, reply: str, failure: Failure | None) -> Block:
        """Return the request for a `Discovery` of the brief's reference, or for a fix of a `reply` with a `failure`.

        Raises:
            BriefError: the reference cannot be read, is not text, or is too long.
        """


class AuditedStudio(Studio[SpecT, ArtifactT]):
    """A studio with a slow judge outside redraft, asked only about what the rules find valid."""

    auditor: ClassVar[str]
    """Name of the judge: `KiCad`."""

    @abstractmethod
    async def audit(self, artifact: ArtifactT, base: ArtifactT | None, resources: Resources) -> Report:
        """Return the findings of the `auditor`, new ones apart from those of the base.

        Raises:
            InfrastructureError: it was asked and did not answer.
        """

    def unaudited(self, resources: Resources) -> Report | None:
        """Return a note if the settings switch the `auditor` off; None if it runs."""
        return None


class FinishingStudio(Studio[SpecT, ArtifactT]):
    """A studio with a last step for the one artifact that is delivered, such as a large render."""

    @abstractmethod
    async def finish(self, artifact: ArtifactT, resources: Resources) -> ArtifactT:
        """Return the artifact after the last step.

        Raises:
            AttemptError: the step failed; the artifact is delivered as it is.
        """


@dataclass(frozen=True)
class Publication:
    """The list that a delivery is added to, and the facts about its run."""

    generations: Path
    """The CSV file; it need not exist."""
    folder: Path
    """The run's folder."""
    started: datetime
    """Time at which the run was first started."""
    hook: str = ""
    """The pitch of the chosen card; empty without one."""


class PaintingStudio(FinishingStudio[SpecT, ArtifactT]):
    """A studio whose delivery an image backend paints in `finish`; it is then listed beside those of other runs."""

    @abstractmethod
    def painted(self, artifact: ArtifactT) -> dict[str, JsonValue]:
        """Return the record of a painted picture: `backend`, `cost` (US dollars, None when unknown), `width`, …"""

    @abstractmethod
    def check_lists(self, generations: Path) -> None:
        """Check, before a model is asked, that `publish` can write its lists: `generations` and those beside it.

        Raises:
            HistoryError: a list is not redraft's, or cannot be written.
        """

    @abstractmethod
    def publish(self, artifact: ArtifactT, brief: Brief, resources: Resources, where: Publication) -> dict[str, Path]:
        """List a delivery beside those of other runs; may be called twice for one. Paths of the lists by role.

        Raises:
            HistoryError: a list is not redraft's, or cannot be written.
        """
