"""MCP tools and resources of an open board: open, look, find, nets, act, check, undo, save.

The actions are those of the action models, so that a tool call, a model's action list and the Python API have the same
names and the same words. Since a schema of all of them would cost a client thousands of tokens in each conversation,
the tool's description lists them in a line each, and the models check what comes.
"""

from __future__ import annotations

import itertools
import re
import threading
import zlib
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from string import Template
from typing import Annotated, Any

import anyio
import anyio.from_thread
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp_types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    PromptReference,
    ResourceTemplateReference,
)
from pydantic import Field, JsonValue, TypeAdapter, ValidationError

from redraft.errors import BoardError, BriefError
from redraft.layout.items import Bounds
from redraft.mcp.opened import Opener, PathText
from redraft.mcp.tool import (
    MOST_LINES,
    Answer,
    Finding,
    StudioTool,
    StudioTools,
    answer,
    finding_of,
    reporting,
    resource_errors,
)
from redraft.result import Issue, Picture, Report, Result
from redraft.studios.board.actions.registry import ACTIONS, Action
from redraft.studios.board.actions.workspace import Moved, Outcome
from redraft.studios.board.nets import NetPage, NetQuery
from redraft.studios.board.session import Session
from redraft.studios.board.words.find import Page, Query
from redraft.text import natural

SUFFIXES = (".kicad_pcb",)
MAX_NAMES = 100
VIEW = 1_750
"""Tokens of a view, as estimated, which is a fifth more than they are."""
MAX_MOVED = 30
"""Moved parts that an answer lists."""

Refs = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=100)]
Window = Annotated[tuple[float, ...], Field(max_length=4)]
Cursor = Annotated[str | None, Field(max_length=60)]


class Opened(Answer):
    """The board that is open now."""

    handle: str
    path: str
    components: int
    locked: int
    bounds: Bounds
    """Box of the board, mm: x0, y0, x1, y1."""
    has_outline: bool
    """False: the file draws no board edge, so nothing can be off the board."""
    notes: tuple[str, ...] = ()
    """Notes on the file, such as a format newer than the supported ones."""


class Seen(Answer, extra="allow"):
    """The compass, or the exact facts of a window."""

    compass: str = ""


class Acted(Answer):
    """The outcome of actions."""

    did: str
    moved: tuple[str, ...] = ()
    """Each moved part with its new middle."""
    gaps: tuple[str, ...] = ()
    """The tightest clearances of what moved, mm."""
    collisions: tuple[str, ...] = ()
    wires: str = ""
    note: str = ""
    changed: int
    """Number of parts that lie elsewhere than when the board was opened."""
    can_undo: int


class Checked(Answer):
    """Findings that the board did not have when it was opened."""

    valid: bool
    """No rule was broken by this session; never that all was verified."""
    asked: tuple[str, ...]
    """The checkers: `redraft`, `KiCad`."""
    findings: tuple[Finding, ...]
    total: int
    next_cursor: str | None = None
    inherited: int = 0
    """Findings that the board already had."""
    unchecked: tuple[str, ...] = ()


class Saved(Answer):
    """The file that was written."""

    path: str
    changed: tuple[str, ...] = ()
    backup: str = ""
    """The file as it was before, when it was saved in place."""


