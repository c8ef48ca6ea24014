"""The tools that move parts: one for each common action, and `arrange` for the others.

Their arguments are the fields of the action models themselves, so that a tool call, a model's action list and the
Python API have the same names and the same words.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Annotated, Any

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import BaseModel, Field, ValidationError

from redraft.mcp.answers import Step
from redraft.mcp.desk import Desk
from redraft.mcp.tool import BoardTool, make_tool, signature_of
from redraft.mcp.tools_file import stepped
from redraft.spatial.actions import (
    Action,
    Align,
    ClusterAround,
    Distribute,
    Flip,
    Legalise,
    Lock,
    MoveBy,
    MoveToEdge,
    PlaceComponent,
    PlaceRelative,
    Rotate,
    Stack,
    Swap,
)

__all__ = ["act_tools"]

_NAMED = (PlaceRelative, PlaceComponent, Align, Distribute, Stack, Legalise)
_REFUSED = "Refused where parts would collide, with the nearest free place. Answers with what moved and what is left."

Arrangement = Annotated[
    Rotate | Swap | ClusterAround | MoveToEdge | Flip | MoveBy | Lock, Field(discriminator="action")
]


def act_tools(desk: Desk, *, by_handle: bool) -> list[BoardTool]:
    """The tools that change the board in memory."""
    functions = (*(_tool(desk, model) for model in _NAMED), _arrange(desk))
    return [make_tool(fn, Step, "changes", by_handle=by_handle) for fn in functions]


def _tool(desk: Desk, model: type[BaseModel]) -> Callable[..., Awaitable[Step]]:
    """A function whose arguments are the model's fields."""

    async def act(**fields: Any) -> Step:
        return await _do(desk, _valid(model, fields))

    act.__doc__ = f"{inspect.getdoc(model)} {_REFUSED}"
    act.__name__ = str(model.model_fields["action"].default)
    act.__annotations__ = {"return": Step}
    act.__signature__ = signature_of(model, Step, without="action")  # pyright: ignore[reportFunctionMemberAccess]
    return act


def _arrange(desk: Desk) -> Callable[..., Awaitable[Step]]:
    async def arrange(step: Arrangement) -> Step:
        return await _do(desk, step)

    return arrange


async def _do(desk: Desk, action: Action) -> Step:
    return await desk.board().work(lambda session: stepped(session, session.do(action)))


def _valid(model: type[BaseModel], fields: dict[str, Any]) -> Any:
    """The action; what only the whole of it can tell (two arguments that exclude each other) is said in words."""
    try:
        return model.model_validate(fields)
    except ValidationError as error:
        said = "; ".join(str(fault["msg"]).removeprefix("Value error, ") for fault in error.errors())
        raise ToolError(f"{model.model_fields['action'].default}: {said}") from error
