"""The Python API: `run` a studio on an instruction, `resume` a run, `undo` an edit, each with an async form.

    result = redraft.run("shader", "slow aurora over a dark lake", frames=24, loop=True, seed=7)

Keyword arguments are the options of the studio's command by the same names; `docs/api.md` lists them.
"""

from __future__ import annotations

import asyncio
import functools
import json
import signal
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

import anyio
import anyio.lowlevel
from pydantic import JsonValue

from redraft.brief import Brief
from redraft.config import Config
from redraft.errors import BriefError, ConfigError, ImageBackendError, ProfileError, RedraftError, RunError
from redraft.files import dated, refuse_used, remove_unused, run_folder, temporary
from redraft.limits import PICTURE, read_file
from redraft.loop.resume import (
    config_to_resume,
    read_start,
    recorded_brief,
    recorded_concepts,
    recorded_config,
    recorded_path,
    remember,
)
from redraft.options import INPUTS, check_config, config_of, last_run
from redraft.painting.base import Drawn, silent
from redraft.record.journal import EVENTS_FILE, LOCK_FILE, Clock, refuse_links, system_clock
from redraft.result import Report, Result
from redraft.studios import open_studio, settings_of
from redraft.text import plural

if TYPE_CHECKING:
    from redraft.ideas.profile import TasteProfile
    from redraft.loop.drafting import Drafting
    from redraft.loop.run import Observer
    from redraft.models.base import Model
    from redraft.painting.base import Draw, ImageBackend, ImageRequest, Notify
    from redraft.record.events import Event, RunStarted
    from redraft.studios.base import Studio

CALLER = "caller: the program that called wrote the drafts, one call at a time; no model was asked."
P = ParamSpec("P")
T = TypeVar("T")


async def arun(
    studio: str,
    instruction: str = "",
    *,
    model: str | Model | None = None,
    backend: str | ImageBackend | None = None,
    config: Config | Mapping[str, JsonValue] | None = None,
    out: Path | str | None = None,
    described: bool = False,
    observer: Observer | None = None,
    notify: Notify = silent,
    clock: Clock = system_clock,
    **options: Any,
) -> Result:
    """Work on one instruction in a new run folder and deliver the best result.

    Args:
        studio: `sketch`, `scene`, `board`, `image`, `shader`, or another that is installed.
        instruction: what to make, or what to change when `on` is given; may be empty with a target.
        model: a model's name (`anthropic:claude-sonnet-4-5`, `inbox:DIR`, `offline`) or a `Model` object.
        backend: for images, the name of a backend, or an `ImageBackend` object.
        config: more settings by dotted keys (`{"loop.looks": 0}`), or a whole `Config`.
        out: the run's folder; by default a dated one under `runs/`.
        described: the words describe a picture and are not taken literally.
        observer: is called with every event as it is recorded.
        notify: is called with a line about each slow step.
        options: the options of the studio by name: `seed=7`, `on=` a result or a run's folder, `candidates=3`,
            `frames=24` …

    Returns:
        The result, also when the run ends early: then `error` has the reason.

    Raises:
        ConfigError, BriefError, RunError, HistoryError, MissingPartError: before any model call.
        IdeaError: ideas or their scores are unusable; the record is written, and nothing was made.
    """
    from redraft.loop.run import Run
    from redraft.loop.turns import execute

    medium = open_studio(studio)
    inputs: dict[str, Any] = {
        name: options.pop(name) for name in (*INPUTS, "concepts") if options.get(name) is not None
    }
    options = {name: value for name, value in options.items() if value is not None}
    if not isinstance(config, Config):
        names = {"model": model, "backend": backend}
        options |= {name: value for name, value in names.items() if isinstance(value, str)}
        config = config_of(medium, options, more=config)
    elif options:
        raise ConfigError(f"config is a whole Config; leave {', '.join(options)} out or set it there.")
    settings = settings_of(medium, config.studios.get(studio, {}))
    brief = medium.brief(instruction, settings, config.seed, described=described, **read_inputs(inputs, medium, config))
    with _folder(out, Path(config.out), clock, brief.instruction) as folder:
        refuse_used(folder)
        run = Run.of(
            medium,
            brief,
            config,
            folder,
            model=None if isinstance(model, str) else model,
            backend=None if isinstance(backend, str) else backend,
            draw=_sketch_backend(config, notify),
            notify=notify,
            observer=observer,
            clock=clock,
        )
        return medium.hand_over(await execute(run), settings)


