"""While something takes long: a line now and then that says so."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from redraft.imaging.base import Tell

__all__ = ["with_news"]

T = TypeVar("T")


async def with_news(work: Callable[[], Awaitable[T]], tell: Tell, *, every: float = 15.0) -> T:
    """Do the work; every so many seconds it is told how long it has been painting. Errors of the work go through."""
    started = anyio.current_time()
    result: list[T] = []
    failure: list[Exception] = []

    async def news() -> None:
        while True:
            await anyio.sleep(every)
            tell(f"painting, {anyio.current_time() - started:.0f} s")

    async with anyio.create_task_group() as group:
        group.start_soon(news)
        try:
            result.append(await work())
        except Exception as error:  # raised below: a task group would wrap it
            failure.append(error)
        group.cancel_scope.cancel()
    if failure:
        raise failure[0]
    return result[0]
