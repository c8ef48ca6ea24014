"""redraft closes the loop around language models for visual work.

    import redraft

    result = redraft.sketch("two flowers to the left of a house", seed=7)
    print(result.outcome, result.files["svg"])

    redraft.place("my.kicad_pcb", "put C1 0.5 mm right of U1 pin 4", to="out.kicad_pcb")

`__all__` is the public API. Names are loaded when first used, so that importing redraft costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redraft.api import (
        aplace,
        arun_generation,
        ascene,
        ashader,
        asketch,
        open_board,
        place,
        resume,
        run_generation,
        scene,
        shader,
        sketch,
    )
    from redraft.brief import Brief
    from redraft.config import Config
    from redraft.english.grammar import read
    from redraft.errors import RedraftError
    from redraft.imaging.base import ImageBackend, ImageReply, ImageRequest
    from redraft.memory.error_cache import ErrorCache
    from redraft.memory.history import format_iteration_history
    from redraft.models.base import Model, ModelInfo, Reply, Request
    from redraft.models.scripted import ScriptedModel
    from redraft.requirements import Requirement
    from redraft.result import (
        Difference,
        Failure,
        Issue,
        IterationRecord,
        Measured,
        Report,
        Result,
        Ruling,
        Usage,
        Verdict,
    )
    from redraft.scoring.profile import TasteProfile
    from redraft.spatial.layout import Frame, Item, Layout
    from redraft.spatial.rules import SemanticValidator
    from redraft.studios.base import Studio
    from redraft.transcript import Run, Transcript

__all__ = [
    "Brief",
    "Config",
    "Difference",
    "ErrorCache",
    "Failure",
    "Frame",
    "ImageBackend",
    "ImageReply",
    "ImageRequest",
    "Issue",
    "Item",
    "IterationRecord",
    "Layout",
    "Measured",
    "Model",
    "ModelInfo",
    "RedraftError",
    "Reply",
    "Report",
    "Request",
    "Requirement",
    "Result",
    "Ruling",
    "Run",
    "ScriptedModel",
    "SemanticValidator",
    "Studio",
    "TasteProfile",
    "Transcript",
    "Usage",
    "Verdict",
    "aplace",
    "arun_generation",
    "ascene",
    "ashader",
    "asketch",
    "format_iteration_history",
    "open_board",
    "place",
    "read",
    "resume",
    "run_generation",
    "scene",
    "shader",
    "sketch",
]

_HOMES = {
    "redraft.api": (
        "aplace",
        "arun_generation",
        "ascene",
        "ashader",
        "asketch",
        "open_board",
        "place",
        "resume",
        "run_generation",
        "scene",
        "shader",
        "sketch",
    ),
    "redraft.scoring.profile": ("TasteProfile",),
    "redraft.brief": ("Brief",),
    "redraft.config": ("Config",),
    "redraft.errors": ("RedraftError",),
    "redraft.imaging.base": ("ImageBackend", "ImageReply", "ImageRequest"),
    "redraft.memory.error_cache": ("ErrorCache",),
    "redraft.memory.history": ("format_iteration_history",),
    "redraft.models.base": ("Model", "ModelInfo", "Reply", "Request"),
    "redraft.models.scripted": ("ScriptedModel",),
    "redraft.requirements": ("Requirement",),
    "redraft.result": (
        "Difference",
        "Failure",
        "Issue",
        "IterationRecord",
        "Measured",
        "Report",
        "Result",
        "Ruling",
        "Usage",
        "Verdict",
    ),
    "redraft.spatial.layout": ("Frame", "Item", "Layout"),
    "redraft.english.grammar": ("read",),
    "redraft.spatial.rules": ("SemanticValidator",),
    "redraft.studios.base": ("Studio",),
    "redraft.transcript": ("Run", "Transcript"),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'redraft' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