class BoardTools(StudioTools):
    """The eight tools of a board. They load what they need when a board is opened."""

    def tools(self) -> list[StudioTool]:
        """Return the tools, and tell the server's works how boards are opened."""
        self.works.openers["board"] = Opener("board_open", SUFFIXES, take)
        texts = {"folders": ", ".join(map(str, self.works.folders.allowed)), "actions": "\n".join(signatures())}
        make = partial(self.make, texts=texts)
        act = make(self.board_act, Acted, "changes")
        act.parameters["properties"]["actions"]["items"] = {
            "type": "object",
            "properties": {"action": {"enum": [*ACTIONS]}},
            "required": ["action"],
        }
        return [
            make(self.board_open, Opened, "changes", by_handle=False),
            make(self.board_look, Seen, "reads"),
            make(self.board_find, Page, "reads", arguments=Query),
            make(self.board_nets, NetPage, "reads", arguments=NetQuery),
            act,
            make(self.board_check, Checked, "reads"),
            make(self.board_undo, Acted, "changes"),
            make(self.board_save, Saved, "writes"),
        ]

    async def board_open(self, path: PathText, discard: bool = False, ripup: bool = False) -> CallToolResult:
        mine: Session | None = self.works.own("board")
        if mine is not None and mine.unsaved and not discard:
            count = len(mine.changed)
            raise BoardError(
                f"{mine.name} has unsaved changes ({count} part{'s' * (count != 1)} moved). Save it first with "
                "board_save, or pass discard=true to drop them."
            )
        read = partial(Session.open, self.works.folders.file(path, SUFFIXES), ripup=ripup)
        session = await anyio.to_thread.run_sync(read)
        self.works.put("board", session.path.stem, session)
        layout = session.layout
        opened = Opened(
            handle=session.handle,
            path=str(session.path),
            components=len(layout),
            locked=sum(item.locked for item in layout),
            bounds=exact(layout.frame.bounds),
            has_outline=layout.area is not None,
            notes=tuple(filter(None, [session.base.file.newer])),
        )
        return answer(opened)

    async def board_look(
        self,
        refs: Refs = (),
        around: Annotated[float, Field(ge=0, le=1000)] = 5.0,
        window: Window = (),
        picture: bool = False,
    ) -> CallToolResult:
        if refs and window:
            raise BriefError("board_look: give refs or a window, not both; neither for the whole board in words.")
        if window and (len(window) != 4 or window[0] >= window[2] or window[1] >= window[3]):
            raise BriefError(f"window is {[*window]}; give [x0, y0, x1, y1] in mm, with x0 < x1 and y0 < y1.")
        if not refs and not window:
            async with self._session.turn() as session:
                words = await anyio.to_thread.run_sync(session.compass)
                return answer(Seen(compass=words), await session.look() if picture else [])
        return await self._session.work(lambda session: _window(session, refs, around, window, picture))

    async def board_find(self, ctx: Context, **query: Any) -> CallToolResult:
        del ctx
        return answer(await self._session.work(lambda session: session.find(Query(**query))))

    async def board_nets(self, ctx: Context, **query: Any) -> CallToolResult:
        del ctx
        return answer(await self._session.work(lambda session: session.nets(NetQuery(**query))))

    async def board_act(
        self,
        ctx: Context,
        actions: Annotated[list[dict[str, JsonValue]], Field(min_length=1, max_length=200)],
        dry_run: bool = False,
    ) -> CallToolResult:
        from redraft.studios.board.placement import stoppable  # with what plans need, which takes a moment to load

        board, steps = self._session, [_read(number, raw) for number, raw in enumerate(actions, start=1)]
        stopped, count = threading.Event(), itertools.count(1)

        def notify(line: str) -> None:
            anyio.from_thread.run(ctx.report_progress, next(count), None, line)

        def work(session: Session) -> CallToolResult:
            return answer(acted(session, session.do_all(steps, dry_run=dry_run, notify=notify, stop=stopped.is_set)))

        return await stoppable(lambda: board.work(work), stopped)

    async def board_check(
        self,
        ctx: Context,
        drc: bool = False,
        inherited: bool = False,
        limit: Annotated[int, Field(ge=1, le=100)] = 12,
        cursor: Cursor = None,
    ) -> CallToolResult:
        async with self._session.turn() as session:  # nothing moves while KiCad looks
            report, asked = await anyio.to_thread.run_sync(session.check), ["redraft"]
            if drc:
                report += await reporting(ctx, "KiCad checks the board; a large one takes a minute", session.drc)
                asked.append("KiCad")
        return answer(_page(report, tuple(asked), inherited, limit, cursor))

    async def board_undo(self, redo: bool = False) -> CallToolResult:
        return answer(await self._session.work(lambda session: acted(session, session.undo(redo=redo))))

    async def board_save(
        self, out: PathText | None = None, in_place: bool = False, overwrite: bool = False
    ) -> CallToolResult:
        board, folders = self._session, self.works.folders
        target = None if out is None else folders.target(out, SUFFIXES)

        def work(session: Session) -> CallToolResult:
            if in_place:
                folders.file(str(session.path), SUFFIXES)  # it may have become a link to elsewhere since it was opened
            if target is not None and target.exists() and target.samefile(session.path):
                raise BoardError(f"{out} is the open board itself; pass in_place=true instead of `out`.")
            written = session.save(target, in_place=in_place, overwrite=overwrite)
            backup = f"{session.path}.bak" if in_place and Path(f"{session.path}.bak").exists() else ""
            return answer(Saved(path=str(written), changed=session.changed[:MAX_NAMES], backup=backup))

        return await board.work(work)

    def extend(self, server: MCPServer[Any]) -> None:
        """Add `board://compass`, `board://view` and `board://part/{ref}`, completion of references, and a prompt."""

        @server.resource("board://compass", title="The open board in words", mime_type="text/plain")
        async def compass() -> str:
            """Zones, neighbors, shared nets, locked and unplaced parts."""
            with resource_errors():
                return await self.works.find("board").work(Session.compass)

        @server.resource("board://view", title="The open board as a picture", mime_type="image/png")
        async def view() -> bytes:
            """The whole board, 512 × 512."""
            with resource_errors():
                async with self.works.find("board").turn() as session:
                    return (await session.look())[0].png

        @server.resource("board://part/{ref}", title="A part and what is around it", mime_type="application/json")
        async def part(ref: str) -> str:
            """Exact geometry around one part, as `board_look` gives it."""
            with resource_errors():
                board: Session = self.works.find("board")
                return await board.work(lambda session: session.inspect_components((ref,)).text())

        @server.completion()
        async def complete(
            reference: PromptReference | ResourceTemplateReference,
            argument: CompletionArgument,
            context: CompletionContext | None,
        ) -> Completion | None:
            board: Session | None = self.works.own("board")
            if argument.name != "ref" or board is None:
                return None
            begun = argument.value.casefold()
            names = [name for name in board.base.names if name.casefold().startswith(begun)]
            names.sort(key=natural)
            return Completion(values=names[:MAX_NAMES], total=len(names), has_more=len(names) > MAX_NAMES)

        @server.prompt(title="Lay out a board", description="How to work on a board: inspect, act, check.")
        def layout(task: Annotated[str, Field(description="What to place where, in words.")]) -> str:
            return Template(Path(__file__).with_name("layout.md").read_text("utf-8")).substitute(task=task)

        # Registered by their decorators; named so that a reader and the type checker see that they are used.
        _ = (compass, view, part, complete, layout)

    @property
    def _session(self) -> Session:
        return self.works.find("board")


