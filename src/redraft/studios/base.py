"""The seam between the loop and a medium: one class, with a default for everything that not every medium has.

A studio turns facts into requests, replies into drafts, drafts into artifacts, and artifacts into reports and pictures.
It never calls a model and keeps no state between calls. A new studio defines `name`, `spec_model`, `artifact_model` and
`execute`, and a template that says what a reply looks like; see docs/studios.md. `kinds` adds what only some media
have: programs, targets, layouts.
"""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, runtime_checkable

import anyio
from pydantic import BaseModel, JsonValue, ValidationError

from redraft.brief import Brief
from redraft.errors import BriefError, ExecutionError, MissingPartError, RunFormatError, RunNotFoundError
from redraft.files import PictureFolder, write_atomic
from redraft.limits import RECORD, read_file
from redraft.models.conversation import Block
from redraft.painting.base import ImageBackend, Notify, silent
from redraft.result import Heuristics, Issue, Picture, Report, Result, Severity
from redraft.sandbox.pool import Sandbox
from redraft.studios.requests import Kind, StudioRequest, StudioSettings


@runtime_checkable
class Artifact(Protocol):
    """The result of executing a draft. Artifacts are pydantic models, so that the journal can keep them."""

    @property
    def source(self) -> str:
        """The bounded text that a model should see again, whole."""
        ...


ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
SpecT = TypeVar("SpecT", bound=BaseModel)


def _forget(_: BaseModel) -> None:
    """Keep nothing."""


@dataclass(frozen=True)
class Resources:
    """The resources of executing and rendering."""

    scratch: Path
    seed: int
    limiter: anyio.CapacityLimiter
    """Limits CPU-heavy work in threads."""
    pictures: PictureFolder
    """The pictures of the run."""
    sandbox: Sandbox
    """Runs the programs that a model writes."""
    settings: StudioSettings
    backend: ImageBackend | None = None
    """The image backend that paints a prompt, for a `PaintingStudio`."""
    size: tuple[int, int] = (1024, 1024)
    """Width and height of the painted picture, in pixels."""
    tell: Notify = silent
    """Called with a line about each slow step."""
    run: str = ""
    """The run's name in its record."""
    keep: Callable[[BaseModel], None] = _forget
    """Called with the best artifact so far by an execution that was stopped in the middle."""

    async def output(
        self, program: str, *words: str, text: str = "", seconds: float = 20.0, env: Mapping[str, str] | None = None
    ) -> bytes:
        """Run a program of this machine on a text and return its output; its environment is `PATH` and `env`.

        For programs that read a model's text. Programs that a model wrote belong in the `sandbox`.

        Raises:
            ExecutionError: it failed, with its own message, or ran longer than `seconds`. MissingPartError.
        """
        path = shutil.which(program)
        if path is None:
            raise MissingPartError(f"The program {program} is not installed.")
        variables = {"PATH": os.environ.get("PATH", os.defpath), **(env or {})}
        try:
            with anyio.fail_after(seconds):
                process = await anyio.run_process(
                    [path, *words], input=text.encode("utf-8", "replace"), env=variables, check=False
                )
        except TimeoutError as error:
            raise ExecutionError(
                f"{program} ran longer than {seconds:g} s and was stopped. Make it simpler."
            ) from error
        if process.returncode:
            message = process.stderr.decode("utf-8", "replace").strip()
            raise ExecutionError(message[:10_000] or f"{program} failed with exit code {process.returncode}.")
        return process.stdout