def read_inputs(inputs: Mapping[str, Any], studio: Studio[Any, Any], config: Config) -> dict[str, Any]:
    """Return the inputs of a brief, with a profile read from its file. Raises `ProfileError` or `RunNotFoundError`."""
    from redraft.ideas.profile import TasteProfile, load_profile

    read: dict[str, Any] = {name: Path(inputs[name]) for name in INPUTS if name in inputs and name != "profile"}
    if "concepts" in inputs:
        read["concepts"] = inputs["concepts"]
    if "on" in read:
        last = str(read["on"]) == "last"
        read["on"] = last_run(Path(config.out), studio.name) if last else run_folder(read["on"])
        refuse_links(read["on"])
    if "profile" in inputs:
        profile = inputs["profile"]
        if not isinstance(profile, Path | str | TasteProfile):
            raise ProfileError(f"profile is {profile!r:.80}; give a TasteProfile, or the path of its file.")
        if not config.prompt.scoring.enabled and "profile" not in studio.takes:
            raise ConfigError(f"profile {profile} chooses among ideas: also give a number of ideas.")
        read["profile"] = profile if isinstance(profile, TasteProfile) else load_profile(Path(profile))
    return read


@contextmanager
def _folder(out: Path | str | None, root: Path, clock: Clock, words: str) -> Generator[Path]:
    """Yield a run's folder: as given, or a new dated one, removed if no run begins in it. Raises `RunError`."""
    folder = dated(root, clock(), words) if out is None else Path(out)
    try:
        yield folder
    finally:
        if out is None:
            remove_unused(folder)


@asynccontextmanager
async def drafting(
    studio: str,
    instruction: str,
    *,
    config: Config | None = None,
    out: Path | str | None = None,
    earlier: Path | None = None,
    notify: Notify = silent,
    clock: Clock = system_clock,
    **inputs: Any,
) -> AsyncGenerator[Drafting]:
    """Open a piece of work without the loop: the caller drafts, call by call. Its record is written at the end.

    Args:
        studio: any but `board`, whose sessions `open_board` opens.
        instruction: the brief, which requirements quote.
        config: settings; none of a model is used.
        out: folder of the record; by default a dated one under the configuration's `out`.
        earlier: a run of the same studio whose result is the first step.
        notify: is called with a line about each slow step.
        inputs: further inputs of the brief, such as `concepts`.

    Raises:
        ConfigError, BriefError, RunError, MissingPartError: something is wrong or missing.
    """
    from redraft.loop.drafting import Drafting
    from redraft.loop.run import Run
    from redraft.models.scripted import ScriptedModel
    from redraft.record.transcript import Record

    medium, config = open_studio(studio), config or Config()
    config = config.model_copy(update={"loop": config.loop.model_copy(update={"critic": False})})  # the caller looks
    settings = settings_of(medium, config.studios.get(studio, {}))
    brief = medium.brief(instruction, settings, config.seed, **inputs)
    with _folder(out, Path(config.out), clock, brief.instruction) as folder:
        refuse_used(folder)
        events: list[Event] = []
        run = Run.of(
            medium,
            brief,
            config,
            folder,
            model=ScriptedModel([], name="caller", label=CALLER),
            draw=_sketch_backend(config, notify),
            notify=notify,
            observer=events.append,
            clock=clock,
        )
        run.earlier = () if earlier is None else (earlier,)
        recorded = False
        try:
            async with run.recording(0):
                run.note_surroundings()
                medium.warm(run.resources)
                work = Drafting(run, events)
                if earlier is not None:
                    artifact: Any = medium.open(Brief(instruction=brief.instruction, on=earlier))
                    free = {"protected": ()} if "protected" in medium.artifact_model.model_fields else {}
                    work.adopt(artifact.model_copy(update=free), Record.load(earlier).transcript.report)
                try:
                    yield work
                finally:
                    recorded = work.close()
        finally:
            if not recorded:  # `_folder` then removes what is empty
                for name in (EVENTS_FILE, LOCK_FILE):
                    (folder / name).unlink(missing_ok=True)


