"""Tools of every studio that drafts: draft, edit, look, compare, export, undo; and the lookup in the fix memory.

They are made from what a studio declares, so a studio of a third party has them too. A studio with other tools brings
a subclass of `StudioTools` or `DraftTools`.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, ClassVar, Union

import anyio
import anyio.to_thread
from anyio.abc import TaskStatus
from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, ResourceLink
from pydantic import BaseModel, Field, JsonValue, create_model

from redraft import api
from redraft.config import Config
from redraft.errors import BriefError, RedraftError
from redraft.loop.drafting import Drafting, Edit, Step
from redraft.mcp.opened import OpenWorks, PathText
from redraft.mcp.tool import (
    Answer,
    Effect,
    Finding,
    StudioTool,
    StudioTools,
    answer,
    findings_of,
    make_tool,
    pictured,
    reporting,
    within,
    words_beside,
)
from redraft.models.conversation import Prompts
from redraft.result import Picture, Report
from redraft.studios import open_studio
from redraft.studios.base import Studio
from redraft.studios.kinds import PaintingStudio, ProgramStudio
from redraft.studios.wording import stating
from redraft.tokens import estimate

_log = logging.getLogger(__name__)

PICTURES = (".png", ".jpg", ".jpeg", ".webp")
MAX_VIEWS = 4
TOKENS = 1_300
"""Of an answer, at most; facts and findings are cut to it."""
LINES = 250
"""Tokens of other lists in an answer."""
ERROR = 3_000
"""Characters of an error."""

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


class DraftTools(StudioTools):
    """The tools of a studio that drafts, made from what the studio declares."""

    export_options: ClassVar[Mapping[str, Any]] = {}
    """Further arguments of the export, which go to `exported`: name → type and default."""
    contract_inputs: ClassVar[Mapping[str, Any]] = {}
    """Inputs of the template that says what a draft looks like, where they differ from the settings of the name."""

    def __init__(self, name: str, works: OpenWorks, config: Config, *, by_handle: bool) -> None:
        super().__init__(name, works, config, by_handle=by_handle)
        self.studio: Studio[Any, Any] = open_studio(name)
        self.words = words_beside(type(self.studio))

    def tools(self) -> list[StudioTool]:
        """Return the tools: draft, edit, look, compare, export or paint, undo, as far as the studio has them."""
        studio, painting = self.studio, isinstance(self.studio, PaintingStudio)
        written, form = studio.written
        states = "requirements" in studio.artifact_model.model_fields
        texts = {
            "studio": studio.name,
            "purpose": studio.purpose,
            "views": ", ".join(studio.views),
            "files": ", ".join(role for role, _ in studio.deliverables) or "json",
            "contract": self._contract(),
        }

        def made(verb: str, fn: Callable[..., Any], answer: type[BaseModel], effect: Effect, **fields: Any) -> None:
            arguments = create_model(verb, **fields)
            name = f"{studio.name}_{verb}"
            tools.append(self.make(fn, answer, effect, name=name, arguments=arguments, texts=texts))

        tools: list[StudioTool] = []
        picture = (bool, True)
        settings: dict[str, Any] = {}  # as the studio's command has them; what is left out stays
        for name in studio.adjustable:
            info = studio.settings_model.model_fields[name]
            either = info.annotation if info.default is None else Union[info.annotation, None]  # noqa: UP007  a value
            settings[name] = (Annotated[(either, *info.metadata, Field())], None)

        fields: dict[str, Any] = {"brief": (Words, "")}
        if "concepts" in studio.takes:
            fields = {"concepts": (Annotated[list[str], Field(max_length=100)], ...)}
        fields[written] = (dict[str, JsonValue] if form == "json" else str, ...)
        if form == "program" and states:
            fields["requirements"] = (Statements, [])
        made("draft", self.draft, Drafted, "changes", **fields, **settings, picture=picture)

        if form == "json":
            made("edit", self.edit, Drafted, "changes", patch=(dict[str, JsonValue], ...), picture=picture)
        elif form == "program":
            fields = {"edits": (Annotated[list[Edit], Field(max_length=200)], [])}
            if states:
                fields |= {"requirements": (Statements, []), "mismatches": (Statements, [])}
            made("edit", self.edit, Drafted, "changes", **fields, **settings, picture=picture)

        if not painting:
            views = Annotated[list[str], Field(max_length=MAX_VIEWS)]
            made("look", self.look, Looked, "reads", views=(views, []))
        if "target" in studio.takes:
            made("compare", self.compare, Drafted, "changes", target=(PathText, ...), picture=picture)
        folder = {"folder": (PathText, ...), "overwrite": (bool, False), **self.export_options}
        made("paint" if painting else "export", self.export, Exported, "writes", **folder)
        made("undo", self.undo, Drafted, "changes", redo=(bool, False))
        return tools

    def _contract(self) -> str:
        """Return the form of a draft in the words of the studio's prompts, and the requirements that it may state."""
        studio = self.studio
        if not studio.contract:
            return ""
        prompts = Prompts(type(studio).__module__)
        section = self.config.studios.get(studio.name, {})
        settings = studio.settings_model.model_validate(section).model_dump(mode="json")
        inputs: dict[str, Any] = {**settings, "settings": settings, "seconds": settings.get("limit")}
        inputs |= {name: settings.get(name) or 1024 for name in ("width", "height")}
        inputs |= self.contract_inputs
        text = prompts.render(studio.contract, {name: inputs.get(name, "") for name in prompts.names(studio.contract)})
        if "requirements" not in studio.artifact_model.model_fields:
            return text

        statements: dict[str, Any] = stating("scene" if studio.written[1] == "program" else "drawing")
        kinds: list[str] = []
        for row in statements["kinds"]:
            optional = f" (+ {', '.join(row['may'])})" if row["may"] else ""
            kinds.append(f"{row['kind']} {row['example']}{optional}")
        choices = "; ".join(f"{name}: {'|'.join(values)}" for name, values in statements["choices"].items())
        return (
            f"{text}\n`requirements` are measured statements about named parts, e.g. "
            '{"kind": "relation", "quote": "a cat on the roof", "parts": ["cat"], "relation": "on", "of": ["roof"]}. '
            "`quote`: the words of the brief, verbatim; leave it out for your own intention. State each claim that can "
            f"be measured. * in a name stands for any characters; lengths {statements['unit']}. "
            f"Kinds: {'; '.join(kinds)}. {choices}."
        )

    async def draft(self, ctx: Context, picture: bool, **given: Any) -> CallToolResult:
        written, form = self.studio.written
        draft, concepts = given[written], given.get("concepts", [])
        if isinstance(self.studio, ProgramStudio) and not draft.strip():
            raise BriefError(f"`{written}` is empty. Give the whole {self.studio.language} program.")
        brief = ", ".join(concepts) or given.get("brief", "").strip()
        session: Drafting | None = self.works.own(self.studio.name)
        if session is None or (brief and brief != session.name):
            inputs = {"concepts": concepts} if concepts else {}
            session = await begin(self.works, self.config, self.studio.name, brief, **inputs)

        async def step(session: Drafting) -> Step:
            self._adjust(session, given)
            if form == "text":
                return await session.draft(draft)
            if form == "json":
                return await session.draft(session.reply("", "", draft))
            stated = given.get("requirements")
            return await session.draft(session.reply(draft, brief, {"requirements": stated} if stated else None))

        return await self._stepped(session, ctx, step, picture=picture)

    async def edit(self, ctx: Context, picture: bool, **given: Any) -> CallToolResult:
        async def step(session: Drafting) -> Step:
            if "patch" in given:
                return await session.draft(session.reply("", "", given["patch"]), "edit")
            edits: list[Edit] = given["edits"]
            beside = {name: stated for name in ("requirements", "mismatches") if (stated := given.get(name))}
            self._adjust(session, given)
            code = session.edited(edits) if edits or session.failed else ""
            approach = f"{len(edits)} edits" if len(edits) != 1 else f"1 edit: {edits[0].after.strip()[:80]}"
            return await session.draft(session.reply(code, approach, beside if beside or not code else None), "edit")

        return await self._stepped(self._session, ctx, step, picture=picture)

    async def look(self, ctx: Context, views: list[str]) -> CallToolResult:
        async with self._session.turn() as session:
            pictures = await reporting(ctx, "Rendering", lambda: session.look(views))
        return answer(Looked(views=tuple(picture.name for picture in pictures)), await pictured(pictures))

    async def compare(self, ctx: Context, target: str, picture: bool) -> CallToolResult:
        session, path = self._session, self.works.folders.file(target, PICTURES)
        return await self._stepped(session, ctx, lambda session: session.aim(path), picture=picture)

    async def undo(self, ctx: Context, redo: bool) -> CallToolResult:
        async def step(session: Drafting) -> Step:
            return session.undo(redo=redo)

        return await self._stepped(self._session, ctx, step, picture=False)

    async def export(self, ctx: Context, folder: str, overwrite: bool, **options: Any) -> CallToolResult:
        session, exports = self._session, self.works.exports
        target = self.works.folders.folder(folder, overwrite=overwrite)
        if target in exports:
            raise BriefError(f"Another export is writing to {folder!r}. Name another folder.")
        exports.add(target)
        try:
            async with session.turn():
                files = await reporting(ctx, f"Finishing the {self.studio.name}", lambda: session.export(target))
                pictures = await pictured(await session.look()) if isinstance(self.studio, PaintingStudio) else []
                notes = [*session.warnings]
                if session.failed:
                    notes.append("The draft that failed is not in it: this is the step before.")
                if placeholders := session.stand_ins:
                    notes.append(f"only placeholders, or nothing, were made for: {', '.join(placeholders)}")
        finally:
            exports.discard(target)
        sent, more = await self.exported(files, session.name, **options)
        notes += more
        links = [
            ResourceLink(name=path.name, uri=f"work://{session.handle}/{path.name}")
            for path in files.values()
            if path.parent == target and path.is_file()
        ]
        paths = {role: str(path) for role, path in files.items()}
        return answer(Exported(files=paths, sent=sent, notes=within(notes, LINES)), pictures, links)

    async def exported(self, files: Mapping[str, Path], name: str, **options: Any) -> tuple[str, list[str]]:
        """Do what the `export_options` ask for, and return where the result was sent, and notes on it."""
        return "", []

    @property
    def _session(self) -> Drafting:
        return self.works.find(self.studio.name)

    def _adjust(self, session: Drafting, given: Mapping[str, Any]) -> None:
        session.adjust({name: given[name] for name in self.studio.adjustable if given.get(name) is not None})

    async def _stepped(
        self,
        session: Drafting,
        ctx: Context,
        step: Callable[[Drafting], Awaitable[Step]],
        *,
        picture: bool,
    ) -> CallToolResult:
        """Do a step and return its outcome."""
        async with session.turn():
            done = await reporting(ctx, f"{self.studio.name}: executing", lambda: step(session))
            pictures: list[Picture] = []
            if picture and done.candidate is not None:
                pictures = await pictured(await session.beside_target() or await session.look(self.studio.views[:1]))
        return answer(drafted(session, done), pictures, is_error=done.failure is not None)


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
            from redraft.fixes.error_cache import open_error_cache

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
) -> Drafting:
    """Open a new work of a studio in a task of the server, which holds its workers until it is closed.

    Raises:
        BriefError: the brief is empty, or the server ends. RedraftError: as `api.drafting`.
    """
    if not brief:
        raise BriefError("`brief` is empty and nothing is open. Say what is asked for, in the user's words.")
    if works.tasks is None:
        raise BriefError("The server is shutting down.")
    settings = settled(works, config)

    async def host(*, task_status: TaskStatus[Drafting]) -> None:
        began = False
        try:
            async with api.drafting(studio, brief, config=settings, earlier=earlier, **inputs) as session:
                began = True
                task_status.started(session)
                await session.ended()
        except Exception:
            if not began:
                raise
            _log.exception("%s: the record was not written", studio)  # no call waits for the end of a work

    session: Drafting = await works.tasks.start(host)
    try:
        return works.put(studio, brief, session)
    except RedraftError:
        session.closed.set()
        raise


def drafted(session: Drafting, step: Step) -> Drafted:
    """Return a step as a client gets it, within its budget of tokens."""
    told: dict[str, Any] = {
        "handle": session.handle,
        "step": step.number,
        "changed": within(step.changed, LINES),
        "can_undo": session.can_undo,
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
