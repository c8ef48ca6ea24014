"""What a studio is: the seam between the loop and a medium.

A studio turns facts into requests, replies into drafts, drafts into artefacts, and artefacts into reports and
pictures. It never calls a model, keeps no state between calls, and does not know the loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Protocol, TypeVar, runtime_checkable

import anyio
from pydantic import BaseModel, ConfigDict, Field, JsonValue

from redraft.brief import Brief
from redraft.conversation import Block
from redraft.imaging.base import ImageBackend, Tell, nobody
from redraft.result import Difference, Failure, Heuristics, Issue, Picture, Report, Ruling, Score, Verdict
from redraft.sandbox import Level, Sandbox
from redraft.scoring.cards import IdeaCard
from redraft.shelf import Shelf
from redraft.spatial.layout import Layout, Move

if TYPE_CHECKING:
    from redraft.spatial.solver.legalize import Solution  # OR-tools comes with the studios that have a layout

__all__ = [
    "UNASKED",
    "Amending",
    "Artifact",
    "Audited",
    "Bench",
    "ComparisonReply",
    "Conversing",
    "CritiqueReply",
    "Dialect",
    "Discovering",
    "Discovery",
    "Facts",
    "Finishing",
    "Guard",
    "Guarded",
    "Illustrated",
    "Imagined",
    "Inspectable",
    "Kind",
    "Marking",
    "Painting",
    "Prepared",
    "Preparing",
    "Publication",
    "Publishing",
    "Redrafting",
    "Scored",
    "Spatial",
    "Stating",
    "Studio",
    "StudioSettings",
    "SurveyComparisonReply",
    "SurveyReply",
    "Surveyed",
    "Unjudged",
    "Warming",
    "critique_schema",
]

Kind = Literal["draft", "edit", "fix", "repair", "critique"]
"""The requests a studio composes. Draft, edit and repair are attempts; a fix is a fast retry of one of them."""


@runtime_checkable
class Artifact(Protocol):
    """What executing a draft made. Artefacts are pydantic models, so that the journal can keep them."""

    @property
    def source(self) -> str:
        """The bounded text that a model should see again, whole."""
        ...


UNASKED = 0.05
"""Share of the frame that a move may cover which nobody was asked about."""

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
SpecT = TypeVar("SpecT", bound=BaseModel)
ShownT_contra = TypeVar("ShownT_contra", bound=BaseModel, contravariant=True)


class StudioSettings(BaseModel):
    """Base of a studio's own section of the configuration. Unknown keys are refused."""

    model_config = {"frozen": True, "extra": "forbid", "strict": True}


@dataclass(frozen=True)
class Facts(Generic[ArtifactT]):
    """Everything the prose of a request may be made from. Only what its kind needs is filled."""

    brief: Brief
    settings: StudioSettings = field(default_factory=StudioSettings)
    base: ArtifactT | None = None
    """What the run started on (`--on`), None for a blank canvas."""
    current: ArtifactT | None = None
    """The artefact to edit, repair or look at."""
    report: Report | None = None
    verdict: Verdict | None = None
    idea: IdeaCard | None = None
    """For a draft or an edit: the card that was chosen before the first draft; None where no ideas were asked for."""
    history: str = ""
    """`format_iteration_history` of the turns so far; empty in the first."""
    moved: str = ""
    """For an edit or repair: what the solver changed in `current` since the model last wrote it, and why."""
    pictures: tuple[Picture, ...] = ()
    requirements: tuple[JsonValue, ...] = ()
    """For a repair, edit or critique: the statements that `current` carries, as they were stated."""
    letter: Literal["", "A", "B"] = ""
    """For a critique that compares: which of the two `current` is."""
    compares: bool = False
    """For a critique: two candidates are shown, A and B in this order of pictures, and one is to be preferred."""
    last: bool = False
    """For a critique: no further turn follows."""
    strict: bool = False
    """Rules of thumb judge as the specification says, and repairs keep the plan."""
    looks: tuple[str, ...] = ()
    """What the model asked to look at more closely in this attempt or critique, by name."""
    may_look: bool = False
    """For a critique: whether it may still ask to look closer."""
    discovery: str = ""
    """What the model found in the reference, as `stages/discover.py` puts it; empty without one."""
    score: Score | None = None
    """How far `current` is from the target, where there is one."""
    sees: bool = False
    """Whether the model that is asked takes pictures."""
    offline: bool = False
    """Whether the rule-based model is asked, which takes what the grammar reads from the brief."""
    size: tuple[int, int] = (1024, 1024)
    """Width and height of what an image backend is to paint."""
    of: Kind = "draft"
    """For a fix: the kind of attempt that failed."""
    reply: str = ""
    """For a fix: the reply that failed, whole (bounded by the parser's limit)."""
    failure: Failure | None = None
    examples: str = ""
    """For a fix: past fixes of similar errors, from the fix memory."""


