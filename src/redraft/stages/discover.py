"""Discover: before anything is drafted, the model sorts what a reference has to give: what to reuse, change, bridge.

A step of its own in the record. Without an answer that can be read the run goes on without one, and says so.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

from pydantic import BaseModel

from redraft.errors import FormatError
from redraft.events import Noted
from redraft.replies import reply_as
from redraft.result import Failure
from redraft.stages.desk import Desk
from redraft.studios.base import Discovering, Discovery, Facts

__all__ = ["discover"]

ArtifactT = TypeVar("ArtifactT", bound=BaseModel)
PATH = "discover"


async def discover(desk: Desk[Any], facts: Facts[Any]) -> str:
    """What a later prompt says of the brief's reference; empty without one."""
    studio = desk.studio
    if facts.brief.reference is None or not isinstance(studio, Discovering):
        return ""
    text = await desk.talk(studio.discover(facts), PATH)
    for tries in range(1, desk.loop.fixes + 2):
        try:
            found = reply_as(Discovery, text, "discovery")
        except FormatError as error:
            if tries > desk.loop.fixes:
                desk.warn(PATH, f"The reference was sorted in words that could not be read; it is not used. {error}")
                return ""
            failure = Failure(failure_class="E2", message=str(error))
            again = studio.discover(replace(facts, reply=text, failure=failure))
            text = await desk.talk(again, f"{PATH}/fix-{tries}")
        else:
            desk.journal.note(
                Noted(key=PATH, at=desk.journal.now, topic="discovery", data=found.model_dump(mode="json"))
            )
            return _words(found)
    raise AssertionError("the loop above returns")


def _words(found: Discovery) -> str:
    heads = {"REUSE": found.reuse, "CHANGE": found.change, "BRIDGE": found.bridge}
    return "\n".join(f"{head}:\n" + "\n".join(f"- {line}" for line in lines) for head, lines in heads.items() if lines)
