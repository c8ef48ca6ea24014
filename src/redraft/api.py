"""The Python API: one function a studio, in a plain and an async form."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.lowlevel
from pydantic import JsonValue

from redraft import app
from redraft.events import Event
from redraft.result import Result

if TYPE_CHECKING:
    from redraft.models.base import Model

__all__ = ["asketch", "resume", "sketch"]

T = TypeVar("T")


async def asketch(
    instruction: str,
    *,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Draw what a sentence asks for.

    Args:
        instruction: what to draw, or what to change when `on` is given.
        model: a model's name (`anthropic:claude-sonnet-4-5`, `inbox:DIR`, `offline`) or a `Model` object.
        seed: of everything random in the run, 0 ≤ seed < 2³¹.
        on: an earlier run, whose drawing is continued.
        out: the run's folder; by default a dated one under `runs/`.
        config: more settings by dotted key path, such as `{"loop.candidates": 5, "studios.sketch.animate": True}`.
        observer: is shown every event as it is recorded.

    Raises:
        RedraftError: of the kinds that stop a run before its first model call; see `redraft.errors`.
    """
    settings: dict[str, JsonValue] = {**(config or {}), "seed": seed}
    settings["model"] = model if isinstance(model, str) else app.CUSTOM_MODEL
    return await app.arun(
        "sketch",
        instruction,
        config=app.load_config(None, settings),
        model=None if isinstance(model, str) else model,
        on=None if on is None else Path(on),
        out=None if out is None else Path(out),
        observer=observer,
    )


def sketch(
    instruction: str,
    *,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Draw what a sentence asks for: `asketch` for code that does not await. Works in a running event loop too."""

    def work() -> Result:
        async def draw() -> Result:
            return await asketch(instruction, model=model, seed=seed, on=on, out=out, config=config, observer=observer)

        return anyio.run(draw)

    return _beside_any_loop(work)


def resume(run: Path | str, *, model: Model | None = None) -> Result:
    """Go on with an interrupted run. `model` is needed where the run was made with a `Model` object."""
    return _beside_any_loop(lambda: app.resume(Path(run), model=model))


def _beside_any_loop(work: Callable[[], T]) -> T:
    """Run blocking work here, or in a thread of its own when this thread already runs an event loop."""
    try:
        anyio.lowlevel.current_token()
    except RuntimeError:  # no event loop runs in this thread
        return work()
    box: list[T | BaseException] = []

    def inside() -> None:
        try:
            box.append(work())
        except BaseException as error:  # carried over to the caller's thread, where it is raised
            box.append(error)

    thread = threading.Thread(target=inside, name="redraft")
    thread.start()
    thread.join()
    outcome = box[0]
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome
