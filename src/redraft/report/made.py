"""Runs as review and comparison take them up: what was asked, the final prompt, the picture, its cost, the choice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from redraft.errors import RunFormatError
from redraft.folders import run_folder
from redraft.report.ideas import IdeasView, ideas_in
from redraft.report.paintings import Painting, painting_of
from redraft.report.view import status_of
from redraft.transcript import Run, Transcript

__all__ = ["Made", "Unreadable", "made_of", "read_runs"]


@dataclass(frozen=True)
class Made:
    """One run."""

    run: Run
    concepts: tuple[str, ...]
    title: str
    """Its concepts, else what was asked."""
    prompt: str
    """The final prompt for an image model; empty in other studios, and until there is one."""
    painting: Painting | None
    ideas: IdeasView | None
    trouble: str
    """Why the choice of an idea cannot be shown."""
    status: str
    """`valid`, `invalid`, `unchecked`, `ended` or `unfinished`."""
    anchor: str = ""
    """On a page of several."""

    @property
    def transcript(self) -> Transcript:
        return self.run.transcript

    @property
    def told(self) -> str:
        """What of this run may resemble other runs: its prompt, else the idea that it went on from."""
        if self.prompt or self.ideas is None:
            return self.prompt
        return f"{self.ideas.chosen.hook.text} {self.ideas.chosen.narrative.text}"

    @property
    def pictures(self) -> tuple[str, ...]:
        """Names of what may stand for it in the run folder, the best first."""
        files = self.transcript.files
        looked_at = [v.picture for turn in self.transcript.turns for v in turn.validations]
        painted = self.painting.picture if self.painting else ""
        return tuple(filter(None, (files.get("png", ""), files.get("svg", ""), painted, *reversed(looked_at))))


@dataclass(frozen=True)
class Unreadable:
    """A run folder whose record is damaged."""

    name: str
    why: str


def read_runs(folders: Sequence[Path]) -> tuple[list[Run], list[Unreadable]]:
    """The runs in these folders (or of these files in them), each once, and those whose record is damaged.

    Raises:
        RunNotFoundError: something there is no run. RunError: a record may not be read.
    """
    runs: list[Run] = []
    damaged: list[Unreadable] = []
    for folder in dict.fromkeys(run_folder(path) for path in folders):
        try:
            runs.append(Run.load(folder))
        except RunFormatError as error:
            damaged.append(Unreadable(folder.name, str(error)))
    return runs, damaged


def made_of(run: Run, anchor: str = "") -> Made:
    """What there is to say of one run, which stands at this anchor of a page."""
    transcript = run.transcript
    concepts = _concepts(transcript.brief.get("concepts"))
    painting = painting_of(transcript, run.events)
    ideas, trouble = ideas_in(transcript.blackbox_scoring)
    return Made(
        run=run,
        concepts=concepts,
        title=", ".join(concepts) or str(transcript.brief.get("instruction", "")) or transcript.run,
        prompt=painting.prompt if painting else "",
        painting=painting,
        ideas=ideas,
        trouble=trouble,
        status=status_of(transcript),
        anchor=anchor,
    )


def _concepts(recorded: JsonValue) -> tuple[str, ...]:
    return tuple(str(concept) for concept in recorded) if isinstance(recorded, list) else ()