def take(session: Session, result: Result) -> Acted:
    """Bring the components of an open board to where a run has them, as one step."""
    from redraft.studios.board.placement import board_of, placement_of

    return acted(session, session.adopt(board_of(placement_of(result)), "run"))


def _window(
    session: Session, refs: Sequence[str], around: float, box: Sequence[float], picture: bool
) -> CallToolResult:
    from redraft.studios.board.views.microscope import view_of
    from redraft.studios.board.views.picture import picture_of
    from redraft.studios.board.views.window import around as around_parts
    from redraft.studios.board.views.window import region

    layout = session.layout
    window = around_parts(layout, refs, around) if refs else region(layout, (box[0], box[1], box[2], box[3]))
    view = view_of(window, VIEW)
    return answer(view, [Picture(name="board.png", png=picture_of(window, view))] if picture else [])


_action: TypeAdapter[Action] = TypeAdapter(Action)


def _read(number: int, raw: Mapping[str, JsonValue]) -> Action:
    """An action of a call. Raises `BriefError` for one that is malformed: its number, the field, what was given."""
    name = raw.get("action")
    if name not in ACTIONS:
        raise BriefError(f"actions[{number}]: there is no action {name!r:.60}; there are: {', '.join(ACTIONS)}.")
    try:
        return _action.validate_python(raw)
    except ValidationError as error:
        said = "; ".join(
            f"{'.'.join(str(part) for part in problem['loc'][1:]) or name}: "
            f"{problem['msg'].removeprefix('Value error, ')}"
            + ("" if problem["type"] == "missing" else f", given {problem['input']!r:.80}")
            for problem in error.errors()[:5]
        )
        line = signatures([str(name)])[0].split("): ")[0]
        raise BriefError(f"actions[{number}] {name}: {said}. It is {line}).") from error


def signatures(names: Sequence[str] = ()) -> list[str]:
    """Return one line for each action: `rotate(refs, by?, to?): Turn parts …`. Of choices the default stands first."""
    lines: list[str] = []
    for name, model in ACTIONS.items():
        if names and name not in names:
            continue
        schema = model.model_json_schema()
        fields = _fields(schema, schema.get("$defs", {}))
        about = " ".join((model.__doc__ or "").split("\n\n")[0].split())
        lines.append(f"{name}({fields}): {about}")
    return lines


_CHOICE = re.compile(r"[^\[{]*\|[^\[{]*$")
_SHARED = frozenset({"action", "allow_overlap"})
"""Fields that the description of all actions explains."""


