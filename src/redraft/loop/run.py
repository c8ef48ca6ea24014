"""`Run`: one execution from brief to result, and its folder. Stages ask models, record and spend through it."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.brief import Brief
from redraft.config import GENERATIONS_FILE, HIDDEN, Config, LoopSettings
from redraft.errors import BriefError, ConfigError
from redraft.files import PictureFolder, lasting, relative, scratch_folder, slug
from redraft.ideas.settings import SOLE, ScoringSettings
from redraft.loop.budget import Budget, plan_cost
from redraft.loop.resume import remember
from redraft.models.base import Model, Reply, Request
from redraft.models.conversation import Block, conversation
from redraft.models.registry import resolve
from redraft.painting.base import Draw, ImageBackend, Notify, silent
from redraft.record.events import Event, Noted, RunStarted, Warned
from redraft.record.journal import EVENTS_FILE, Clock, Journal, derive_seed, digest_of, system_clock
from redraft.record.telemetry import observed
from redraft.result import Heuristics, Picture, Score, Usage
from redraft.sandbox.pool import WAITING, Sandbox
from redraft.studios import settings_of
from redraft.studios.base import Resources, Studio
from redraft.studios.kinds import PaintingStudio, ProgramStudio, TargetStudio
from redraft.studios.requests import StudioRequest, StudioSettings

if TYPE_CHECKING:
    from redraft.fixes.base import Store
    from redraft.fixes.error_cache import ErrorCache

Observer = Callable[[Event], None]
RequestT = TypeVar("RequestT", bound=StudioRequest[Any])
_reply: TypeAdapter[Reply] = TypeAdapter(Reply)

CUSTOM_MODEL = "custom"
"""The name in the record of a model given as a Python object; only the same program can resume such a run."""
IDEAS_OFFLINE = "redraft.ideas.offline.answers"
GUARD = "protection"
UNGUARDED = (
    "A model's scripts can reach the files and the network of this machine: the run has "
    "--sandbox none, or sandbox: none in its settings."
)


class Surroundings:
    """The resources that many runs share. Alone, a run has its own; a batch puts its limits and its snapshot here."""

    def model(self, spec: str, model: Model) -> Model:
        """Return a model, within the limits of the batch for its name."""
        return model

    def memory(self, store: Store) -> Store:
        """Return the store of fixes to use in place of the given one."""
        return store

    def history(self, generations: Path) -> Path:
        """Return the list of generations to read for novelty in place of the given one."""
        return generations


SURROUNDINGS: ContextVar[Surroundings] = ContextVar("SURROUNDINGS", default=Surroundings())  # noqa: B039  stateless


@dataclass
class Run:
    """One run: what it is made of, and, within `recording()`, its journal, budget and workspace."""

    studio: Studio[Any, Any]
    model: Model
    brief: Brief
    folder: Path
    config: Config = field(default_factory=Config)
    settings: StudioSettings = field(default_factory=StudioSettings)
    memory: ErrorCache | None = None
    """The memory of fixes across runs; None without one."""
    judges: Mapping[str, Model] = field(default_factory=dict[str, Model])
    """Models that score ideas, by the judge's name, where it is not the run's own model."""
    backend: ImageBackend | None = None
    """The image backend, for a studio that has its delivery painted."""
    generations: Path | None = None
    """The list of earlier results, for novelty; None where the studio keeps none."""
    notify: Notify = silent
    observer: Observer | None = None
    clock: Clock = system_clock
    earlier: tuple[Path, ...] = ()
    """Folders of runs whose pictures this one delivers again."""
    base: BaseModel | None = None
    """The artifact that the run starts from, if it continues another run."""
    programs: dict[tuple[int, int], str] = field(default_factory=dict[tuple[int, int], str])
    """The program that each draft ran last, by turn and candidate."""
    memory_lock: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(1))
    """Lets the fix memory's store do one thing at a time."""
    unfinished: list[BaseModel] = field(default_factory=list[Any])
    """Best artifacts so far of executions that were stopped in the middle."""
    stand_ins: list[str] = field(default_factory=list[str])
    """Things of the brief that the model says it cannot make."""
    budget: Budget = field(init=False)
    journal: Journal = field(init=False)
    workspace: Resources = field(init=False)
    """The resources of executing drafts; `resources` adds the settings in force."""

    def __post_init__(self) -> None:
        self.budget = Budget(self.config.budget)

    @classmethod
    def of(
        cls,
        studio: Studio[Any, Any],
        brief: Brief,
        config: Config,
        folder: Path,
        *,
        model: Model | None = None,
        backend: ImageBackend | None = None,
        generations: Path | None = None,
        draw: Draw | None = None,
        notify: Notify = silent,
        observer: Observer | None = None,
        clock: Clock = system_clock,
    ) -> Run:
        """Put a run together; a `model` or `backend` object overrides the name in the configuration.

        `draw` draws for the embedded image backend; without it, or a `backend`, nothing is painted.

        Raises:
            ConfigError, BriefError, MissingPartError: something is wrong or missing.
        """
        settings = settings_of(studio, config.studios.get(studio.name, {}))
        for name in ("target", "reference"):
            path = getattr(brief, name)
            if path is not None and name not in studio.takes:
                raise BriefError(f"The {studio.name} studio takes no {name}; given {path}. Leave it out.")
        settings = studio.prepare(settings, brief)

        # The model, the judges of ideas, and the image backend: as configured, or as objects of the caller.
        if model is None:
            offline = (*filter(None, [studio.offline]), *([IDEAS_OFFLINE] if config.prompt.scoring.enabled else []))
            model = resolve(config.model, settings=config.models, offline=offline, notify=notify, run=folder.name)
            model = SURROUNDINGS.get().model(config.model, model)
        else:
            config = config.model_copy(update={"model": CUSTOM_MODEL})
        judges = _judge_models(config, notify)
        if backend is not None:
            images = config.images.model_copy(update={"backend": CUSTOM_MODEL})
            config = config.model_copy(update={"images": images})
        elif isinstance(studio, PaintingStudio) and draw is not None:
            from redraft.painting.registry import open_backend

            _refuse_loose_cap(config)
            backend = open_backend(config.images, draw=draw, folder=Path())

        # What lasts across runs: the list of earlier results, and the fixes of programs.
        if generations is None and (isinstance(studio, PaintingStudio) or config.prompt.generations_path is not None):
            generations = generations_of(config)
        memory = None
        if isinstance(studio, ProgramStudio):
            from redraft.fixes.base import open_store
            from redraft.fixes.error_cache import ErrorCache

            # The record of a resumed run hides the password of its server; REDIS_URL has it.
            store = open_store("auto" if HIDDEN in config.memory else config.memory, notify)
            memory = None if store is None else ErrorCache(SURROUNDINGS.get().memory(store))

        return cls(
            studio,
            model,
            brief,
            folder,
            config=config,
            settings=settings,
            memory=memory,
            judges=judges,
            backend=backend,
            generations=generations,
            notify=notify,
            observer=observed(observer),
            clock=clock,
        )

    @property
    def resources(self) -> Resources:
        """The resources of executing and rendering, with the settings of the run as they are now."""
        return replace(self.workspace, settings=self.settings)

    @property
    def loop(self) -> LoopSettings:
        return self.config.loop

    @property
    def heuristics(self) -> Heuristics:
        return self.config.validation.heuristics

    @property
    def scoring(self) -> ScoringSettings:
        return self.config.prompt.scoring

    @property
    def critic(self) -> bool:
        """True if a critic is asked: as set, or by default if the model takes pictures."""
        if not self.studio.judged:
            return False
        return self.model.info.sees if self.loop.critic is None else self.loop.critic

    @property
    def metric(self) -> str | None:
        """The metric of the distance from the target; None without a target."""
        if self.brief.target is None or not isinstance(self.studio, TargetStudio):
            return None
        return self.studio.metric(self.settings)

    @property
    def worst_case_calls(self) -> int:
        """Model calls of the run at most. Raises `ConfigError` if `loop.critic` is on where no model can judge."""
        if self.loop.critic and not self.studio.judged:
            raise ConfigError(f"loop.critic is on, but no model judges what {self.studio.name} makes. Leave it out.")
        if self.loop.critic and not self.model.info.sees:
            raise ConfigError(
                f"loop.critic is on, but the model {self.model.info.name!r} takes no pictures. Choose one that does, "
                "or leave loop.critic out."
            )
        ideas = 0
        if self.scoring.enabled:  # the cards, their judges, and a summary of the profile
            summary = self.brief.profile is not None and self.scoring.generator_profile_abstraction
            ideas = (1 + max(1, len(self.scoring.judges)) + int(summary)) * (1 + self.scoring.retries)
        return plan_cost(
            self.loop,
            critic=self.critic,
            looks=self.studio.looks == "attempt",
            surveys=self.studio.looks == "critique",
            discovers=self.brief.reference is not None,
            draft=self.studio.draft_calls(self.settings, ideas=self.scoring.enabled),
            ideas=ideas,
        )

    @asynccontextmanager
    async def recording(self, worst_case_calls: int) -> AsyncGenerator[None]:
        """Open the journal, note the start, and set up what drafts are executed with."""
        async with AsyncExitStack() as stack:
            fresh = not (self.folder / EVENTS_FILE).exists()
            self.journal = stack.enter_context(Journal(self.folder, clock=self.clock, observer=self.observer))
            scratch = stack.enter_context(scratch_folder())
            start = self._start_event(worst_case_calls)
            self.journal.note(start)
            if fresh and worst_case_calls:  # so that resuming it asks for no trust in its settings
                try:
                    remember(self.folder)
                except ConfigError as error:
                    self.notify(f"{error} Resuming this run will ask for --as-recorded.")
            self.workspace = Resources(
                scratch,
                self.config.seed,
                anyio.CapacityLimiter(max(1, os.cpu_count() or 2)),
                PictureFolder(self.folder, earlier=tuple(filter(None, (self.brief.on, *self.earlier)))),
                await stack.enter_async_context(Sandbox(lasting(), waiting=WAITING)),
                self.settings,
                backend=self.backend,
                size=(self.config.images.width, self.config.images.height),
                tell=self.notify,
                run=start.run,
                keep=self.unfinished.append,  # pyright: ignore[reportArgumentType]
            )
            if self.memory is not None:
                stack.callback(self.memory.close)
            yield

    def _start_event(self, worst_case_calls: int) -> RunStarted:
        """Return the first line of the record, from which the run can be resumed."""
        on, source = self.brief.on, self.brief.source
        brief: dict[str, JsonValue] = {
            "instruction": self.brief.instruction,
            "on": None if on is None else relative(on, self.folder),
            "source": None if source is None else relative(source, self.folder),
            "base": None if self.base is None else digest_of(self.base.model_dump(mode="json")),
        }
        paths = {"target": self.brief.target, "reference": self.brief.reference, "generations": self.generations}
        brief |= {name: relative(path, self.folder) for name, path in paths.items() if path is not None}
        if self.brief.concepts:
            brief["concepts"] = list(self.brief.concepts)
        if self.brief.described:
            brief["described"] = True
        if self.brief.profile is not None:
            brief["profile"] = self.brief.profile.model_dump(mode="json")
        digest = digest_of([brief["instruction"], brief["base"], self.config.seed])[:6]
        return RunStarted(
            key="run",
            at=self.clock(),
            redraft=version("redraft"),
            run=f"{slug(self.brief.instruction)}-{digest}",
            studio=self.studio.name,
            brief=brief,
            config=self.config.model_dump(mode="json", exclude={"out"}),
            model=self.model.info.model_dump(mode="json"),
            seed=self.config.seed,
            worst_case_calls=worst_case_calls,
        )

    def request(self, kind: type[RequestT], **facts: Any) -> RequestT:
        """Return a request of a kind: its own facts, and those that all requests of the run share."""
        return kind(
            brief=self.brief,
            settings=self.settings,
            sees=self.model.info.sees,
            size=self.resources.size,
            strict=self.heuristics == "strict",
            **facts,
        )

    async def converse(self, block: Block, path: str, model: Model | None = None) -> str:
        """Hold a conversation with the run's model, or with another one; return the text of the last reply."""
        requests = conversation(block, path=path, seed=lambda p: derive_seed(self.config.seed, p))
        request = next(requests)
        while True:
            reply = await self.ask(request, model)
            try:
                request = requests.send(reply)
            except StopIteration:
                return reply.text

    async def ask(self, request: Request, model: Model | None = None) -> Reply:
        """Make one model call within the budget, or return the reply that the journal has for it."""
        called = False

        async def call() -> Reply:
            nonlocal called
            called = True
            self.budget.reserve()
            usage: Usage | None = None
            try:
                reply = await (model or self.model).ask(request)
                usage = reply.usage
            finally:
                self.budget.settle(usage)
            return reply

        data = request.model_dump(mode="json", exclude={"pictures"})
        data["pictures"] = [self.resources.pictures.put(p.png) for p in request.pictures]
        reply = await self.journal.once(request.path, data, call, _reply)
        if not called:  # a recorded reply was paid for before the run was interrupted
            self.budget.spent = self.budget.spent + reply.usage
        if model is None:
            self.stand_ins += [thing for thing in reply.stand_ins if thing not in self.stand_ins]
        return reply

    async def shown(self, artifact: BaseModel | None, score: Score | None) -> list[Picture]:
        """Return the target for a model that sees, with the artifact beside it; nothing without a target."""
        if self.brief.target is None or not self.model.info.sees or not isinstance(self.studio, TargetStudio):
            return []
        return await self.studio.shown(artifact, score, self.brief, self.resources)

    def note(self, topic: str, data: JsonValue, key: str | None = None) -> None:
        """Record a fact."""
        self.journal.note(Noted(key=key or topic, at=self.journal.now, topic=topic, data=data))

    def warn(self, key: str, message: str) -> None:
        """Record a warning: something failed, and the run continues without it."""
        self.journal.note(Warned(key=key, at=self.journal.now, message=message))

    def note_surroundings(self) -> None:
        """Record the target, the guard of the programs, and the fix memory of the run."""
        if self.brief.target is not None and isinstance(self.studio, TargetStudio):
            self.note("target", self.studio.about(self.brief, self.resources))
        guard = self.studio.guard(self.settings) if isinstance(self.studio, ProgramStudio) else None
        if guard is not None:
            self.note(GUARD, guard.model_dump(mode="json"))
            if guard.level == "worker":
                self.warn(GUARD, UNGUARDED)
        if self.memory is not None:
            self.note("memory", {"store": self.memory.label})


