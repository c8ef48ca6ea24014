"""Discover: before anything is drafted, the model sorts what a reference has to give: what to reuse, change, bridge.

A step of its own in the record. Without an answer that can be read the run continues without one, with a warning.
"""

from __future__ import annotations

from typing import Any, TypeVar

from pydantic import BaseModel

from redraft.errors import FormatError
from redraft.replies import reply_as
from redraft.result import Failure
from redraft.runs import Run
from redraft.studios.requests import Discovery

__all__ = ["discover"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
PATH = "discover"


async def discover(run: Run[Any]) -> str:
    """The findings in the brief's reference, for later prompts; empty without one."""
    if run.brief.reference is None:
        return ""
    text = await run.converse(run.studio.discover(run.brief, "", None), PATH)
    for tries in range(1, run.loop.fixes + 2):
        try:
            found = reply_as(Discovery, text, "discovery")
        except FormatError as error:
            if tries > run.loop.fixes:
                run.warn(PATH, f"The reference was sorted in words that could not be read; it is not used. {error}")
                return ""
            failure = Failure(failure_class="E2", message=str(error))
            again = run.studio.discover(run.brief, text, failure)
            text = await run.converse(again, f"{PATH}/fix-{tries}")
        else:
            run.note("discovery", found.model_dump(mode="json"), PATH)
            return _words(found)
    raise AssertionError("the loop above returns")


def _words(found: Discovery) -> str:
    heads = {"REUSE": found.reuse, "CHANGE": found.change, "BRIDGE": found.bridge}
    return "\n".join(f"{head}:\n" + "\n".join(f"- {line}" for line in lines) for head, lines in heads.items() if lines)