class Studio(ABC, Generic[SpecT, ArtifactT]):
    """One medium. Everything but `name`, `spec_model`, `artifact_model` and `execute` has a default."""

    # What the studio is called, and what it works with

    name: ClassVar[str]
    """As in `redraft run NAME`."""
    spec_model: type[SpecT]
    """The model of drafts, if a reply is one JSON object; a studio that parses replies itself need not set it."""
    artifact_model: type[ArtifactT]
    settings_model: type[StudioSettings] = StudioSettings
    purpose: ClassVar[str] = ""
    """One line about the studio, for `--help`."""
    medium: ClassVar[str] = ""
    """The result in words, for ideas: `a vector drawing of flat shapes`."""
    takes: ClassVar[frozenset[str]] = frozenset()
    """Inputs beside the instruction: of `target`, `reference`, `source`, `concepts`."""
    needs: ClassVar[Mapping[str, str]] = {}
    """Options that have no effect without another one, by name: {"effort": "all"}."""
    programs: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Programs that the studio runs, each with the command that installs it: `("dot", "apt-get install graphviz")`."""
    deliverables: ClassVar[tuple[tuple[str, str], ...]] = ()
    """Roles of the delivered files, each with its name at the end of a run (empty: not shown); the main one first."""
    views: ClassVar[tuple[str, ...]] = ()
    """Names that `render` takes, the standard one first."""
    severities: ClassVar[Mapping[str, Severity]] = {}
    """The default severity of each heuristic of the medium, by code; a code that is missing is a note."""

    # What models may do: the critic, the offline model, an agent that drafts by tool calls

    judged: ClassVar[bool] = True
    """True if a critic may look at the result."""
    looks: ClassVar[Literal["", "attempt", "critique"]] = ""
    """The kind of request in which a model may ask to look closer before it answers; each look is one more request."""
    turntable: ClassVar[str] = ""
    """The view from so many degrees around, which stand where it has `{}`; empty for none."""
    offline: ClassVar[str] = ""
    """The module whose `ANSWERS` hold the offline model's replies by request kind (`sketch.draft`); empty for none."""
    example: ClassVar[str] = ""
    """An instruction, for help, error messages and the self-test of `redraft doctor`."""
    trial: ClassVar[Mapping[str, JsonValue]] = {}
    """Settings of the studio that make that self-test quick, and keep it in its folder."""
    written: ClassVar[tuple[str, Literal["text", "json", "program"]]] = ("reply", "text")
    """The argument in which an agent's tool call holds a draft, and its form; a `program` is edited by its lines."""
    contract: ClassVar[str] = "system"
    """The template that says what a draft looks like, for the description of that tool; empty for none."""
    adjustable: ClassVar[tuple[str, ...]] = ()
    """Settings that an agent may give with a draft: those that shape the result, never those that confine programs."""

    # Before the first request

    def brief(self, instruction: str, settings: StudioSettings, seed: int, **inputs: Any) -> Brief:
        """Return the brief for an instruction and the inputs that were given: those in `takes`, `on`, `profile`.

        Raises:
            BriefError: it is empty or too long, or two inputs exclude each other.
        """
        return Brief.of(instruction, **({"example": self.example} if self.example else {}), **inputs)

    def prepare(self, settings: StudioSettings, brief: Brief) -> StudioSettings:
        """Return the settings in force for a brief, or refuse it before any model is asked.

        Raises:
            MissingPartError: a part of the system is missing. BriefError: a file that the brief names is unusable.
            ConfigError: a setting cannot be honored here.
        """
        for program, install in self.programs:
            if shutil.which(program) is None:
                raise MissingPartError(f"The {self.name} studio needs the program {program}: {install}")
        return settings

    def warm(self, resources: Resources) -> None:
        """Start slow workers while the first request is answered, and return at once."""

    def open(self, brief: Brief) -> ArtifactT | None:
        """Return the base: the artifact of the run that `brief.on` names, its requirements agreed, or None.

        Raises:
            RunNotFoundError: there is none. RunFormatError: it is damaged.
        """
        if brief.on is None:
            return None
        base = delivered(self.artifact_model, brief.on, f"{self.name}.json", self.name)
        if raw := getattr(base, "requirements", ()):
            from redraft.layout.requirements import agreed

            return base.model_copy(update={"requirements": agreed(raw)})
        return base

    def draft_calls(self, settings: StudioSettings, *, ideas: bool) -> int:
        """Return the number of model calls of a draft; with `ideas`, after a card was chosen."""
        return 1

    # Requests, replies, artifacts

    def inputs(self, request: StudioRequest[ArtifactT]) -> dict[str, JsonValue]:
        """Return values for the templates, beside those that all studios have or in their place; see docs/studios.md.

        Raises:
            BriefError: a file that the brief names is unusable.
        """
        return {}

    def pictures(self, request: StudioRequest[ArtifactT]) -> tuple[Picture, ...]:
        """Return the pictures that go with a request."""
        return request.pictures

    def compose(self, request: StudioRequest[ArtifactT]) -> Block:
        """Return the conversation for one attempt, fix or critique: one call, in the words of the templates.

        The folder `prompts/` beside the studio's module holds `system.md.j2`, which says what a reply looks like. Its
        `draft`, `edit`, `repair`, `fix`, `critique` and `system_critic` take the place of redraft's own.
        """
        from redraft.studios.defaults import composed

        return composed(self, request)

    def parse(self, kind: Kind, text: str, base: ArtifactT | None, *, strict: bool = False) -> SpecT:
        """Read a reply as a draft: one JSON object with the fields of `spec_model`.

        An edit patches `base`, a repair corrects it; a `strict` repair keeps the plan.

        Raises:
            FormatError: E2; the message names the place in the reply, its value, and what is allowed.
        """
        from redraft.models.replies import reply_as

        return reply_as(self.spec_model, text, "reply")

    @abstractmethod
    async def execute(self, spec: SpecT, base: ArtifactT | None, resources: Resources) -> ArtifactT:
        """Run a draft.

        Raises:
            ExecutionError: E1. InfrastructureError: E0.
        """

    def approach(self, spec: SpecT) -> str:
        """Return the one line in which the reply says what it tried."""
        return str(getattr(spec, "approach", ""))

    def summary(self, artifact: ArtifactT) -> str:
        """Return the parts of an artifact in a few words: `6 strokes`."""
        return ""

    def facts(self, artifact: ArtifactT) -> list[str]:
        """Return the measurements of an artifact for the drafting model, one per line, the most important first."""
        return []

    def wanted(self, spec: SpecT) -> tuple[str, ...]:
        """Return the views that a reply asks for instead of acting; empty when it acts."""
        return ()

    # Measuring

    def check(
        self, artifact: ArtifactT, base: ArtifactT | None, brief: Brief, heuristics: Heuristics = "default"
    ) -> Report:
        """Return the deterministic report: requirements measured on the `layout`, and the findings of the `rules`.

        A requirement that does not hold is a note until a critic upholds it, and an error afterwards. Findings that the
        base has too, no less, are inherited and not scored.
        """
        from redraft.studios.defaults import checked

        return checked(self, artifact, base, brief, heuristics)

    def rules(self, artifact: ArtifactT) -> Iterable[Issue]:
        """Return the findings of the rules of the medium: defects, and heuristics with `basis="heuristic"`.

        A heuristic has the severity of `validation.heuristics: strict`; by default it has the one in `severities`.
        """
        return ()

    # Looking

    async def render(self, artifact: ArtifactT, views: Sequence[str], resources: Resources) -> list[Picture]:
        """Return pictures of the artifact; `views` are names of `self.views`, empty for the standard one.

        By default the PNG among the artifact's `files` (role → name in `resources.pictures`).
        """
        name = _files(artifact).get("png")
        return [] if name is None else [Picture(name=f"{self.name}.png", png=resources.pictures.get(name))]

    def illustrate(self, artifact: ArtifactT, report: Report, resources: Resources) -> dict[str, tuple[str, bytes]]:
        """Return pictures for the record of each validation, by role (`plain`, `issues`): suffix and content.

        By default the SVG or PNG among the artifact's `files`.
        """
        files = _files(artifact)
        name = files.get("svg", files.get("png"))
        return {} if name is None else {"plain": (Path(name).suffix, resources.pictures.get(name))}

    def parts(self, folder: Path) -> list[str]:
        """Return the parts of a run's delivery that a person can look closer at, by name.

        Raises:
            BriefError: there are none, or nothing is delivered yet.
        """
        raise BriefError(f"The {self.name} studio has no closer views.")

    def close_up(self, folder: Path, part: str, room: float) -> str:
        """Return a picture of one of the `parts` with some room around it, or of the whole for an empty name, as SVG.

        Raises:
            BriefError: there is no such part.
        """
        raise BriefError(f"The {self.name} studio has no closer views.")

    def refuse_looks(self, looks: Sequence[str]) -> None:
        """Refuse a look that the critic asks for. Raises `FormatError` when it is not a view."""

    # Delivering

    def stand_ins(self, artifact: ArtifactT, brief: Brief) -> tuple[str, ...]:
        """Return things of the brief that a delivery lacks, or has only placeholders for, beyond those in replies."""
        return ()

    def removals(self, artifact: ArtifactT) -> Sequence[str]:
        """Return what was left out of a delivery so that it is safe to open, a sentence each: warnings of the run."""
        return ()

    def deliver(self, artifact: ArtifactT, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write the final files, each whole or not at all. Paths by role: `svg`, `png`, `json`.

        By default the artifact as JSON, from which a run with `on` continues, and its `files` by their roles.

        Raises:
            RunError: a file cannot be written.
        """
        contents: dict[str, str | bytes] = {"json": artifact.model_dump_json(indent=1) + "\n"}
        contents |= {role: resources.pictures.get(name) for role, name in _files(artifact).items()}
        return {role: write_atomic(folder / f"{self.name}.{role}", content) for role, content in contents.items()}

    def data(self, result: Result) -> dict[str, JsonValue]:
        """Return facts about a delivery for `--json`: `details`, as data."""
        return {}

    def details(self, result: Result) -> list[str]:
        """Return lines about a delivery for the end of a run."""
        return []

    def handed_over(self, result: Result, settings: StudioSettings) -> Result | None:
        """Return the result of a finished run that is resumed; None if it has to be handed over again."""
        return result

    def hand_over(self, result: Result, settings: StudioSettings) -> Result:
        """Put a delivery where the settings want it, outside the run's folder; also when a run is resumed."""
        return result


def _files(artifact: BaseModel) -> Mapping[str, str]:
    return getattr(artifact, "files", {})


def delivered(model: type[ArtifactT], folder: Path, file: str, studio: str) -> ArtifactT:
    """Read the artifact that an earlier run delivered.

    Raises:
        RunNotFoundError: the folder holds no such file. RunFormatError: the file is damaged or of another version.
    """
    path = folder / file
    try:
        return model.model_validate_json(read_file(path, RECORD))
    except OSError as error:
        raise RunNotFoundError(
            f"{folder} has no {studio} to continue from: {file}: {error.strerror or error}. Give the folder of a run "
            f"of redraft {studio} that has delivered one."
        ) from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise RunFormatError(f"{path} is not a {studio} of a run ({where}: {first['msg']}); it was changed.") from error