@dataclass(frozen=True)
class Bench:
    """What executing and rendering may use: a scratch folder, a seed, the limiter for CPU-heavy work, the run's
    pictures, the sandbox for what a model wrote, and the studio's settings."""

    scratch: Path
    seed: int
    limiter: anyio.CapacityLimiter
    shelf: Shelf
    sandbox: Sandbox
    settings: StudioSettings
    backend: ImageBackend | None = None
    """What paints a prompt, for a studio that is `Painting`."""
    size: tuple[int, int] = (1024, 1024)
    """Pixels of what it paints: width, height."""
    tell: Tell = nobody
    """Told in one line what takes long."""
    run: str = ""
    """The run's name in its record."""


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
    rulings: tuple[Ruling, ...] = Field(default=(), max_length=40)
    """An answer to each numbered question."""


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


def critique_schema(facts: Facts[Any]) -> type[CritiqueReply]:
    """The schema of the critique that these facts are for."""
    if facts.compares:
        return SurveyComparisonReply if facts.may_look else ComparisonReply
    return SurveyReply if facts.may_look else CritiqueReply


class Discovery(BaseModel):
    """What a model must answer about a reference, exactly: what of it serves the request, and what is missing."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, use_attribute_docstrings=True)

    reuse: tuple[str, ...] = Field(max_length=12)
    """What the reference does that is wanted as it is."""
    change: tuple[str, ...] = Field(max_length=12)
    """What it does otherwise than is wanted."""
    bridge: tuple[str, ...] = Field(max_length=12)
    """What is wanted and the reference does not have, with how to get there."""


class Guard(BaseModel):
    """What runs the programs that a model writes, and what keeps them from files and network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    program: str
    """With its version: `Blender 5.0.1`."""
    level: Level
    """`bubblewrap`, `landlock`, or `worker`: a process of its own, with all that the user may do."""


class Studio(Protocol[SpecT, ArtifactT]):
    """One medium."""

    name: str
    artifact_model: type[ArtifactT]
    settings_model: type[StudioSettings]
    offline: str
    """The module whose `ANSWERS` hold what the offline model says, by request kind (`sketch.draft`); empty for none."""

    def open(self, brief: Brief) -> ArtifactT | None:
        """The base: the artefact of the run that `brief.on` names, or None."""
        ...

    def compose(self, kind: Kind, facts: Facts[ArtifactT]) -> Block:
        """The request for one attempt, fix or critique."""
        ...

    def parse(self, kind: Kind, text: str, base: ArtifactT | None, *, strict: bool = False) -> SpecT:
        """A reply as a draft. `base` is what an edit patches and a repair corrects; a `strict` repair keeps the plan.

        Raises:
            FormatError: E2, naming the place in the reply, what was found and what is allowed.
        """
        ...

    async def execute(self, spec: SpecT, base: ArtifactT | None, bench: Bench) -> ArtifactT:
        """Run a draft.

        Raises:
            ExecutionError: E1. InfrastructureError: E0.
        """
        ...

    def check(
        self, artifact: ArtifactT, base: ArtifactT | None, brief: Brief, heuristics: Heuristics = "ask"
    ) -> Report:
        """The deterministic report: requirements measured, defects, and what rules of thumb ask or say.

        Broken requirements and, where these ask, rules of thumb are open questions; what becomes of them is the loop's.
        """
        ...

    async def render(self, artifact: ArtifactT, views: Sequence[str], bench: Bench) -> list[Picture]:
        """Pictures of the artefact; `views` are the studio's names for them, empty for the standard one."""
        ...

    def approach(self, spec: SpecT) -> str:
        """The one line in which the reply says what it tried."""
        ...

    def summary(self, artifact: ArtifactT) -> str:
        """What an artefact is made of, in a few words: `6 strokes`."""
        ...

    def deliver(self, artifact: ArtifactT, folder: Path, bench: Bench) -> dict[str, Path]:
        """Write the final files, atomically. Paths by role: `svg`, `png`, `json` …"""
        ...


