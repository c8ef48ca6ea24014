"""Tools of every studio that drafts: draft, edit, look, compare, export, undo; and an image's history, the memory.

They are made from what a studio declares, so a studio of a third party has them too. The board studio has tools of its
own.
"""

from __future__ import annotations

import inspect
import io
import logging
import struct
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar, Union

import anyio
import anyio.to_thread
from anyio.abc import TaskStatus
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import CallToolResult, ResourceLink
from pydantic import BaseModel, Field, JsonValue, create_model

from redraft import api
from redraft.config import Config
from redraft.conversation import Prompts
from redraft.drafting import Drafting, Edit, Step
from redraft.errors import BriefError, RedraftError, SendError
from redraft.limits import EXPORT, read_file
from redraft.mcp.opened import OpenWork, OpenWorks, PathText
from redraft.mcp.tool import Answer, Finding, StudioTool, answer, findings_of, make_tool, signature_of, within
from redraft.result import Picture, Report
from redraft.runs import generations_of
from redraft.spatial.views.tokens import estimate
from redraft.studios.base import Studio
from redraft.studios.kinds import PaintingStudio, ProgramStudio
from redraft.studios.wording import stating

T = TypeVar("T")
_log = logging.getLogger(__name__)

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
MOST_VIEWS = 4
TOKENS = 1_300
"""Of an answer, at most; facts and findings are cut to it."""
LINES = 250
"""Tokens of other lists in an answer."""
LONGER_SIDE = 1_600
"""Pixels of a picture in an answer; a larger one is made smaller."""
ERROR = 3_000
"""Characters of an error."""
BEAT = 5.0
"""Seconds between two notices of progress."""

Words = Annotated[str, Field(max_length=40_000)]
Statements = Annotated[list[dict[str, JsonValue]], Field(max_length=200)]


class Drafted(Answer):
    """The current step."""

    handle: str
    step: int
    summary: str = ""
    valid: bool
    """No error is left, and every requirement holds."""
    distance: str = ""
    """From the target, by its metric."""
    requirements: str = ""
    findings: tuple[Finding, ...] = ()
    not_measured: tuple[str, ...] = ()
    """Words of the brief that no requirement covers."""
    set_aside: tuple[str, ...] = ()
    """Requirements that cannot be measured as stated."""
    changed: tuple[str, ...] = ()
    """Fixes that were made in the program."""
    facts: tuple[str, ...] = ()
    error: str = ""
    """The reason that the draft did not run."""
    can_undo: int
    record: str = ""
    """Folder of the record."""


class Looked(Answer):
    """The pictures, in order."""

    views: tuple[str, ...]


class Exported(Answer):
    """The files of an export."""

    files: dict[str, str]
    """Path by role."""
    sent: str = ""
    notes: tuple[str, ...] = ()


def draft_tools(works: OpenWorks, config: Config, studio: Studio[Any, Any], *, by_handle: bool) -> list[StudioTool]:
    """Return a studio's tools."""
    name = studio.name
    texts = {
        "studio": name,
        "purpose": studio.purpose,
        "views": ", ".join(studio.views),
        "files": ", ".join(role for role, _ in studio.deliverables) or "json",
        "contract": _contract(studio, config),
    }
    made = partial(make_tool, by_handle=by_handle, **texts)
    tools = [made(_draft(works, config, studio), Drafted, "changes")]
    if studio.written[1] != "text":
        tools.append(made(_edit(works, studio), Drafted, "changes"))
    if not isinstance(studio, PaintingStudio):
        tools.append(made(_look(works, studio), Looked, "reads"))
    if "target" in studio.takes:
        tools.append(made(_compare(works, studio), Drafted, "changes"))
    tools.append(made(_export(works, studio), Exported, "writes"))
    tools.append(made(_undo(works, studio), Drafted, "changes"))
    return tools


