"""The Python API: one function a studio, in a plain and an async form."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

import anyio
import anyio.lowlevel
from pydantic import JsonValue

from redraft import app
from redraft.config import Config
from redraft.events import Event
from redraft.result import Result

if TYPE_CHECKING:
    from redraft.imaging.base import ImageBackend
    from redraft.models.base import Model
    from redraft.scoring.profile import TasteProfile
    from redraft.studios.board.session import Session

__all__ = [
    "aplace",
    "arun_generation",
    "ascene",
    "ashader",
    "asketch",
    "open_board",
    "place",
    "resume",
    "run_generation",
    "scene",
    "shader",
    "sketch",
]

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
    return await app.arun(
        "sketch",
        instruction,
        config=_config(model, seed, config),
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


async def ashader(
    instruction: str = "",
    *,
    target: Path | str | None = None,
    reference: Path | str | None = None,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Write a shader for a sentence, or toward a picture.

    Args:
        instruction: what to show, or what to change when `on` is given; may be empty with a target.
        target: a picture to work toward; each turn is scored by its distance from it.
        reference: a shader or notes that the model sorts before it drafts.
        config: more settings by dotted key path, such as `{"studios.shader.frames": 24, "studios.shader.loop": True}`.
        model, seed, on, out, observer: as in `asketch`.

    Raises:
        RedraftError: of the kinds that stop a run before its first model call; see `redraft.errors`.
    """
    return await app.arun(
        "shader",
        instruction,
        config=_config(model, seed, config),
        model=None if isinstance(model, str) else model,
        on=None if on is None else Path(on),
        target=None if target is None else Path(target),
        reference=None if reference is None else Path(reference),
        out=None if out is None else Path(out),
        observer=observer,
    )


