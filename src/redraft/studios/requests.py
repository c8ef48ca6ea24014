"""The requests that a studio puts into words, typed by kind, and the replies that have a schema of their own."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, field_validator

from redraft.brief import Brief
from redraft.ideas.cards import IdeaCard
from redraft.result import Difference, Failure, Mismatch, Picture, Report, Score, Verdict

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
Kind = Literal["draft", "edit", "fix", "repair", "critique"]
"""The requests a studio composes. Draft, edit and repair are attempts; a fix is a fast retry of one of them."""


class StudioSettings(BaseModel):
    """Base of a studio's section of the configuration. Unknown keys are errors.

    Each field is a flag of the studio's command and a keyword of its Python function too; its docstring is the help.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)


@dataclass(frozen=True, kw_only=True, eq=False)
class StudioRequest(Generic[ArtifactT]):
    """The facts that every request may be made from. No two requests are equal: each is made once."""

    kind: ClassVar[Kind]
    brief: Brief
    settings: StudioSettings = field(default_factory=StudioSettings)
    sees: bool = False
    """True if the model takes pictures."""
    size: tuple[int, int] = (1024, 1024)
    """Width and height of what an image backend is to paint."""
    pictures: tuple[Picture, ...] = ()
    current: ArtifactT | None = None
    """The artifact to edit, repair or look at; None for a draft."""
    looks: tuple[str, ...] = ()
    """The views that the model asked for in this attempt or critique, by name; on boards one text for each look."""
    looks_left: int = 0
    """Number of looks that it may still ask for in this attempt."""
    strict: bool = False
    """The specification's severities are in force, and repairs keep the plan."""
    requirements: tuple[JsonValue, ...] = ()
    """The requirements that `current` carries, as they were stated."""

    @property
    def original(self) -> StudioRequest[ArtifactT]:
        """The request itself; of a fix, the one whose reply failed."""
        return self


@dataclass(frozen=True, kw_only=True, eq=False)
class DraftRequest(StudioRequest[ArtifactT]):
    """Something new."""

    kind: ClassVar[Kind] = "draft"

    idea: IdeaCard | None = None
    """The card that was chosen before the first draft; None without ideas."""
    history: str = ""
    """`format_iteration_history` of the turns so far; empty in the first."""
    discovery: str = ""
    """The model's findings in the reference; empty without one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class EditRequest(DraftRequest[ArtifactT]):
    """A change of `current`: what the brief asks for, what a critic missed, or what is not near enough."""

    kind: ClassVar[Kind] = "edit"

    report: Report | None = None
    verdict: Verdict | None = None
    score: Score | None = None
    """Distance of `current` from the target, if there is one."""


@dataclass(frozen=True, kw_only=True, eq=False)
class RepairRequest(StudioRequest[ArtifactT]):
    """A correction of what the report says of `current`."""

    kind: ClassVar[Kind] = "repair"

    report: Report


@dataclass(frozen=True, kw_only=True, eq=False)
class CritiqueRequest(StudioRequest[ArtifactT]):
    """A look at `current`, alone or beside another candidate."""

    kind: ClassVar[Kind] = "critique"

    report: Report
    score: Score | None = None
    letter: Literal["", "A", "B"] = ""
    """The letter of `current` among the two."""
    compares: bool = False
    """Two candidates are shown, A and B in this order of pictures, and one is to be preferred."""
    last: bool = False
    """No further turn follows."""
    may_look: bool = False
    """True if the critic may still ask to look closer."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FixRequest(StudioRequest[ArtifactT]):
    """A fast retry: the reply to `of` could not be read or did not run."""

    kind: ClassVar[Kind] = "fix"

    of: StudioRequest[ArtifactT]
    reply: str
    """The reply that failed, whole (bounded by the parser's limit)."""
    failure: Failure
    examples: str = ""
    """Past fixes of similar errors, from the fix memory."""
    changed: tuple[str, ...] = ()
    """Known fixes that were made in `reply` already, a line each."""

    @property
    def original(self) -> StudioRequest[ArtifactT]:
        return self.of


def fix_of(
    request: StudioRequest[ArtifactT],
    reply: str,
    failure: Failure,
    *,
    examples: str = "",
    changed: tuple[str, ...] = (),
) -> FixRequest[ArtifactT]:
    """Return the fast retry of a request whose reply failed."""
    shared: dict[str, Any] = {each.name: getattr(request, each.name) for each in fields(StudioRequest)}
    return FixRequest(**shared, of=request, reply=reply, failure=failure, examples=examples, changed=changed)


def critique_of(request: StudioRequest[ArtifactT]) -> CritiqueRequest[ArtifactT] | None:
    """Return the critique that a request is, or whose reply it fixes; None for any other."""
    return request.original if isinstance(request.original, CritiqueRequest) else None


class DraftReply(BaseModel):
    """What a model answers to a draft, edit or repair: base of a studio's own, for drafts that state requirements."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    approach: str = ""
    """What it tries, in one line."""
    requirements: tuple[JsonValue, ...] = ()
    """Statements as they were made; what is wrong with one is said when it is measured."""
    mismatches: tuple[Mismatch, ...] = ()
    """Of a repair: the requirements that it withdraws; answers that cannot be read are dropped."""

    @field_validator("mismatches", mode="before")
    @classmethod
    def _readable(cls, raw: object) -> object:
        from redraft.layout.requirements import mismatches_in

        return mismatches_in(raw)

    def stated(self, base: BaseModel | None) -> tuple[JsonValue, ...]:
        """Return the requirements of what this reply makes of `base`: those of `base`, with what is stated here."""
        from redraft.layout.requirements import merged

        return merged(getattr(base, "requirements", ()), self.requirements, self.mismatches)


class CritiqueReply(BaseModel):
    """What a critic must answer, exactly: the schema of every critique request."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    satisfied: bool
    """True when the picture shows what the brief asks for and nothing must change."""
    score: int = Field(ge=0, le=10)
    """10: exactly right. 0: something else entirely."""
    summary: str = Field(max_length=400)
    """One sentence."""
    differences: tuple[Difference, ...] = Field(default=(), max_length=12)
    """Differences from the brief, the worst first."""
    mismatches: tuple[Mismatch, ...] = Field(default=(), max_length=200)
    """An answer to each requirement that does not hold."""


class ComparisonReply(CritiqueReply):
    """The same, where two candidates are shown; all of it but `better` is about the preferred one."""

    better: Literal["A", "B", "same"]
    """Which one shows the brief better; `same` when neither clearly does."""


class SurveyReply(CritiqueReply):
    """What a critic answers who may still look closer: the same, and what it wants to see first."""

    look: tuple[str, ...] = Field(default=(), max_length=4)
    """Views to be shown before it judges; empty when it judges now."""


class SurveyComparisonReply(ComparisonReply, SurveyReply):
    """Both: two candidates, and views that may be asked for."""


def critique_schema(request: CritiqueRequest[Any]) -> type[CritiqueReply]:
    """Return the schema of the reply to a critique request."""
    if request.compares:
        return SurveyComparisonReply if request.may_look else ComparisonReply
    return SurveyReply if request.may_look else CritiqueReply


class Discovery(BaseModel):
    """What a model must answer about a reference, exactly: what of it serves the request, and what is missing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    reuse: tuple[str, ...] = Field(max_length=12)
    """What the reference does that is wanted as it is."""
    change: tuple[str, ...] = Field(max_length=12)
    """What it does otherwise than is wanted."""
    bridge: tuple[str, ...] = Field(max_length=12)
    """What is wanted and the reference does not have, with how to get there."""