def _contract(studio: Studio[Any, Any], config: Config) -> str:
    """The form of a draft, in the words of the studio's own prompts, and the requirements that it may state."""
    if not studio.contract:
        return ""
    prompts = Prompts(type(studio).__module__)
    settings = studio.settings_model.model_validate(config.studios.get(studio.name, {}))
    inputs: dict[str, Any] = {
        **settings.model_dump(mode="json"),
        "settings": settings.model_dump(mode="json"),
        "blender": "",
        "assets": [],
        "lacks": [],
        "kinds": [],
        "history": "",
    }
    inputs |= {
        "seconds": inputs.get("limit"),
        "width": inputs.get("width") or 1024,
        "height": inputs.get("height") or 1024,
    }
    text = prompts.render(studio.contract, {name: inputs.get(name, "") for name in prompts.names(studio.contract)})
    if "requirements" not in studio.artifact_model.model_fields:
        return text
    found: dict[str, Any] = stating("scene" if studio.written[1] == "program" else "drawing")
    kinds = "; ".join(f"{row['kind']} {row['example']}{_also(row['may'])}" for row in found["kinds"])
    choices = "; ".join(f"{name}: {'|'.join(values)}" for name, values in found["choices"].items())
    return (
        f"{text}\n`requirements` are measured statements about named parts, e.g. "
        '{"kind": "relation", "quote": "a cat on the roof", "parts": ["cat"], "relation": "on", "of": ["roof"]}. '
        "`quote`: the words of the brief, verbatim; leave it out for your own intention. State each claim that can be "
        f"measured. * in a name stands for any characters; lengths {found['unit']}. Kinds: {kinds}. {choices}."
    )


def _also(fields: Sequence[str]) -> str:
    return f" (+ {', '.join(fields)})" if fields else ""


def _named(fn: Callable[..., Any], name: str, model: type[BaseModel], answer: type[BaseModel]) -> Callable[..., Any]:
    """A function of a context and keywords as a tool's function: the arguments are the model's fields."""
    own = signature_of(model, answer)
    context = inspect.Parameter("ctx", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=Context)
    fn.__name__ = name
    fn.__doc__ = None
    fn.__annotations__ = {"ctx": Context, "return": answer}
    fn.__signature__ = own.replace(parameters=[context, *own.parameters.values()])  # pyright: ignore[reportFunctionMemberAccess]
    return fn


def _draft(works: OpenWorks, config: Config, studio: Studio[Any, Any]) -> Callable[..., Any]:
    written, form = studio.written
    fields: dict[str, Any] = {"brief": (Words, "")} if "concepts" not in studio.takes else {}
    if "concepts" in studio.takes:
        fields["concepts"] = (Annotated[list[str], Field(max_length=100)], ...)
    fields[written] = (dict[str, JsonValue] if form == "json" else str, ...)
    if form == "program" and "requirements" in studio.artifact_model.model_fields:
        fields["requirements"] = (Statements, [])
    fields |= _adjustable(studio) | {"picture": (bool, True)}

    async def draft(ctx: Context, **given: Any) -> CallToolResult:
        concepts = given.get("concepts", [])
        if isinstance(studio, ProgramStudio) and not given[written].strip():
            raise BriefError(f"`{written}` is empty. Give the whole {studio.language} program.")
        brief = ", ".join(concepts) or given.get("brief", "").strip()
        work = works.own(studio.name)
        if work is None or (brief and brief != work.name):
            inputs = {"concepts": concepts} if concepts else {}
            work = await begin(works, config, studio.name, brief, **inputs)
        session: Drafting[Any] = work.session

        async def step() -> Step[Any]:
            session.adjust(_given(studio, given))
            return await session.draft(_reply(session, form, given[written], given.get("requirements", []), brief))

        return await _stepped(work, ctx, step, picture=given["picture"])

    return _named(draft, f"{studio.name}_draft", create_model("Draft", **fields), Drafted)


def _adjustable(studio: Studio[Any, Any]) -> dict[str, Any]:
    """Settings of the studio as arguments, as its command has them; what is left out stays."""
    found: dict[str, Any] = {}
    for name in studio.adjustable:
        info = studio.settings_model.model_fields[name]
        either = info.annotation if info.default is None else Union[info.annotation, None]  # noqa: UP007  a value
        found[name] = (Annotated[(either, *info.metadata, Field())], None)
    return found