def shader(
    instruction: str = "",
    *,
    target: Path | str | None = None,
    reference: Path | str | None = None,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Write a shader: `ashader` for code that does not await. Works in a running event loop too."""

    async def work() -> Result:
        return await ashader(
            instruction,
            target=target,
            reference=reference,
            model=model,
            seed=seed,
            on=on,
            out=out,
            config=config,
            observer=observer,
        )

    return _beside_any_loop(lambda: anyio.run(work))


async def ascene(
    instruction: str = "",
    *,
    target: Path | str | None = None,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Build a Blender scene for a sentence, or toward a picture.

    Args:
        instruction: what to build, or what to change when `on` is given; may be empty with a target.
        target: a picture to work toward; each turn is scored by its distance from it.
        config: more settings by dotted key path, such as `{"studios.scene.samples": 128}`.
        model, seed, on, out, observer: as in `asketch`.

    Raises:
        RedraftError: of the kinds that stop a run before its first model call; see `redraft.errors`.
    """
    return await app.arun(
        "scene",
        instruction,
        config=_config(model, seed, config),
        model=None if isinstance(model, str) else model,
        on=None if on is None else Path(on),
        target=None if target is None else Path(target),
        out=None if out is None else Path(out),
        observer=observer,
    )


def scene(
    instruction: str = "",
    *,
    target: Path | str | None = None,
    model: str | Model = "offline",
    seed: int = 0,
    on: Path | str | None = None,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Build a Blender scene: `ascene` for code that does not await. Works in a running event loop too."""

    async def work() -> Result:
        return await ascene(
            instruction, target=target, model=model, seed=seed, on=on, out=out, config=config, observer=observer
        )

    return _beside_any_loop(lambda: anyio.run(work))


async def aplace(
    board: Path | str,
    instruction: str,
    *,
    to: Path | str | None = None,
    in_place: bool = False,
    force: bool = False,
    model: str | Model = "offline",
    seed: int = 0,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Place parts of a KiCad board as a sentence says.

    Args:
        board: a `.kicad_pcb` of KiCad 4 or later.
        instruction: what to place where: "put C1 0.5 mm right of U1 pin 4, keep J1 on the bottom edge".
        to: where to write the placed board, when it is no worse than what came in; it is in the run's folder anyway.
        in_place: write the board itself; what it was is kept beside it as `.bak`.
        force: write it even if it is worse.
        model, seed, out, config, observer: as in `asketch`.

    Raises:
        BoardError: the board cannot be read or written. BriefError: the sentence names a part that is not there.
    """
    from redraft.studios.board import api as boards

    source, target = Path(board), None if to is None else Path(to)
    boards.refuse_unwritable(source, target, in_place=in_place)
    result = await app.arun(
        "board",
        instruction,
        config=_config(model, seed, config),
        model=None if isinstance(model, str) else model,
        source=source,
        out=None if out is None else Path(out),
        observer=observer,
    )
    return boards.write_board(result, target, in_place=in_place, force=force)


def place(
    board: Path | str,
    instruction: str,
    *,
    to: Path | str | None = None,
    in_place: bool = False,
    force: bool = False,
    model: str | Model = "offline",
    seed: int = 0,
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Place parts as a sentence says: `aplace` for code that does not await. Works in a running event loop too."""

    async def work() -> Result:
        return await aplace(
            board,
            instruction,
            to=to,
            in_place=in_place,
            force=force,
            model=model,
            seed=seed,
            out=out,
            config=config,
            observer=observer,
        )

    return _beside_any_loop(lambda: anyio.run(work))


async def arun_generation(
    concepts: Sequence[str] | str = (),
    *,
    concepts_file: Path | str | None = None,
    count: int | None = None,
    profile: TasteProfile | Path | str | None = None,
    scoring: bool | None = None,
    model: str | Model = "offline",
    backend: str | ImageBackend = "sketch",
    seed: int = 0,
    on: Path | str | None = None,
    change: str = "",
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Make an image: choose concepts, write its prompt, have it painted, and keep the record.

    Args:
        concepts: what the picture is to hold: a list, or words with commas between.
        concepts_file: drawn from with the seed, instead of `concepts`: `count` of them, or three.
        profile: whom it is for: a `TasteProfile`, or its file.
        scoring: choose among idea cards first, blind; None leaves it to `prompt.scoring.enabled`.
        backend: what paints: `sketch`, `openai:MODEL`, `comfyui:WORKFLOW.json`, `command:PROGRAM …`, or an object.
        on, change: an earlier run's picture, and what is to be otherwise in it.
        config: more settings by dotted key path, such as `{"prompt.scoring.num_ideas": 8}`.
        model, seed, out, observer: as in `asketch`.

    Raises:
        RedraftError: of the kinds that stop a run before its first model call; see `redraft.errors`.
        IdeaError: cards or scores are no use (it is a `ValueError` too); the transcript is written all the same.
    """
    from redraft.errors import ProfileError
    from redraft.scoring.profile import TasteProfile, load_profile
    from redraft.studios.image.concepts import chosen

    on = None if on is None else Path(on)
    file = None if concepts_file is None else Path(concepts_file)
    given = chosen(concepts, file, count, seed, on=on, change=change)
    taste = load_profile(Path(profile)) if isinstance(profile, Path | str) else profile
    if not isinstance(cast("object", taste), TasteProfile | None):
        raise ProfileError(f"profile is {profile!r:.80}; a TasteProfile is wanted, or the path of its file.")
    more: dict[str, JsonValue] = {**(config or {})}
    if isinstance(backend, str):
        more.setdefault("images.backend", backend)
    if scoring is not None:
        more["prompt.scoring.enabled"] = scoring
    return await app.arun(
        "image",
        change,
        config=_config(model, seed, more),
        model=None if isinstance(model, str) else model,
        backend=None if isinstance(backend, str) else backend,
        concepts=given,
        profile=taste,
        on=on,
        out=None if out is None else Path(out),
        observer=observer,
    )


def run_generation(
    concepts: Sequence[str] | str = (),
    *,
    concepts_file: Path | str | None = None,
    count: int | None = None,
    profile: TasteProfile | Path | str | None = None,
    scoring: bool | None = None,
    model: str | Model = "offline",
    backend: str | ImageBackend = "sketch",
    seed: int = 0,
    on: Path | str | None = None,
    change: str = "",
    out: Path | str | None = None,
    config: Mapping[str, JsonValue] | None = None,
    observer: Callable[[Event], None] | None = None,
) -> Result:
    """Make an image: `arun_generation` for code that does not await. Works in a running event loop too."""

    async def work() -> Result:
        return await arun_generation(
            concepts,
            concepts_file=concepts_file,
            count=count,
            profile=profile,
            scoring=scoring,
            model=model,
            backend=backend,
            seed=seed,
            on=on,
            change=change,
            out=out,
            config=config,
            observer=observer,
        )

    return _beside_any_loop(lambda: anyio.run(work))


def open_board(path: Path | str) -> Session:
    """A KiCad board under the hand: exact actions with undo, views, checks, saving. Raises `BoardError`."""
    from redraft.studios.board import api as boards

    return boards.open_board(Path(path))


def resume(run: Path | str, *, model: Model | None = None, backend: ImageBackend | str | None = None) -> Result:
    """Go on with an interrupted run. `model` and `backend` are needed where the run was made with such objects; another
    `backend` than before may be named."""
    return _beside_any_loop(lambda: app.resume(Path(run), model=model, backend=backend))


def _config(model: str | Model, seed: int, more: Mapping[str, JsonValue] | None) -> Config:
    """The settings of a call; a model that is given as an object has no name there. Raises `ConfigError`."""
    name = model if isinstance(model, str) else app.CUSTOM_MODEL
    return app.load_config(None, {**(more or {}), "seed": seed, "model": name})


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