async def aresume(
    run: Result | Path | str,
    *,
    model: str | Model | None = None,
    backend: str | ImageBackend | None = None,
    caps: Mapping[str, JsonValue] | None = None,
    as_recorded: bool = False,
    observer: Observer | None = None,
    notify: Notify = silent,
) -> Result:
    """Continue an interrupted run; no finished effect is repeated. Of a finished run only missing files are restored.

    Settings that shape the result come from the record. Those that run a program, choose a server, name a key or reach
    files elsewhere come from your own settings, unless you started the run here yourself.

    Args:
        run: a result, or a run's folder.
        model: name of another model, or a `Model` object; runs that were started with an object need one again.
        backend: another image backend, likewise.
        caps: other caps of the run's budget (`calls`, `tokens`, `cost`).
        as_recorded: also use what the record sets of the latter kind; read it first.
        observer: is called with every event as it is recorded.
        notify: is called with a line about each slow step.

    Raises:
        RunNotFoundError, RunFormatError, RunLockedError, ResumeDivergedError.
        ConfigError: the record has settings that do not count without `as_recorded`.
    """
    from redraft.loop.run import CUSTOM_MODEL, Run
    from redraft.loop.turns import execute
    from redraft.record.transcript import Record

    folder = run_folder(Path(run))
    start, on = read_start(folder)
    studio = open_studio(start.studio)
    chosen: dict[str, JsonValue] = {f"budget.{name}": cap for name, cap in (caps or {}).items()}
    chosen |= {"model": model} if isinstance(model, str) else {}
    chosen |= {"images.backend": backend} if isinstance(backend, str) else {}
    config = resumed_config(start, folder, chosen, as_recorded=as_recorded)
    if as_recorded:
        remember(folder)

    # A model or backend of a program is not in the record, and has to be given again.
    model = None if isinstance(model, str) else model
    backend = None if isinstance(backend, str) else backend
    if model is None and config.model == CUSTOM_MODEL:
        if start.worst_case_calls == 0:
            raise RunError(
                f"{run} was made without a model, step by step or by redraft undo or choose; there is nothing "
                f"to resume. Continue from it with --on {quote(str(folder))}, or repeat that step."
            )
        raise ConfigError(f"{run} was made with a model object of a Python program; resume it there, with model=….")
    if backend is None and config.images.backend == CUSTOM_MODEL:
        raise ConfigError(f"{run} was made with an image backend of a Python program; resume it there, with backend=….")

    # A finished run is read back; its effects are on record, so that missing files can be made from them.
    record = Record.load(folder)
    if record.transcript.finished:
        if not (missing := [path.name for path in record.delivered().values() if not path.exists()]):
            notify("already finished; nothing is repeated")
            settings = settings_of(studio, config.studios.get(studio.name, {}))
            result = record.result()
            return studio.handed_over(result, settings) or studio.hand_over(result, settings)
        notify(f"already finished; restoring what is missing: {', '.join(missing)}")
    resumed = Run.of(
        studio,
        recorded_brief(start, on, folder),
        config,
        folder,
        model=model,
        backend=backend,
        generations=recorded_path(start, "generations", folder),
        draw=_sketch_backend(config, notify),
        notify=notify,
        observer=observer,
    )
    return studio.hand_over(await execute(resumed), resumed.settings)


async def aundo(
    run: Result | Path | str,
    steps: int = 1,
    *,
    out: Path | str | None = None,
    as_recorded: bool = False,
    observer: Observer | None = None,
    clock: Clock = system_clock,
) -> Result:
    """Deliver the artifact as it was `steps` edits earlier, in a new run folder; nothing is deleted.

    `as_recorded` is as in `resume`.

    Raises:
        RunError: the run has fewer earlier steps. ConfigError: as in `resume`.
    """
    from redraft.record.transcript import Record

    if steps < 1:
        raise ConfigError(f"undo {steps}: give the number of edits to take back, from 1.")
    target, start, before = run_folder(Path(run)), *read_start(run_folder(Path(run)))
    root = target.parent
    for step in range(steps):
        if before is None:
            if step == 0:
                raise RunError(f"{run} has no earlier step to go back to: it was not made with --on.")
            raise RunError(f"{run} has only {plural(step, 'earlier step')}, so {steps} cannot be undone.")
        resumed_config(start, target, {}, as_recorded=as_recorded, within="brief.on")
        target, start, before = before, *read_start(before)
    instruction = f"undo {steps}"
    with _folder(out, root, clock, instruction) as folder:
        refuse_used(folder)
        artifact = open_studio(start.studio).open(Brief(instruction="undo", on=target))
        brief = Brief(instruction=instruction, on=before, concepts=recorded_concepts(start))
        report = Record.load(target).transcript.report
        studios = resumed_config(start, target, {}, as_recorded=as_recorded, within="studios.").studios
        return await _redeliver(target, start, brief, artifact, report, studios, folder, observer, clock)