@runtime_checkable
class Prepared(Protocol):
    """A studio that looks, before any model is asked, whether a run can be carried out here."""

    def prepare(self, settings: StudioSettings, brief: Brief) -> StudioSettings:
        """The settings in force for a brief: what is left open in them may follow from it.

        Raises:
            MissingPartError: a part of the system is missing. BriefError: a file that the brief names is no use.
            ConfigError: a setting cannot be honoured here.
        """
        ...


@runtime_checkable
class Guarded(Protocol):
    """A studio that runs programs which a model wrote: the record says what they were kept from."""

    def guard(self, settings: StudioSettings) -> Guard:
        """What is in force here.

        Raises:
            MissingPartError: a part of it is missing. ConfigError: a setting cannot be honoured here.
        """
        ...


@runtime_checkable
class Warming(Protocol):
    """A studio whose workers take long to start: they do so while the first request is answered."""

    def warm(self, bench: Bench) -> None:
        """Start them, and come back at once."""
        ...


@runtime_checkable
class Spatial(Protocol[ShownT_contra]):
    """A studio whose artefacts have a layout that the solver may change."""

    def layout(self, artifact: ShownT_contra) -> Layout: ...

    def mend(
        self, artifact: ShownT_contra, base: ShownT_contra | None, report: Report, brief: Brief, seed: int
    ) -> Solution:
        """Moves that may be made unasked; none, when there are none.

        They put right upheld requirements and defects and make requirements exact that are met inexactly, each by less
        than `UNASKED` of the frame, and nothing else grows worse. Of a strict report: whatever geometry can put right.
        """
        ...


@runtime_checkable
class Preparing(Protocol[ShownT_contra]):
    """A spatial studio that prepares a fix for one issue, for somebody else to accept."""

    def prepare_fix(
        self, artifact: ShownT_contra, base: ShownT_contra | None, report: Report, brief: Brief, seed: int, issue: Issue
    ) -> Solution:
        """Moves that put right one issue of the report and make no other appear or grow; none, when there are none."""
        ...


@runtime_checkable
class Stating(Protocol[ArtifactT]):
    """A studio whose artifacts carry `requirements`, stated by whoever drew them."""

    def restated(self, artifact: ArtifactT, requirements: Sequence[JsonValue]) -> ArtifactT:
        """The artifact with these statements in place of its own."""
        ...


@runtime_checkable
class Marking(Protocol[ShownT_contra]):
    """A studio that shows the open issues of an artifact to a model that sees."""

    async def marked(
        self,
        artifact: ShownT_contra,
        issues: Sequence[Issue],
        after: Mapping[str, ShownT_contra],
        bench: Bench,
    ) -> list[Picture]:
        """Pictures with the issues marked by their ids, then for each id in `after` how its prepared fix would look."""
        ...


@runtime_checkable
class Amending(Protocol[ArtifactT]):
    """A spatial studio that writes moves into the artefact itself."""

    def amend(self, artifact: ArtifactT, moves: Sequence[Move]) -> ArtifactT:
        """The artefact after the moves, written back exactly."""
        ...


@runtime_checkable
class Redrafting(Protocol[ShownT_contra]):
    """A spatial studio whose artefacts come from running a program: moves go into the program, which is run again."""

    def redraft(self, artifact: ShownT_contra, moves: Sequence[Move]) -> Any:
        """The draft that makes the artefact as it is after the moves."""
        ...


@runtime_checkable
class Finishing(Protocol[ArtifactT]):
    """A studio that makes more of the one artefact that is delivered than of those that are only looked at."""

    async def finish(self, artifact: ArtifactT, bench: Bench) -> ArtifactT:
        """The artefact with what only a delivery needs.

        Raises:
            AttemptError: it could not be made; what there is, is delivered.
        """
        ...


@runtime_checkable
class Imagined(Protocol):
    """A studio that says what is made, for whoever has ideas for it."""

    medium: str
    """In words: `a vector drawing of flat shapes`."""


@runtime_checkable
class Conversing(Protocol):
    """A studio whose draft is a conversation of several calls."""

    def draft_calls(self, settings: StudioSettings, *, ideas: bool) -> int:
        """How many; `ideas` when a card was chosen before."""
        ...


