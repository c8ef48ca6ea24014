"""redraft closes the loop around language models for visual work.

    import redraft

    result = redraft.sketch("two flowers to the left of a house", seed=7)
    print(result.outcome, result.files["svg"])

    redraft.board("my.kicad_pcb", "put C1 0.5 mm right of U1 pin 4", to="out.kicad_pcb")

`__all__` is the public API. Names are loaded when first used, so that importing redraft costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from redraft.api import (
        achoose,
        aresume,
        arun,
        aundo,
        board,
        choose,
        image,
        resume,
        run,
        run_generation,
        scene,
        shader,
        sketch,
        undo,
    )
    from redraft.brief import Brief
    from redraft.cli.terminal import Terminal
    from redraft.config import Config
    from redraft.errors import (
        AbstractionError,
        AttemptError,
        BoardChangedError,
        BoardError,
        BoardFormatError,
        BriefError,
        BudgetError,
        CollisionError,
        ConfigError,
        ContradictionError,
        ExecutionError,
        FormatError,
        HistoryError,
        IdeaCardsError,
        IdeaError,
        ImageBackendError,
        InfeasibleError,
        InfrastructureError,
        JudgeOutputError,
        LimitError,
        MemoryStoreError,
        MissingPartError,
        ModelError,
        ModelRefusedError,
        ModelUnavailableError,
        ProfileError,
        RedraftError,
        ReplayMissError,
        ResumeDivergedError,
        RunError,
        RunFormatError,
        RunLockedError,
        RunNotFoundError,
        RunStoppedError,
        ScriptExhaustedError,
        SelectionError,
        SendError,
    )
    from redraft.fixes.error_cache import ErrorCache
    from redraft.ideas.profile import TasteProfile
    from redraft.layout.items import Frame, Item, Layout
    from redraft.layout.requirements import Requirement
    from redraft.models.base import Model, ModelInfo, Reply, Request
    from redraft.models.scripted import ScriptedModel
    from redraft.offline.english.grammar import read
    from redraft.painting.base import ImageBackend, ImageReply, ImageRequest
    from redraft.record.events import Event
    from redraft.record.history import format_iteration_history
    from redraft.record.transcript import Record, Transcript
    from redraft.result import (
        Difference,
        Failure,
        Issue,
        IterationRecord,
        Measured,
        Mismatch,
        Picture,
        Report,
        Result,
        Score,
        Usage,
        Verdict,
    )
    from redraft.studios import studio_names
    from redraft.studios.base import Resources, Studio
    from redraft.studios.board.session import Session, open_board
    from redraft.studios.kinds import LayoutStudio, ProgramStudio, TargetStudio
    from redraft.studios.requests import DraftReply, StudioSettings
    from redraft.studios.sketch.rules import SemanticValidator
    from redraft.studios.sketch.studio import build_repair_prompt

    __version__: str

__all__ = [
    "AbstractionError",
    "AttemptError",
    "BoardChangedError",
    "BoardError",
    "BoardFormatError",
    "Brief",
    "BriefError",
    "BudgetError",
    "CollisionError",
    "Config",
    "ConfigError",
    "ContradictionError",
    "Difference",
    "DraftReply",
    "ErrorCache",
    "Event",
    "ExecutionError",
    "Failure",
    "FormatError",
    "Frame",
    "HistoryError",
    "IdeaCardsError",
    "IdeaError",
    "ImageBackend",
    "ImageBackendError",
    "ImageReply",
    "ImageRequest",
    "InfeasibleError",
    "InfrastructureError",
    "Issue",
    "Item",
    "IterationRecord",
    "JudgeOutputError",
    "Layout",
    "LayoutStudio",
    "LimitError",
    "Measured",
    "MemoryStoreError",
    "Mismatch",
    "MissingPartError",
    "Model",
    "ModelError",
    "ModelInfo",
    "ModelRefusedError",
    "ModelUnavailableError",
    "Picture",
    "ProfileError",
    "ProgramStudio",
    "Record",
    "RedraftError",
    "ReplayMissError",
    "Reply",
    "Report",
    "Request",
    "Requirement",
    "Resources",
    "Result",
    "ResumeDivergedError",
    "RunError",
    "RunFormatError",
    "RunLockedError",
    "RunNotFoundError",
    "RunStoppedError",
    "Score",
    "ScriptExhaustedError",
    "ScriptedModel",
    "SelectionError",
    "SemanticValidator",
    "SendError",
    "Session",
    "Studio",
    "StudioSettings",
    "TargetStudio",
    "TasteProfile",
    "Terminal",
    "Transcript",
    "Usage",
    "Verdict",
    "achoose",
    "aresume",
    "arun",
    "aundo",
    "board",
    "build_repair_prompt",
    "choose",
    "format_iteration_history",
    "image",
    "open_board",
    "read",
    "resume",
    "run",
    "run_generation",
    "scene",
    "shader",
    "sketch",
    "studio_names",
    "undo",
]

_HOMES = {
    "redraft.api": (
        "achoose",
        "aresume",
        "arun",
        "aundo",
        "board",
        "choose",
        "image",
        "resume",
        "run",
        "run_generation",
        "scene",
        "shader",
        "sketch",
        "undo",
    ),
    "redraft.brief": ("Brief",),
    "redraft.cli.terminal": ("Terminal",),
    "redraft.config": ("Config",),
    "redraft.offline.english.grammar": ("read",),
    "redraft.errors": (
        "AbstractionError",
        "AttemptError",
        "BoardChangedError",
        "BoardError",
        "BoardFormatError",
        "BriefError",
        "BudgetError",
        "CollisionError",
        "ConfigError",
        "ContradictionError",
        "ExecutionError",
        "FormatError",
        "HistoryError",
        "IdeaCardsError",
        "IdeaError",
        "ImageBackendError",
        "InfeasibleError",
        "InfrastructureError",
        "JudgeOutputError",
        "LimitError",
        "MemoryStoreError",
        "MissingPartError",
        "ModelError",
        "ModelRefusedError",
        "ModelUnavailableError",
        "ProfileError",
        "RedraftError",
        "ReplayMissError",
        "ResumeDivergedError",
        "RunError",
        "RunFormatError",
        "RunLockedError",
        "RunNotFoundError",
        "RunStoppedError",
        "ScriptExhaustedError",
        "SelectionError",
        "SendError",
    ),
    "redraft.record.events": ("Event",),
    "redraft.painting.base": (
        "ImageBackend",
        "ImageReply",
        "ImageRequest",
    ),
    "redraft.fixes.error_cache": ("ErrorCache",),
    "redraft.record.history": ("format_iteration_history",),
    "redraft.models.base": (
        "Model",
        "ModelInfo",
        "Reply",
        "Request",
    ),
    "redraft.models.scripted": ("ScriptedModel",),
    "redraft.studios.sketch.studio": ("build_repair_prompt",),
    "redraft.layout.requirements": ("Requirement",),
    "redraft.result": (
        "Difference",
        "Failure",
        "Issue",
        "IterationRecord",
        "Measured",
        "Picture",
        "Report",
        "Result",
        "Mismatch",
        "Score",
        "Usage",
        "Verdict",
    ),
    "redraft.ideas.profile": ("TasteProfile",),
    "redraft.layout.items": (
        "Frame",
        "Item",
        "Layout",
    ),
    "redraft.studios.sketch.rules": ("SemanticValidator",),
    "redraft.studios": ("studio_names",),
    "redraft.studios.base": ("Resources", "Studio"),
    "redraft.studios.kinds": ("LayoutStudio", "ProgramStudio", "TargetStudio"),
    "redraft.studios.requests": ("DraftReply", "StudioSettings"),
    "redraft.studios.board.session": ("Session", "open_board"),
    "redraft.record.transcript": (
        "Record",
        "Transcript",
    ),
}
_HOME_OF = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("redraft")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'redraft' has no attribute {name!r}")
    try:
        return getattr(import_module(_HOME_OF[name]), name)
    except ModuleNotFoundError as error:
        if (error.name or "redraft").partition(".")[0] == "redraft":
            raise
        from redraft.errors import MissingPartError

        extra = "board" if _HOME_OF[name].startswith("redraft.studios.board.") else "sketch"
        raise MissingPartError.of(f"redraft.{name}", error, extra) from error


def __dir__() -> list[str]:
    return sorted(__all__)
