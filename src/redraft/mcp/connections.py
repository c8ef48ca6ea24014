"""Telling apart whose call it is, before anything is done with it."""

from __future__ import annotations

from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext

from redraft.mcp.desk import LONE, connection

__all__ = ["mark_connection"]

SESSION_HEADER = "mcp-session-id"


async def mark_connection(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
    """Middleware: sets `connection` for the time of one message."""
    token = connection.set(_whose(ctx))
    try:
        return await call_next(ctx)
    finally:
        connection.reset(token)


def _whose(ctx: ServerRequestContext[Any, Any]) -> str:
    headers = getattr(ctx.request, "headers", None)
    if headers is None:  # stdio, or within one process: there is only one client
        return ""
    return str(headers.get(SESSION_HEADER) or LONE)
