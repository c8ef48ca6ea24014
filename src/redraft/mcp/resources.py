"""The open board as resources, for clients that show or attach them: in words, as a picture, part by part."""

from __future__ import annotations

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import Completion, CompletionArgument, CompletionContext, PromptReference, ResourceTemplateReference

from redraft.errors import BriefError, RedraftError
from redraft.mcp.desk import Desk
from redraft.mcp.tools_look import whole
from redraft.studios.board.find import natural
from redraft.studios.board.session import Session

__all__ = ["add_resources"]

MOST_NAMES = 100
"""What the protocol lets a completion hold."""


def add_resources(server: MCPServer, desk: Desk) -> None:
    """`board://compass`, `board://view`, `board://part/{ref}`, with completion of references."""

    @server.resource("board://compass", title="The open board in words", mime_type="text/plain")
    async def compass() -> str:
        """Zones, neighbours, shared nets, what is locked or unplaced."""
        try:
            return await desk.board().work(Session.compass)
        except RedraftError as error:
            raise ResourceError(str(error)) from error

    @server.resource("board://view", title="The open board as a picture", mime_type="image/png")
    async def view() -> bytes:
        """The whole board, 512 × 512."""
        try:
            return await desk.board().work(lambda session: session.picture(whole(session.layout)))
        except RedraftError as error:
            raise ResourceError(str(error)) from error

    @server.resource("board://part/{ref}", title="A part and what is around it", mime_type="application/json")
    async def part(ref: str) -> str:
        """Exact geometry around one part, as `inspect` gives it."""
        try:
            return await desk.board().work(lambda session: session.inspect_components((ref,)).text())
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
        board = desk.own()
        if argument.name != "ref" or board is None:
            return None
        begun = argument.value.casefold()
        names = [name for name in board.session.base.names if name.casefold().startswith(begun)]
        names.sort(key=natural)
        return Completion(values=names[:MOST_NAMES], total=len(names), has_more=len(names) > MOST_NAMES)

    # Registered by their decorators; named so that a reader and the type checker see that they are used.
    _ = (compass, view, part, complete)
