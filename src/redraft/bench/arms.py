"""Arms of a benchmark: names with the settings that make them, and the model that lets arms share replies."""

from __future__ import annotations

import difflib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import anyio
from pydantic import JsonValue, ValidationError

from redraft.errors import ConfigError, ModelError, RunFormatError
from redraft.files import write_atomic
from redraft.models.base import Model, ModelInfo, Reply, Request, digest
from redraft.result import Usage

__all__ = ["ABLATIONS", "ARMS", "FIRST", "LOOP", "Arm", "KeptReplies", "chosen_arms"]

FIRST = "iteration-1/draft"
"""The path of the request for a first draft."""
LOOP = "loop"


@dataclass(frozen=True)
class Arm:
    """One way to spend a budget."""

    name: str
    words: str
    settings: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    """By dotted keys, over the user's; those of other studios are left out."""
    redraws: bool = False
    """Draft again, independently, until the budget is spent, and keep the best by report."""
    memory: Literal["none", "cold", "warm"] = "cold"
    """Fix memory: none, a new one for each run, or one that has seen these tasks before."""
    blind: bool = False
    """Show the model no picture."""


_ONCE: dict[str, JsonValue] = {
    "loop.iterations": 1,
    "loop.fixes": 0,
    "loop.repairs": 0,
    "loop.repair": "model",
    "loop.critic": False,
    "studios.image.refine": False,
}

ARMS = (
    Arm("one-shot", "one draft, unchanged", _ONCE, memory="none"),
    Arm("independent", "independent drafts until the budget is spent, the best by report", _ONCE, True, "none"),
    Arm("retry", "one draft; only errors of execution and format go back", {**_ONCE, "loop.fixes": 10}, memory="none"),
    Arm(LOOP, "the loop, as it is by default"),
)
ABLATIONS = (
    Arm("no-solver", "the loop without the solver", {"loop.repair": "model"}),
    Arm("no-repairs", "the loop without repairs by the model", {"loop.repairs": 0}),
    Arm("no-questions", "the loop without rules of thumb", {"validation.heuristics": "off"}),
    Arm("no-history", "the loop without the list of earlier turns", {"loop.history": False}),
    Arm("no-critic", "the loop without a critic", {"loop.critic": False}),
    Arm("no-pictures", "the loop with a model that does not see pictures", blind=True),
    Arm("no-memory", "the loop without a fix memory", memory="none"),
    Arm("warm-memory", "the loop with a fix memory that has seen these tasks once", memory="warm"),
    Arm("ideas", "the loop with three ideas before the draft", {"prompt.scoring.num_ideas": 3}),
)


def chosen_arms(arms: str | None, ablations: str | None) -> tuple[Arm, ...]:
    """Return arms by name, with commas between: all four by default, and of ablations those named, or `all`.

    Raises:
        ConfigError: a name is unknown, or none is left.
    """
    found = [*_named("--arms", arms, ARMS, default=ARMS), *_named("--ablations", ablations, ABLATIONS, default=())]
    if not found:
        raise ConfigError("No arm is left. Name some with --arms or --ablations.")
    return tuple(found)


def _named(flag: str, text: str | None, known: Sequence[Arm], default: Sequence[Arm]) -> Sequence[Arm]:
    if text is None:
        return default
    if text == "all":
        return known
    by_name = {arm.name: arm for arm in known}
    names = dict.fromkeys(filter(None, (name.strip() for name in text.split(","))))
    for name in names:
        if name not in by_name:
            close = difflib.get_close_matches(name, by_name, n=2, cutoff=0.5)
            hint = f"Did you mean {' or '.join(close)}?" if close else f"Known arms: {', '.join(by_name)}."
            raise ConfigError(f"{flag} {text!r}: {name!r} is unknown. {hint}")
    return [by_name[name] for name in names]


class KeptReplies:
    """A model whose replies are kept in a folder by the digest of their request: what is the same is asked once.

    A kept reply has the usage that it had, so every arm pays for what it asks. `failure` is what kept a
    request from being answered.
    """

    def __init__(
        self,
        model: Model,
        folder: Path,
        *,
        blind: bool = False,
        draft: str = "",
        locks: dict[str, anyio.Lock] | None = None,
        slots: anyio.Semaphore | None = None,
    ) -> None:
        """Keep the replies of a model.

        Args:
            model: answers what is not kept.
            folder: where replies are kept.
            blind: show the model no pictures.
            draft: the reply to a request for a first draft, in place of the model's.
            locks: shared by all that ask the same, so that only one of them asks.
            slots: given back while the model of an inbox is waited for: who answers may take hours.
        """
        self._model = model
        self._folder = folder
        self._info = model.info.model_copy(update={"sees": False}) if blind else model.info
        self._draft = draft
        self._locks = {} if locks is None else locks
        self._slots = slots if model.info.name == "inbox" else None
        self._waiting = 0
        self.asked = 0
        """Requests that were answered by the model itself."""
        self.failure: ModelError | None = None

    @property
    def info(self) -> ModelInfo:
        return self._info

    async def ask(self, request: Request) -> Reply:
        """The kept reply, or the model's.

        Raises:
            ModelError: as the model raises it. RunFormatError: a kept reply was changed.
        """
        if self._draft and request.path == FIRST:
            return Reply(text=self._draft, model="seeded", usage=Usage(calls=1))
        name = digest(request)
        path = self._folder / f"{name}.json"
        async with self._patience(), self._locks.setdefault(name, anyio.Lock()):
            if path.is_file():
                try:
                    return Reply.model_validate_json(path.read_bytes())
                except ValidationError as error:
                    raise RunFormatError(f"{path} is not a kept reply. Delete it to ask again.") from error
            try:
                reply = await self._model.ask(request)
            except ModelError as error:
                self.failure = error
                raise
            self.asked += 1
            self._folder.mkdir(parents=True, exist_ok=True)
            write_atomic(path, reply.model_dump_json())
            return reply

    @asynccontextmanager
    async def _patience(self) -> AsyncGenerator[None]:
        """Give the slot back while anything is waited for."""
        if self._slots is None:
            yield
            return
        if not self._waiting:
            self._slots.release()
        self._waiting += 1
        try:
            yield
        finally:
            self._waiting -= 1
            if not self._waiting:
                with anyio.CancelScope(shield=True):
                    await self._slots.acquire()