def _fields(schema: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:
    required = schema.get("required", [])
    found: list[str] = []
    for name, part in schema["properties"].items():
        if name in _SHARED:
            continue
        kind, default = _kind(part, definitions), part.get("default")
        choices = [str(default), *(c for c in kind.split("|") if c != str(default))] if _CHOICE.match(kind) else []
        if name in required:
            found.append(f"{name}: {kind}" if kind else name)
        elif choices and default is not None:
            found.append(f"{name}={'|'.join(choices)}")
        elif isinstance(default, bool | int | float) or (isinstance(default, str) and default):
            found.append(f"{name}={str(default).lower() if isinstance(default, bool) else default}")
        else:
            found.append(f"{name}?: {kind}" if kind else f"{name}?")
    return ", ".join(found)


def _kind(part: Mapping[str, Any], definitions: Mapping[str, Any]) -> str:  # noqa: PLR0911  a case a line
    """`left|right`, `[…]`, `{ref, edge?: left|right}`; empty for a text or a number."""
    if "$ref" in part:
        return _kind(definitions[part["$ref"].rpartition("/")[2]], definitions)
    if "enum" in part:
        return "|".join(str(value) for value in part["enum"])
    if "const" in part:
        return str(part["const"])
    if "anyOf" in part:
        kinds = [_kind(choice, definitions) for choice in part["anyOf"] if choice.get("type") != "null"]
        return "|".join(filter(None, kinds))
    if part.get("type") == "array":
        return f"[{_kind(part.get('items', {}), definitions)}]"
    if "properties" in part:
        return f"{{{_fields(part, definitions)}}}"
    if part.get("type") == "object":
        return f"{{ref: {_kind(part.get('additionalProperties', {}), definitions)}}}"
    return ""


def acted(session: Session, outcome: Outcome) -> Acted:
    """Return an outcome as a client gets it, at most `MAX_MOVED` parts one by one."""
    moved = [_moved(each) for each in outcome.moved[:MAX_MOVED]]
    if len(outcome.moved) > MAX_MOVED:
        moved.append(f"… and {len(outcome.moved) - MAX_MOVED} more: board_look shows where they are")
    return Acted(
        did=outcome.action if len(outcome.action) <= 400 else f"{outcome.action[:399]}…",
        moved=tuple(moved),
        gaps=tuple(f"{a} to {b}: {gap.distance:g}" for gap in outcome.clearances for a, b in [gap.between]),
        collisions=tuple(f"{each.ref} in {each.other} by {each.depth:g}" for each in outcome.collisions[:MOST_LINES]),
        wires="" if outcome.wires is None else outcome.wires.said("mm").removeprefix("wires "),
        note=f"{outcome.note:.400}",
        changed=len(session.changed),
        can_undo=session.can_undo,
    )


def _moved(each: Moved) -> str:
    (x, y), layer = each.after, f", {each.layer}" if each.layer else ""
    return f"{each.ref} to ({x:g}, {y:g}){f', {each.rotation:g}°' if each.rotation else ''}{layer}"


def _page(report: Report, asked: tuple[str, ...], inherited: bool, limit: int, cursor: str | None) -> Checked:
    """Return a page of findings: errors, then warnings, then notes.

    Raises:
        BriefError: the cursor is malformed, or its list has changed.
    """
    listed = report.inherited if inherited else (*report.errors, *report.warnings, *report.notes)
    mark = format(zlib.crc32("\n".join(issue.line() for issue in listed).encode()), "08x")
    number, _, made_for = (cursor or f"0-{mark}").partition("-")
    if not number.isdecimal() or int(number) > len(listed) or made_for != mark:
        raise BriefError(
            f"The cursor {cursor!r} belongs to another list: the board changed since, or other things were asked. "
            "Check again without a cursor."
        )
    start = int(number)
    end = start + limit
    return Checked(
        valid=report.valid,
        asked=asked,
        findings=tuple(_finding(issue) for issue in listed[start:end]),
        total=len(listed),
        next_cursor=f"{end}-{mark}" if end < len(listed) else None,
        inherited=len(report.inherited),
        unchecked=report.unchecked[:MOST_LINES],
    )


def _finding(issue: Issue) -> Finding:
    """An issue as a client gets it, with the components and where they are."""
    at = exact(issue.marks[0].at)[:2] if issue.marks else ()
    return finding_of(issue).model_copy(update={"code": issue.code, "parts": issue.subjects[:8], "at": at})


def exact(window: Sequence[float]) -> Bounds:
    """Return a box in whole nanometers, without the noise of binary fractions."""
    x0, y0, x1, y1 = (round(value, 6) + 0.0 for value in window)
    return (x0, y0, x1, y1)
