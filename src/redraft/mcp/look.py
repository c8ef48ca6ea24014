"""Looking at a board: the tools compass, inspect, find, nets and render, and the same as resources."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import (
    CallToolResult,
    Completion,
    CompletionArgument,
    CompletionContext,
    ContentBlock,
    ImageContent,
    PromptReference,
    ResourceTemplateReference,
    TextContent,
)
from pydantic import BaseModel, Field

from redraft.errors import BriefError, RedraftError
from redraft.layout import Bounds, Layout
from redraft.mcp.opened import OpenWorks
from redraft.mcp.tool import Bearings, BoardTool, Rendered, exact, make_tool, signature_of
from redraft.spatial.views.facts import View
from redraft.spatial.views.tokens import natural
from redraft.studios.board.find import Page, Query
from redraft.studios.board.nets import NetPage, NetQuery
from redraft.studios.board.session import Session

__all__ = ["add_resources", "look_tools", "whole"]


MARGIN = 2.0
"""Room around the whole board, mm."""

Refs = Annotated[tuple[Annotated[str, Field(min_length=1, max_length=200)], ...], Field(max_length=100)]
Padding = Annotated[float, Field(ge=0, le=1000, description="Room around the parts, mm.")]
Coordinate = Annotated[float | None, Field(ge=-10_000, le=10_000, description="Middle of the window, mm.")]
Extent = Annotated[float | None, Field(gt=0, le=10_000, description="Size of the window, mm.")]
Picture = Annotated[bool, Field(description="With a picture of it, 512 × 512, for models that see.")]


def look_tools(boards: OpenWorks, *, by_handle: bool) -> list[BoardTool]:
    """Compass, inspect, find, nets, render."""
    functions = (
        (_compass(boards), Bearings),
        (_inspect(boards), View),
        (_find(boards), Page),
        (_nets(boards), NetPage),
        (_render(boards), Rendered),
    )
    return [make_tool(fn, answer, "reads", by_handle=by_handle) for fn, answer in functions]


def _compass(boards: OpenWorks) -> Callable[..., Awaitable[Bearings]]:
    async def compass() -> Bearings:
        return await boards.find("board").work(lambda session: Bearings(compass=session.compass()))

    return compass


def _inspect(boards: OpenWorks) -> Callable[..., Any]:
    async def inspect(
        refs: Refs = (),
        padding: Padding = 5.0,
        center_x: Coordinate = None,
        center_y: Coordinate = None,
        width: Extent = None,
        height: Extent = None,
        picture: Picture = False,
    ) -> CallToolResult:
        region = _region(center_x, center_y, width, height)
        if (region is None) == (not refs):
            raise BriefError("inspect: give refs, or all of center_x, center_y, width, height; not both, not neither.")

        def work(session: Session) -> CallToolResult:
            return _seen(session, refs, padding, region, picture)

        return await boards.find("board").work(work)

    return inspect


def _seen(
    session: Session, refs: tuple[str, ...], padding: float, region: Bounds | None, picture: bool
) -> CallToolResult:
    if region is not None:
        x0, y0, x1, y1 = region
        view = session.inspect_region((x0 + x1) / 2, (y0 + y1) / 2, x1 - x0, y1 - y0)
        return _answer(view, session.picture(region) if picture else None)
    if picture:
        context = session.visual_context(refs, padding)
        return _answer(context.view, context.png)
    return _answer(session.inspect_components(refs, padding), None)


def _answer(model: BaseModel, png: bytes | None) -> CallToolResult:
    """Structured content, the same as text for older clients, and the picture. What has its default is left out."""
    content: list[ContentBlock] = [TextContent(text=model.model_dump_json(exclude_defaults=True))]
    if png is not None:
        content.append(ImageContent(data=base64.b64encode(png).decode(), mime_type="image/png"))
    return CallToolResult(content=content, structured_content=model.model_dump(mode="json", exclude_defaults=True))


def _find(boards: OpenWorks) -> Callable[..., Awaitable[Page]]:
    async def find(**fields: Any) -> Page:
        query = Query.model_validate(fields)
        return await boards.find("board").work(lambda session: session.find(query))

    find.__annotations__ = {"return": Page}
    find.__signature__ = signature_of(Query, Page)  # pyright: ignore[reportFunctionMemberAccess]
    return find


def _nets(boards: OpenWorks) -> Callable[..., Awaitable[NetPage]]:
    async def nets(**fields: Any) -> NetPage:
        query = NetQuery.model_validate(fields)
        return await boards.find("board").work(lambda session: session.nets(query))

    nets.__annotations__ = {"return": NetPage}
    nets.__signature__ = signature_of(NetQuery, NetPage)  # pyright: ignore[reportFunctionMemberAccess]
    return nets


def _render(boards: OpenWorks) -> Callable[..., Any]:
    async def render(
        refs: Refs = (),
        padding: Padding = 5.0,
        center_x: Coordinate = None,
        center_y: Coordinate = None,
        width: Extent = None,
        height: Extent = None,
    ) -> CallToolResult:
        region = _region(center_x, center_y, width, height)
        if region is not None and refs:
            raise BriefError("render: give refs or a window, not both; nothing for the whole board.")

        def work(session: Session) -> CallToolResult:
            if refs:  # these are brought out, whichever side they are on
                context = session.visual_context(refs, padding)
                return _answer(Rendered(window=window_of(context.view)), context.png)
            window = region or whole(session.layout)
            return _answer(Rendered(window=exact(window)), session.picture(window))

        return await boards.find("board").work(work)

    return render


def _region(x: float | None, y: float | None, width: float | None, height: float | None) -> Bounds | None:
    """The window that the four numbers say; None without any.

    Raises:
        BriefError: only some of them are given.
    """
    if x is None and y is None and width is None and height is None:
        return None
    if x is None or y is None or width is None or height is None:
        given = {"center_x": x, "center_y": y, "width": width, "height": height}
        missing = ", ".join(name for name, value in given.items() if value is None)
        raise BriefError(f"A window needs center_x, center_y, width and height; not given: {missing}.")
    return (x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def whole(layout: Layout) -> Bounds:
    """The window that shows all of a board."""
    x0, y0, x1, y1 = layout.frame.bounds
    return (x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN)


def window_of(view: View) -> Bounds:
    """The window that a view shows."""
    (x, y), (width, height) = view.viewport.center, view.viewport.size
    return exact((x - width / 2, y - height / 2, x + width / 2, y + height / 2))


MOST_NAMES = 100
"""The most values that the protocol allows in a completion."""


def add_resources(server: MCPServer, boards: OpenWorks) -> None:
    """`board://compass`, `board://view`, `board://part/{ref}`, with completion of references."""

    @server.resource("board://compass", title="The open board in words", mime_type="text/plain")
    async def compass() -> str:
        """Zones, neighbors, shared nets, locked and unplaced parts."""
        try:
            return await boards.find("board").work(Session.compass)
        except RedraftError as error:
            raise ResourceError(str(error)) from error

    @server.resource("board://view", title="The open board as a picture", mime_type="image/png")
    async def view() -> bytes:
        """The whole board, 512 × 512."""
        try:
            return await boards.find("board").work(lambda session: session.picture(whole(session.layout)))
        except RedraftError as error:
            raise ResourceError(str(error)) from error

    @server.resource("board://part/{ref}", title="A part and what is around it", mime_type="application/json")
    async def part(ref: str) -> str:
        """Exact geometry around one part, as `inspect` gives it."""
        try:
            return await boards.find("board").work(lambda session: session.inspect_components((ref,)).text())
        except BriefError as error:
            raise ResourceNotFoundError(str(error)) from error
        except RedraftError as error:
            raise ResourceError(str(error)) from error

    @server.completion()
    async def complete(
        reference: PromptReference | ResourceTemplateReference,
        argument: CompletionArgument,
        context: CompletionContext | None,
    ) -> Completion | None:
        board = boards.own("board")
        if argument.name != "ref" or board is None:
            return None
        begun = argument.value.casefold()
        names = [name for name in board.session.base.names if name.casefold().startswith(begun)]
        names.sort(key=natural)
        return Completion(values=names[:MOST_NAMES], total=len(names), has_more=len(names) > MOST_NAMES)

    # Registered by their decorators; named so that a reader and the type checker see that they are used.
    _ = (compass, view, part, complete)
