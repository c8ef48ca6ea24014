"""The rows of a batch: what came of each brief, read from the record of its run."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from redraft.errors import RedraftError, RunNotFoundError
from redraft.record.journal import read_first
from redraft.record.transcript import Record
from redraft.result import Outcome, Usage


class Row(BaseModel):
    """The outcome of one brief."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    line: int
    studio: str = ""
    instruction: str = ""
    outcome: Outcome | Literal["ended early", "error"]
    """`ended early`: the run can be resumed, and is when the batch runs again. `error`: it did not begin."""
    score: float = 0.0
    usage: Usage = Usage()
    seconds: float | None = None
    """In this session; None for a run that was finished before it."""
    files: dict[str, str] = Field(default_factory=dict[str, str])
    """Delivered files by role, relative to the run's folder."""
    uploaded: str = ""
    """Address of the copy of a finished run."""
    error: str = ""

    @property
    def finished(self) -> bool:
        """True for a run that is never repeated."""
        return self.outcome not in ("ended early", "error")


def begun(folder: Path) -> bool:
    """Return whether a folder holds the start of a run. Raises `RunError` or `RunFormatError`."""
    try:
        return read_first(folder) is not None
    except RunNotFoundError:
        return False


def row_of(run_id: str, line: int, folder: Path, *, seconds: float | None = None, error: str = "") -> Row:
    """Return the row of a run that has begun, from its record; `error` is what ended it, if the record does not say so.

    Raises:
        RunFormatError: the record is damaged.
    """
    transcript = Record.load(folder).transcript
    ended = error or ("" if transcript.error is None else str(transcript.error.get("message", "")))
    return Row(
        id=run_id,
        line=line,
        studio=transcript.studio,
        instruction=str(transcript.brief.get("instruction", "")),
        outcome=transcript.outcome if transcript.finished and not error else "ended early",
        score=transcript.score,
        usage=transcript.usage,
        seconds=seconds,
        files=transcript.files,
        error=ended or ("" if transcript.finished else "not finished"),
    )


def failed(run_id: str, line: int, error: RedraftError | str, studio: str = "", instruction: str = "") -> Row:
    """Return the row of a brief whose run did not begin."""
    return Row(id=run_id, line=line, studio=studio, instruction=instruction, outcome="error", error=str(error))
