"""The parts of a chosen idea that the offline answers use: its words, where they keep to
what is asked for."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redraft.models.base import Request

LEFT_OUT = "the chosen idea is left out, since it does not go with all that is asked for"


def narrative_of(request: Request) -> str:
    """The narrative of the request's idea, where it has the instruction in it word for word; else nothing."""
    idea = _idea(request)
    if idea is None:
        return ""
    narrative, asked = str(idea["narrative"]), str(request.inputs["instruction"]).rstrip(" .!")
    kept = re.search(rf"(?<!\w){re.escape(asked)}(?!\w)", narrative, re.IGNORECASE)
    return narrative if kept else ""


def palette_and_mood(request: Request) -> list[str]:
    """One palette and one mood of the idea, chosen by the request's seed; nothing without an idea."""
    idea = _idea(request)
    if idea is None:
        return []
    rng = random.Random(request.seed)  # noqa: S311  taste, not secrets
    options = cast("Mapping[str, Sequence[str]]", idea["options"])
    return [rng.choice(options[name]) for name in ("palette", "mood") if options.get(name)]


def _idea(request: Request) -> Mapping[str, Any] | None:
    return cast("Mapping[str, Any] | None", request.inputs.get("idea"))