def _given(studio: Studio[Any, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in studio.adjustable if given.get(name) is not None}


def _reply(session: Drafting[Any], form: str, draft: Any, statements: Sequence[JsonValue], approach: str) -> str:
    if form == "program":
        return session.reply(draft, approach, {"requirements": [*statements]} if statements else None)
    return session.reply("", "", draft) if form == "json" else str(draft)


def _edit(works: OpenWorks, studio: Studio[Any, Any]) -> Callable[..., Any]:
    form = studio.written[1]
    if form == "json":
        fields: dict[str, Any] = {"patch": (dict[str, JsonValue], ...)}
    else:
        fields = {"edits": (Annotated[list[Edit], Field(max_length=200)], [])}
        if "requirements" in studio.artifact_model.model_fields:
            fields |= {"requirements": (Statements, []), "mismatches": (Statements, [])}
        fields |= _adjustable(studio)
    fields["picture"] = (bool, True)

    async def edit(ctx: Context, **given: Any) -> CallToolResult:
        work: OpenWork[Drafting[Any]] = works.find(studio.name)

        async def step() -> Step[Any]:
            session = work.session
            if form == "json":
                return await session.draft(session.reply("", "", given["patch"]), "edit")
            edits = given["edits"]
            beside = {name: stated for name in ("requirements", "mismatches") if (stated := given.get(name))}
            session.adjust(_given(studio, given))
            code = session.edited(edits) if edits or session.failed else ""
            approach = f"{len(edits)} edits" if len(edits) != 1 else f"1 edit: {edits[0].after.strip()[:80]}"
            text = session.reply(code, approach, beside if beside or not code else None)
            return await session.draft(text, "edit")

        return await _stepped(work, ctx, step, picture=given["picture"])

    return _named(edit, f"{studio.name}_edit", create_model("EditDraft", **fields), Drafted)


def _look(works: OpenWorks, studio: Studio[Any, Any]) -> Callable[..., Any]:
    async def look(ctx: Context, **given: Any) -> CallToolResult:
        work: OpenWork[Drafting[Any]] = works.find(studio.name)
        views: list[str] = given["views"]
        async with work.turn:
            found = await reporting(ctx, "Rendering", lambda: work.session.look(views))
        return answer(Looked(views=tuple(picture.name for picture in found)), await pictured(found))

    views = Annotated[list[str], Field(max_length=MOST_VIEWS)]
    return _named(look, f"{studio.name}_look", create_model("Look", views=(views, [])), Looked)


def _compare(works: OpenWorks, studio: Studio[Any, Any]) -> Callable[..., Any]:
    async def compare(ctx: Context, **given: Any) -> CallToolResult:
        work: OpenWork[Drafting[Any]] = works.find(studio.name)
        target = works.folders.file(given["target"], PICTURES)
        return await _stepped(work, ctx, lambda: work.session.aim(target), picture=given["picture"])

    fields: dict[str, Any] = {"target": (PathText, ...), "picture": (bool, True)}
    return _named(compare, f"{studio.name}_compare", create_model("Compare", **fields), Drafted)


def _export(works: OpenWorks, studio: Studio[Any, Any]) -> Callable[..., Any]:
    async def export(ctx: Context, **given: Any) -> CallToolResult:
        work: OpenWork[Drafting[Any]] = works.find(studio.name)
        folder = works.folders.folder(given["folder"], overwrite=given["overwrite"])
        session = work.session
        if folder in works.exports:
            raise BriefError(f"Another export is writing to {given['folder']!r}. Name another folder.")
        works.exports.add(folder)
        try:
            async with work.turn:
                files = await reporting(ctx, f"Finishing the {studio.name}", lambda: session.export(folder))
                shown = await pictured(await session.look(())) if isinstance(studio, PaintingStudio) else []
                notes = [*session.warnings]
                if session.failed:
                    notes.append("The draft that failed is not in it: this is the step before.")
                if placeholders := session.stand_ins:
                    notes.append(f"only placeholders, or nothing, were made for: {', '.join(placeholders)}")
        finally:
            works.exports.discard(folder)
        sent = ""
        if given.get("send"):
            sent, more = await anyio.to_thread.run_sync(_send, files, work.name[:60])
            notes += more
        links = [
            ResourceLink(name=path.name, uri=f"work://{work.handle}/{path.name}")
            for path in files.values()
            if path.parent == folder and path.is_file()
        ]
        told = Exported(files={role: str(path) for role, path in files.items()}, sent=sent, notes=within(notes, LINES))
        return answer(told, shown, links)

    fields: dict[str, Any] = {"folder": (PathText, ...), "overwrite": (bool, False)}
    if studio.name == "scene":
        fields["send"] = (bool, False)
    verb = "paint" if isinstance(studio, PaintingStudio) else "export"
    return _named(export, f"{studio.name}_{verb}", create_model("Export", **fields), Exported)


def _send(files: Mapping[str, Path], name: str) -> tuple[str, list[str]]:
    """Place a scene into the open Blender; what was placed, empty where nothing was, and notes on it."""
    from redraft.studios.scene.send import send

    try:
        done = send(files, name)
    except SendError as error:  # the files are written all the same
        return "", [f"not sent: {error}"]
    return done.line(), done.notes()


def _undo(works: OpenWorks, studio: Studio[Any, Any]) -> Callable[..., Any]:
    async def undo(ctx: Context, **given: Any) -> CallToolResult:
        work: OpenWork[Drafting[Any]] = works.find(studio.name)

        async def step() -> Step[Any]:
            session = work.session
            session.undo(redo=given["redo"])
            return Step(session.steps[session.at].number, session.current) if session.at >= 0 else Step(0, None)

        return await _stepped(work, ctx, step, picture=False)

    return _named(undo, f"{studio.name}_undo", create_model("Undo", redo=(bool, False)), Drafted)


def image_tools(works: OpenWorks, config: Config, *, by_handle: bool) -> list[StudioTool]:
    """Return the tool that lists earlier pictures."""

    async def image_history(limit: Annotated[int, Field(ge=1, le=50)] = 5) -> CallToolResult:
        from redraft.scoring.history import read_recent

        path = generations_of(settled(works, config))
        rows = await anyio.to_thread.run_sync(read_recent, path, limit) if path.exists() else []
        lines = [f"{', '.join(row.selected_concepts)}: {row.final_image_prompt}" for row in reversed(rows)]
        return answer(Listed(entries=within(lines, 1_200)))

    return [make_tool(image_history, Listed, "reads", by_handle=by_handle)]


class Listed(Answer):
    """Entries, the best or newest first."""

    entries: tuple[str, ...] = ()


def memory_tools(config: Config) -> list[StudioTool]:
    """Return the tool that looks an error up."""

    async def memory_lookup(
        error: Annotated[str, Field(min_length=1, max_length=20_000)],
        code: Annotated[str, Field(max_length=200_000)] = "",
    ) -> CallToolResult:
        def look() -> str:
            from redraft.memory.error_cache import open_error_cache

            cache = open_error_cache(config.memory)
            try:
                return cache.get_few_shot_examples(error, 3, code)
            finally:
                cache.close()

        found = await anyio.to_thread.run_sync(look)
        return answer(Listed(entries=(found[:4_000],) if found else ("no known fix for this error",)))

    return [make_tool(memory_lookup, Listed, "reads")]


def settled(works: OpenWorks, config: Config) -> Config:
    """Return the settings with the folder of records in the first shared folder, where it is relative."""
    return config.model_copy(update={"out": str(works.folders.allowed[0] / config.out)})


async def begin(
    works: OpenWorks, config: Config, studio: str, brief: str, earlier: Path | None = None, **inputs: Any
) -> OpenWork[Drafting[Any]]:
    """Open a new work of a studio in a task of the server, which holds its workers until it is closed.

    Raises:
        BriefError: the brief is empty, or the server ends. RedraftError: as `api.drafting`.
    """
    if not brief:
        raise BriefError("`brief` is empty and nothing is open. Say what is asked for, in the user's words.")
    if works.tasks is None:
        raise BriefError("The server is shutting down.")
    over, turn = anyio.Event(), anyio.Lock()
    settings = settled(works, config)

    async def host(*, task_status: TaskStatus[Drafting[Any]]) -> None:
        began = False
        try:
            async with api.drafting(studio, brief, config=settings, earlier=earlier, **inputs) as session:
                began = True
                task_status.started(session)
                await over.wait()
                await turn.acquire()  # after the calls under way
        except Exception:
            if not began:
                raise
            _log.exception("%s: the record was not written", studio)  # no call waits for the end of a work

    session: Drafting[Any] = await works.tasks.start(host)
    try:
        work = works.put(studio, brief, session, over.set)
    except RedraftError:
        over.set()
        raise
    work.turn = turn
    return work


async def reporting(ctx: Context, message: str, work: Callable[[], Awaitable[T]]) -> T:
    """Do something while the client gets a notice of progress every few seconds; canceled with the call."""
    failure: RedraftError | None = None
    result: T | None = None

    async def beat() -> None:
        seconds = 0.0
        while True:
            await ctx.report_progress(seconds, None, f"{message} ({seconds:.0f} s)" if seconds else message)
            await anyio.sleep(BEAT)
            seconds += BEAT

    async with anyio.create_task_group() as group:
        group.start_soon(beat)
        try:
            result = await work()
        except RedraftError as error:
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return result  # pyright: ignore[reportReturnType]


async def _stepped(
    work: OpenWork[Drafting[Any]], ctx: Context, step: Callable[[], Awaitable[Step[Any]]], *, picture: bool
) -> CallToolResult:
    """Do a step and return its outcome."""
    session = work.session
    async with work.turn:
        done = await reporting(ctx, f"{work.studio}: executing", step)
        shown: list[Picture] = []
        if picture and done.candidate is not None:
            shown = await pictured(await session.beside_target() or await session.look(session.run.studio.views[:1]))
    return answer(drafted(work, done), shown, is_error=done.failure is not None)


def drafted(work: OpenWork[Drafting[Any]], step: Step[Any]) -> Drafted:
    """Return a step as a client gets it, within its budget of tokens."""
    session = work.session
    told: dict[str, Any] = {
        "handle": work.handle,
        "step": step.number,
        "changed": within(step.changed, LINES),
        "can_undo": max(0, session.at) + bool(session.failed),
        "record": str(session.run.folder),
    }
    if step.failure is not None:
        kept = "Edits now apply to this failed draft; undo drops it." if session.failed else "Nothing was changed."
        message = step.failure.message
        short = message if len(message) <= ERROR else f"{message[:ERROR]} … ({len(message) - ERROR:,} more characters)"
        return Drafted(**told, valid=False, error=f"{short}\n{kept}")
    if step.candidate is None:
        return Drafted(**told, valid=False, summary="no draft yet")
    artifact: BaseModel = step.candidate.artifact
    report, score = step.candidate.report, step.candidate.score
    distance = "" if score is None else f"{session.run.metric} {score.best:.4f}, 0 is equal"
    told |= {
        "summary": session.run.studio.summary(artifact),
        "valid": report.valid,
        "distance": distance,
        "requirements": _held(report),
        "findings": findings_of(report),
        "not_measured": within(report.unchecked, LINES) if "requirements" in type(artifact).model_fields else (),
        "set_aside": within(report.set_aside, LINES),
    }
    left = TOKENS - estimate(Drafted(**told).model_dump_json(exclude_defaults=True))
    return Drafted(**told, facts=within(session.run.studio.facts(artifact), left))


def _held(report: Report) -> str:
    stated = [each for each in report.requirements if each.outcome != "withdrawn"]
    held = sum(each.outcome in ("met", "inexact", "waived") for each in stated)
    return f"{held} of {len(stated)} hold" if stated else ""


async def pictured(pictures: Sequence[Picture]) -> list[Picture]:
    """Return the pictures, those that are too large made smaller."""
    return [await anyio.to_thread.run_sync(_smaller, picture) for picture in pictures]


def _smaller(picture: Picture) -> Picture:
    if max(struct.unpack(">II", picture.png[16:24])) <= LONGER_SIDE:  # where a PNG has its width and height
        return picture
    from PIL import Image

    image, buffer = Image.open(io.BytesIO(picture.png)), io.BytesIO()
    image.thumbnail((LONGER_SIDE, LONGER_SIDE), Image.Resampling.LANCZOS)
    image.save(buffer, "PNG")
    return picture.model_copy(update={"png": buffer.getvalue()})


def add_work_resources(server: MCPServer, works: OpenWorks) -> None:
    """`work://{handle}/{file}`: the program, the picture, and exported files of an open work."""

    @server.resource("work://{handle}/{file}", title="A file of an open work", mime_type="application/octet-stream")
    async def work_file(handle: str, file: str) -> bytes:
        """`source` (what was drafted), `picture.png`, or a file of the last export by its name."""
        work = works.visible(handle)
        if work is None or work.studio == "board":
            raise ResourceNotFoundError(f"{handle!r} is not open.")
        session: Drafting[Any] = work.session
        try:
            if file == "source":
                return session.code.encode()
            if file == "picture.png":
                async with work.turn:
                    return (await session.look(()))[0].png
        except (RedraftError, IndexError) as error:
            raise ResourceError(str(error)) from error
        found = None if session.exported is None else session.exported / Path(file).name
        if found is None or not found.is_file() or found.is_symlink() or found.stat().st_size > EXPORT.size:
            raise ResourceNotFoundError(f"{file!r} was not exported, or has more than {EXPORT.in_words}.")
        return read_file(found, EXPORT)

    _ = work_file