@runtime_checkable
class Unjudged(Protocol):
    """A studio whose artefacts no critic looks at."""

    unjudged: Literal[True]


@runtime_checkable
class Painting(Protocol):
    """A studio that has its delivery painted by an image backend, which the bench then holds."""

    def painted(self, artifact: Any) -> dict[str, JsonValue]:
        """For the record: `backend`, `cost` (US dollars, None when unknown), `width`, `height`, `params`."""
        ...


@dataclass(frozen=True)
class Publication:
    """Where a delivery is listed beside those of other runs."""

    generations: Path
    """The CSV; it need not exist."""
    folder: Path
    """Of the run."""
    started: datetime
    """When the run was first begun."""
    hook: str = ""
    """The pitch of the chosen card; empty without one."""


@runtime_checkable
class Publishing(Protocol[ShownT_contra]):
    """A studio whose deliveries are listed beside those of other runs. May be asked twice for one delivery."""

    def publish(self, artifact: ShownT_contra, brief: Brief, bench: Bench, where: Publication) -> dict[str, Path]:
        """List it. Paths of the lists by role.

        Raises:
            HistoryError: a list is not ours, or cannot be written.
        """
        ...


@runtime_checkable
class Surveyed(Protocol):
    """A studio whose critic may look closer before it judges; each look is one more request."""

    def refuse_looks(self, looks: Sequence[str]) -> None:
        """Raises `FormatError` when a critic asks for what is no view."""
        ...


@runtime_checkable
class Illustrated(Protocol[ShownT_contra]):
    """A studio that can show an artefact, and its issues on it, cheaply enough to do so at every validation."""

    def illustrate(self, artifact: ShownT_contra, report: Report, bench: Bench) -> dict[str, tuple[str, bytes]]:
        """Files by role (`plain`, `issues`), each a suffix with its dot and the content."""
        ...


@runtime_checkable
class Inspectable(Protocol):
    """A studio whose model may ask to look closer before it acts; each look is one more request of the attempt."""

    def wanted(self, spec: Any) -> tuple[str, ...]:
        """What a reply asks to see instead of acting; empty when it acts."""
        ...


@runtime_checkable
class Audited(Protocol[ShownT_contra]):
    """A studio with a slow judge of its own outside redraft, asked only about what the rules find valid."""

    auditor: str
    """Who that is, in words: `KiCad`."""

    async def audit(self, artifact: ShownT_contra, base: ShownT_contra | None, bench: Bench) -> Report:
        """What that judge finds, told apart into what is new and what the base already had.

        Raises:
            InfrastructureError: it was asked and did not answer.
        """
        ...


@runtime_checkable
class Scored(Protocol[ShownT_contra]):
    """A studio that can measure how far an artefact is from the target that a brief names."""

    def metric(self, settings: StudioSettings) -> str:
        """The metric in words for the request record: `FLIP`. One run has one metric."""
        ...

    def about(self, brief: Brief, bench: Bench) -> dict[str, JsonValue]:
        """What the record says of the target: `picture` (kept on the shelf), `width`, `height`, `notes`, `metric`."""
        ...

    async def shown(
        self, artifact: ShownT_contra | None, score: Score | None, brief: Brief, bench: Bench
    ) -> list[Picture]:
        """What a model that sees is shown: the target, and beside it the artefact's best frame where there is one."""
        ...

    async def score(self, artifact: ShownT_contra, brief: Brief, bench: Bench) -> Score:
        """The distance, frame by frame. Asked only when the brief has a target.

        Raises:
            InfrastructureError: it could not be measured.
        """
        ...


@runtime_checkable
class Dialect(Protocol):
    """A studio whose drafts are programs, so that a fix of one error may serve the next."""

    def code(self, spec: Any) -> str:
        """The program, with the lines that error messages count."""
        ...

    def with_code(self, spec: Any, code: str) -> Any:
        """The same draft with another program. Raises `FormatError` when it is none."""
        ...

    def as_reply(self, spec: Any) -> str:
        """A draft as a model writes it."""
        ...


@runtime_checkable
class Discovering(Protocol):
    """A studio that takes a reference, and has the model sort what it has to give before anything is drafted."""

    def discover(self, facts: Facts[Any]) -> Block:
        """The request for a `Discovery`. After a reply that was none, `facts.reply` and `facts.failure` are set.

        Raises:
            BriefError: the brief's reference cannot be read, is no text, or too long.
        """
        ...
