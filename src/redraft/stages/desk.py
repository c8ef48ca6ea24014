"""What every verb works with: the studio, the model, the record, and what may still be spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, JsonValue, TypeAdapter

from redraft.brief import Brief
from redraft.budget import Budget
from redraft.config import LoopSettings
from redraft.conversation import converse
from redraft.errors import RedraftError
from redraft.events import Warned
from redraft.journal import Journal
from redraft.memory.error_cache import ErrorCache
from redraft.models.base import Model, Reply, Request
from redraft.result import Failure, Usage
from redraft.seeds import derive
from redraft.studios.base import Bench, Facts, Kind, Studio

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

    @property
    def critic(self) -> bool:
        """Whether somebody is asked to look: as set, or where the model sees."""
        return self.model.info.sees if self.loop.critic is None else self.loop.critic

    async def converse(self, kind: Kind, facts: Facts[ArtifactT], path: str) -> str:
        """Compose one request (or block of them), ask it, and give the last reply's text."""
        block = self.studio.compose(kind, replace(facts, sees=self.model.info.sees, settings=self.bench.settings))
        exchange = await converse(block, self.ask, path=path, seed=lambda p: derive(self.bench.seed, p))
        assert exchange.last is not None, "a block has at least one step"
        return exchange.last.text

    async def ask(self, request: Request) -> Reply:
        """One journalled, budgeted model call."""
        asked = False

        async def effect() -> Reply:
            nonlocal asked
            asked = True
            self.budget.reserve()
            usage: Usage | None = None
            try:
                reply = await self.model.ask(request)
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

    def examples(self, failure: Failure, key: str) -> str:
        """Past fixes of similar errors, for the prompt."""
        return self._memory(lambda: self.memory.get_few_shot_examples(failure.message), "", key)

    def remember(self, failure: Failure, broken: str, fixed: str, key: str) -> None:
        """Store what mended an error."""
        self._memory(lambda: self.memory.store(failure.message, broken, fixed), None, key)

    def _memory(self, use: Callable[[], Any], default: Any, key: str) -> Any:
        try:
            return use()
        except RedraftError as error:
            self.memory = ErrorCache()
            self.warn(key, f"The fix memory cannot be used and is off for this run: {error}")
            return default