def generations_of(config: Config) -> Path:
    """Return the list of earlier results: as set, or in the folder of the runs."""
    return Path(config.prompt.generations_path or Path(config.out) / GENERATIONS_FILE)


def _judge_models(config: Config, notify: Notify) -> dict[str, Model]:
    """Return the models of judges that are not the run's own, by the judge's name."""
    scoring = config.prompt.scoring
    if not scoring.enabled:
        return {}
    names = {judge.name: judge.model or scoring.judge_model for judge in scoring.judges}
    limited = SURROUNDINGS.get().model
    return {
        judge: limited(name, resolve(name, settings=config.models, offline=(IDEAS_OFFLINE,), notify=notify))
        for judge, name in (names or {SOLE: scoring.judge_model}).items()
        if name is not None
    }


def _refuse_loose_cap(config: Config) -> None:
    """Refuse a cap on money that a picture could exceed. The sketch studio's calls are counted as they are made."""
    cap, painter, price = config.budget.cost, config.images.backend, config.images.price
    if cap is None or painter == "sketch":
        return
    if price is None:
        raise ConfigError(
            f"budget.cost is {cap} US dollars, but what a picture by {painter} costs is not known beforehand, so the "
            "cap cannot be kept. Set images.price (0 if it costs nothing), or drop the cap."
        )
    if price > cap:
        raise ConfigError(f"budget.cost is {cap} US dollars, and a picture by {painter} costs {price} (images.price).")