async def achoose(
    run: Result | Path | str,
    candidate: int,
    *,
    out: Path | str | None = None,
    as_recorded: bool = False,
    observer: Observer | None = None,
    clock: Clock = system_clock,
) -> Result:
    """Deliver another of the candidates that a run drafted in its first turn, in a new run folder.

    `as_recorded` is as in `resume`.

    Raises:
        RunError: the run has no such candidate, or it did not run. ConfigError: as in `resume`.
    """
    from redraft.record.transcript import Record, drafted

    target = run_folder(Path(run))
    start, before = read_start(target)
    record = Record.load(target)
    draft = drafted(record.events, candidate)
    if draft is None:
        count = recorded_config(start, target).loop.candidates
        ran = [str(number) for number in range(count) if drafted(record.events, number) is not None]
        if count == 1:
            reason = "the run made one draft, which is delivered. Several are made with --candidates N."
        else:
            reason = f"those that ran are {', '.join(ran)}." if ran else "none of its candidates ran."
        raise RunError(f"{run} has no candidate {candidate} to choose: {reason}")
    data, report = draft
    instruction = str(start.brief.get("instruction") or f"candidate {candidate}")
    with _folder(out, target.parent, clock, instruction) as folder:
        refuse_used(folder)
        artifact = open_studio(start.studio).artifact_model.model_validate_json(json.dumps(data))
        brief = Brief(instruction=instruction, on=before, concepts=recorded_concepts(start))
        studios = resumed_config(start, target, {}, as_recorded=as_recorded, within="studios.").studios
        return await _redeliver(target, start, brief, artifact, report.upheld(), studios, folder, observer, clock)


async def _redeliver(
    target: Path,
    start: RunStarted,
    brief: Brief,
    artifact: Any,
    report: Report,
    studios: dict[str, dict[str, JsonValue]],
    folder: Path,
    observer: Observer | None,
    clock: Clock,
) -> Result:
    """Deliver an artifact of a run, with its report, in a folder of its own."""
    from redraft.loop.run import CUSTOM_MODEL, Run
    from redraft.loop.turns import redeliver
    from redraft.models.scripted import ScriptedModel

    # With the studio's settings of that run, files that are made for the delivery alone are as they were.
    config = Config(model=CUSTOM_MODEL, seed=start.seed, studios=studios)
    run = Run.of(
        open_studio(start.studio),
        brief,
        config,
        folder,
        model=ScriptedModel([], name="none"),
        draw=_sketch_backend(config, silent),
        observer=observer,
        clock=clock,
    )
    run.generations = None
    run.earlier = (target,)
    return await redeliver(run, artifact, report)


def resumed_config(
    start: RunStarted, folder: Path, given: Mapping[str, JsonValue], *, as_recorded: bool = False, within: str = ""
) -> Config:
    """Return the settings that a run goes on with.

    `given` are settings for this time, by dotted keys. Only those whose keys begin with `within` have to be trusted.

    Raises:
        ConfigError: the record has settings that do not count without `as_recorded`.
    """
    own = check_config(None, given, "as a keyword argument").config
    config, untrusted = config_to_resume(start, folder, own, chosen=given, as_recorded=as_recorded)
    if untrusted := [one for one in untrusted if one.key.startswith(within)]:
        lines = "\n".join(f"  {one}" for one in untrusted)
        raise ConfigError(
            f"The record in {folder} has settings that are not yours and need your trust:\n{lines}\n"
            "If you want them, add --as-recorded (in Python, as_recorded=True)."
        )
    return config


def _sketch_backend(config: Config, notify: Notify) -> Draw:
    """Return the drawing function of the embedded image backend: the sketch studio, in a run that leaves no files."""

    async def draw(request: ImageRequest) -> Drawn:
        with temporary("drawing-") as place:
            try:
                result = await arun(
                    "sketch",
                    request.prompt,
                    config=Config(
                        model=config.images.sketch_model,
                        models=config.models,
                        seed=request.seed,
                        budget=config.budget,
                        studios={"sketch": {"size": min(request.width, request.height)}},
                    ),
                    described=True,
                    out=place / "drawing",
                    notify=notify,
                )
            except BriefError as error:
                raise ImageBackendError(
                    f"The sketch studio cannot draw this prompt: {error} Choose another backend: redraft resume RUN "
                    "--backend NAME."
                ) from error
            if "png" not in result.files:
                reason = "nothing ran" if result.error is None else str(result.error["message"])
                raise ImageBackendError(f"The sketch studio drew nothing: {reason}")
            return Drawn(read_file(result.files["png"], PICTURE), result.report.stand_ins)

    return draw


