"""Nine runs such as a week brings: with ideas taken and explored, without, ended, begun, and one of another studio."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from lighthouse import painted
from pydantic import JsonValue
from run_writer import AFTER, RunWriter

from ideas import begin, explored, image_run, jury, note_choice, scoring
from redraft.ideas.selection import NoveltyUsed
from redraft.result import Report

Story = Callable[[RunWriter], None]
PROMPTS = (
    "A keeper in an oilskin winds a lighthouse by a brass crank before the squall; woodcut, rust and bone white, a "
    "small figure at the foot of the tower, the rope a long diagonal, gears showing through the stonework, patient.",
    "Inside the lamp room as if inside a pocket watch: brass bridges, a mainspring of rope, rain running through the "
    "works; cyanotype, seen through curved glass, close and a little tense, one warm lamp far off the centre.",
    "A row of waves cut like gear teeth, one tooth missing; a lighthouse stands in the gap. Flat frieze, screen print "
    "in sea green and black, wry, no horizon.",
    "From straight above, the beam of a lighthouse sweeps a drowned clock face, its numerals half under sand; etching, "
    "midnight blue and white, circular, very still.",
    "A toy lighthouse on a workbench and a storm kept in a jar beside it, screwdrivers, a spirit lamp; oil on board, "
    "wood and mint, eye level, tender.",
    "A clock tower that keeps the light stands left of an empty wide shore; gouache, slate and pale gold, watchful, a "
    "low horizon and a great deal of sky.",
)


class Later(RunWriter):
    """Writes a run of so many days later."""

    def __init__(self, folder: Path, days: int) -> None:
        self.days = days
        super().__init__(folder)

    def clock(self) -> datetime:
        return super().clock() + timedelta(days=self.days)


def write(folder: Path, story: Story, *, days: int = 0) -> Path:
    """A run folder, written so many days later than the first."""
    writer = Later(folder, days)
    with writer.journal:
        story(writer)
    return folder


def week(root: Path) -> list[Path]:
    """The folders, oldest first."""
    stories = (_plain, _watch, _gears, _ended, _above, _bench, _sketched, _crank, _begun)
    names = (story.__name__.removeprefix("_") for story in stories)
    folders = [root / f"{number:02}-{name}" for number, name in enumerate(names)]
    return [write(folder, story, days=n) for n, (folder, story) in enumerate(zip(folders, stories, strict=True))]


def _plain(writer: RunWriter) -> None:
    image_run(writer, prompt=PROMPTS[5], picture=painted(("#7d8796", "#e9d9a6"), "#59646f", x=24), seed=1)


def _watch(writer: RunWriter) -> None:
    picture = painted(("#0d3c4a", "#1f7a80"), "#06222b", "#caa15a", 66, 76)
    image_run(
        writer, prompt=PROMPTS[1], chosen=explored(), picture=picture, backend="openai:gpt-image-1", cost=0.042, seed=2
    )


def _gears(writer: RunWriter) -> None:
    chosen = scoring(selected="D", roll=0.0214, mode="explore", pool=("C", "D"))
    picture = painted(("#cfe5d6", "#8cc3a4"), "#14241d", "#14241d", 40, 58, width=1024, height=640)
    image_run(writer, prompt=PROMPTS[2], chosen=chosen, picture=picture, seed=3)


def _ended(writer: RunWriter) -> None:
    """The judge answered in prose."""
    begin(writer, ("lighthouse", "storm"), seed=4, config={"prompt": {"scoring": {"enabled": True}}})
    path, said = "blackbox_scoring/idea_cards_judge_score", "I like B best, because of the rain."
    writer.call(path, "Score them.", said, kind="ideas.judge")
    message = f"invalid_judge_output: the reply is not JSON: {said!r}"
    error: dict[str, JsonValue] = {"phase": "prompt_pipeline", "step": path, "message": message}
    writer.finish(valid=False, score=0.0, delivered="", error=error)


def _above(writer: RunWriter) -> None:
    chosen = jury(
        {"A": (61, 8), "B": (66, 14), "C": (58, 6), "D": (52, 0), "E": (66, 12), "F": (70, 17)},
        selected="E",
        roll=0.881,
        pool=("E",),
    )
    picture = painted(("#050a1c", "#27427a"), "#02040c", "#c9d5ee", 50, 82)
    image_run(
        writer, concepts=("lighthouse", "drowned clock"), prompt=PROMPTS[3], chosen=chosen, picture=picture, seed=5
    )


def _bench(writer: RunWriter) -> None:
    chosen = scoring(selected="F", roll=0.3312, pool=("F",))
    picture = painted(("#e6d7bb", "#c79a63"), "#7b5330", "#a6dfc0", 58, 66, width=640, height=900)
    image_run(writer, prompt=PROMPTS[4], chosen=chosen, picture=picture, cost=None, backend="comfyui:flux.json", seed=6)


def _sketched(writer: RunWriter) -> None:
    """A drawing that went on from an idea."""
    writer.start()
    note_choice(writer, scoring(roll=0.4242))
    writer.attempted("iteration-1/draft")
    writer.validated("iteration-1/validate-0", Report(), AFTER)
    writer.finish(AFTER)


def _crank(writer: RunWriter) -> None:
    picture = painted(("#efe6d2", "#d98f6a"), "#5e2d20", "#3a2a22", 70, 74)
    image_run(writer, prompt=PROMPTS[0], chosen=jury(), picture=picture, seed=8)


def _begun(writer: RunWriter) -> None:
    off = NoveltyUsed(enabled=False, off_because="generations.csv is empty.")
    begin(writer, ("lighthouse", "storm", "clockwork"), chosen=scoring(roll=0.507, novelty=off), seed=9)
    writer.warned("Novelty enabled but history unavailable; disabling novelty for this run: generations.csv is empty.")
