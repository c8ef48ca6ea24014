"""What every verb works with: the studio, the model, the record, and what may still be spent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import anyio
from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.brief import Brief
from redraft.budget import Budget
from redraft.config import LoopSettings
from redraft.conversation import Block, converse
from redraft.events import Warned
from redraft.journal import Journal, derive_seed
from redraft.memory.error_cache import ErrorCache
from redraft.models.base import Model, Reply, Request
from redraft.result import Heuristics, Picture, Score, Usage
from redraft.scoring.settings import ScoringSettings
from redraft.stages.rulings import Rulings
from redraft.studios.base import Bench, Facts, Kind, Scored, Studio, Unjudged

__all__ = ["Desk"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
_reply: TypeAdapter[Reply] = TypeAdapter(Reply)


@dataclass
class Desk(Generic[ArtifactT]):
    """One run under way."""

    studio: Studio[Any, ArtifactT]
    model: Model
    brief: Brief
    loop: LoopSettings
    budget: Budget
    journal: Journal
    bench: Bench
    memory: ErrorCache = field(default_factory=ErrorCache)
    one_at_a_time: anyio.CapacityLimiter = field(default_factory=lambda: anyio.CapacityLimiter(1))
    """For the fix memory's store."""
    scoring: ScoringSettings = field(default_factory=ScoringSettings)
    judges: Mapping[str, Model] = field(default_factory=dict[str, Model])
    """Who scores ideas, by the judge's name; the run's own model where it is not named."""
    heuristics: Heuristics = "ask"
    rulings: Rulings = field(default_factory=Rulings)
    generations: Path | None = None
    """The list of what was made, for novelty; None where the studio keeps none."""

    @property
    def critic(self) -> bool:
        """Whether somebody is asked to look: as set, or where the model sees."""
        if isinstance(self.studio, Unjudged):
            return False
        return self.model.info.sees if self.loop.critic is None else self.loop.critic

    async def converse(self, kind: Kind, facts: Facts[ArtifactT], path: str) -> str:
        """Compose one request (or block of them), ask it, and give the last reply's text."""
        info, bench = self.model.info, self.bench
        facts = replace(facts, sees=info.sees, offline=info.rules, settings=bench.settings, size=bench.size)
        return await self.talk(self.studio.compose(kind, facts), path)

    async def talk(self, block: Block, path: str, model: Model | None = None) -> str:
        """Ask a block of requests, of another model than the run's own if one is given; the last reply's text."""

        async def ask(request: Request) -> Reply:
            return await self.ask(request, model)

        exchange = await converse(block, ask, path=path, seed=lambda p: derive_seed(self.bench.seed, p))
        assert exchange.last is not None, "a block has at least one step"
        return exchange.last.text

    @property
    def metric(self) -> str | None:
        """The one metric of this run: that of the target's distance; None without a target."""
        if self.brief.target is None or not isinstance(self.studio, Scored):
            return None
        return cast("Scored[ArtifactT]", self.studio).metric(self.bench.settings)

    async def shown(self, artifact: ArtifactT | None, score: Score | None) -> list[Picture]:
        """The target, with the artefact beside it where there is one, for a model that sees; none without a target."""
        if self.metric is None or not self.model.info.sees:
            return []
        return await cast("Scored[ArtifactT]", self.studio).shown(artifact, score, self.brief, self.bench)

    async def ask(self, request: Request, model: Model | None = None) -> Reply:
        """One journalled, budgeted model call."""
        asked = False

        async def effect() -> Reply:
            nonlocal asked
            asked = True
            self.budget.reserve()
            usage: Usage | None = None
            try:
                reply = await (model or self.model).ask(request)
                usage = reply.usage
            finally:
                self.budget.settle(usage)
            return reply

        reply = await self.journal.once(request.path, self._recordable(request), effect, _reply)
        if not asked:  # a recorded reply was paid for in an earlier life of this run
            self.budget.spent = self.budget.spent + reply.usage
        return reply

    def _recordable(self, request: Request) -> JsonValue:
        """The request as JSON, its pictures as files named by their content."""
        data = request.model_dump(mode="json", exclude={"pictures"})
        data["pictures"] = [self.bench.shelf.put(p.png) for p in request.pictures]
        return data

    def warn(self, key: str, message: str) -> None:
        """Say that a default was taken because something failed."""
        self.journal.note(Warned(key=key, at=self.journal.now, message=message))