@contextmanager
def _one_interrupt() -> Generator[None]:
    """Let the first Ctrl-C cancel the work, and ignore further ones while it stops.

    The event loop would raise the second one in whatever runs then, its own code too, which can leave a task that never
    ends.
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    stopping = False

    def once(number: int, frame: FrameType | None) -> None:
        nonlocal stopping
        if not stopping:
            stopping = True
            handler(number, frame)

    signal.signal(signal.SIGINT, once)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)


_Running = tuple[asyncio.AbstractEventLoop, "asyncio.Task[Any]"]


def _in_thread(work: Callable[[], Coroutine[Any, Any, T]], tasks: list[_Running]) -> T:
    """Do work in an event loop of a thread of its own, and wait for it; an interrupt cancels the `tasks`."""
    box: list[T | BaseException] = []
    ended = threading.Event()

    def inside() -> None:
        try:
            box.append(anyio.run(work))
        except BaseException as error:  # raised in the caller's thread
            box.append(error)
        finally:
            ended.set()

    thread = threading.Thread(target=inside, name="redraft")
    try:
        thread.start()
        ended.wait()  # `join` takes an interrupted thread for a finished one
    except KeyboardInterrupt:  # a notebook's stop button ends the work as Ctrl-C does
        for loop, task in tasks:
            loop.call_soon_threadsafe(task.cancel)
        if thread.ident is not None:
            ended.wait()
        raise
    outcome = box[0]
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def blocking(work: Callable[P, Coroutine[Any, Any, T]]) -> Callable[P, T]:
    """Return the form of a function for code that does not await.

    It also works within a running event loop, where it uses a thread.
    """

    @functools.wraps(work)
    def call(*args: P.args, **kwargs: P.kwargs) -> T:
        tasks: list[_Running] = []

        async def bound() -> T:
            tasks.append((asyncio.get_running_loop(), cast("asyncio.Task[Any]", asyncio.current_task())))
            with _one_interrupt():
                return await work(*args, **kwargs)

        try:
            anyio.lowlevel.current_token()
        except RuntimeError:
            in_event_loop = False
        else:
            in_event_loop = True
        try:
            return _in_thread(bound, tasks) if in_event_loop else anyio.run(bound)
        except RedraftError as error:  # without the frames of redraft and of the event loop, which hide its message
            raise error.with_traceback(None) from error.__cause__

    call.__name__ = call.__qualname__ = work.__name__.removeprefix("a")
    return call


run = blocking(arun)
resume = blocking(aresume)
undo = blocking(aundo)
choose = blocking(achoose)


def sketch(instruction: str, **options: Any) -> Result:
    """Draw what a sentence asks for; as `run("sketch", …)`."""
    return run("sketch", instruction, **options)


def shader(instruction: str = "", **options: Any) -> Result:
    """Write a shader for a sentence, or toward a `target` picture; as `run("shader", …)`."""
    return run("shader", instruction, **options)


def scene(instruction: str = "", **options: Any) -> Result:
    """Build a Blender scene for a sentence, or toward a `target` picture; as `run("scene", …)`."""
    return run("scene", instruction, **options)


def board(file: Path | str, instruction: str, **options: Any) -> Result:
    """Place components of a KiCad board as a sentence says; as `run("board", instruction, source=file, …)`.

    `to` names the file to write the placed board to, when it is not worse than the original; it is in the run's folder
    anyway. `in_place` writes the board itself and keeps the original as `.bak`; `force` writes it even if it is worse.

    Raises:
        BoardError: the board cannot be read or written. BriefError: the sentence names a component that is missing.
    """
    return run("board", instruction, source=file, **options)


def image(
    concepts: str | Sequence[str] = "", *, profile: TasteProfile | Path | str | None = None, **options: Any
) -> Result:
    """Make an image: choose concepts, write its prompt, have it painted, and keep the record.

    Args:
        concepts: the things to show, as a list or separated by commas; with `on`, the change to that run's picture.
        profile: a `TasteProfile`, or the path of its file.
        options: as in `run("image", …)`: `concepts_file`, `count`, `scoring`, `backend` …

    Raises:
        IdeaError: cards or scores are unusable (it is a `ValueError` too); the transcript is still written.
    """
    if not isinstance(concepts, str):
        return run("image", profile=profile, concepts=concepts, **options)
    return run("image", concepts, profile=profile, **options)


run_generation = image
"""`image`, by the name that its specification gives it."""
