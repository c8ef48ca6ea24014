"""Tasks of a benchmark: briefs as JSON lines, each with hidden oracles that no request and no setting ever sees.

The tasks of a studio are `data/STUDIO.jsonl` beside this module; `--tasks FILE` takes other ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import as_file, files
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from redraft.errors import BriefError
from redraft.limits import BRIEFS, read_text

__all__ = [
    "Facts",
    "Held",
    "Measure",
    "Oracle",
    "Picture",
    "Relation",
    "Task",
    "Things",
    "Wires",
    "read_tasks",
    "tasks_of",
]

Relation = Literal[
    "left", "right", "above", "below", "on", "inside", "larger", "touches", "meets", "apart", "before", "behind"
]
Related = tuple[str, Relation, str]


class _Data(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


class Measure(_Data):
    """A measure of all things of a noun, in their order."""

    things: str
    of: Literal["width", "height", "area", "length", "tilt", "middle", "gap", "step", "seen"]
    """`length`, `tilt`: of the longest side, in degrees clockwise; `middle`: height of the center; `gap`, `step`: from
    one to the next, between edges or centers; `seen`: the share that the camera sees."""
    values: tuple[float, ...]
    """One for each, or a single one for all; only their proportions count unless they are `absolute`."""
    along: Literal["x", "y", "depth", "size"] = "x"
    """Their order: from the left, the top, the camera, or the largest."""
    absolute: bool = False
    """In shares of the canvas, meters or millimeters."""
    within: float = 0.08
    """Relative tolerance."""
    limit: Literal["exactly", "at_least", "at_most"] = "exactly"


class Held(_Data):
    """The number of things of a noun inside each container, by centers, from the left; or in one half of each."""

    things: str
    within: str
    numbers: tuple[int, ...]
    half: Literal["whole", "upper", "lower"] = "whole"


class Things(_Data):
    """Statements about named things, which are read from the parts of the result. `cup|mug` stands for either noun."""

    kind: Literal["things"] = "things"
    counts: dict[str, int] = Field(default_factory=dict[str, int])
    """Exact number of things by noun."""
    relations: tuple[Related, ...] = ()
    """`["cup", "left", "lamp"]`: it holds if it holds of some cup and some lamp."""
    every: tuple[Related, ...] = ()
    """It holds of every one of the first with some second; `apart` with all others. `meets` is to touch without
    lying upon it."""
    rows: tuple[tuple[Literal["x", "y", "depth"], tuple[str, ...]], ...] = ()
    """The order of all things of these nouns, from the left, the top or the camera."""
    tiers: tuple[tuple[str, Literal["x", "y"], tuple[int, ...]], ...] = ()
    """How many things of a noun are in each row from the top (`y`), or in each column from the left."""
    held: tuple[Held, ...] = ()
    measures: tuple[Measure, ...] = ()
    turns: tuple[tuple[str, str, tuple[tuple[float, ...], ...]], ...] = ()
    """`["hand", "dial", [[90, 0]]]`: directions around each center, from the left, in degrees clockwise from up."""
    colors: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Colors of all things of a noun, from the left."""
    mirrored: tuple[tuple[str, str], ...] = ()
    """`["wing", "body"]`: each has its mirror image across the upright line through the second."""
    firm: bool = False
    """In scenes: nothing that is counted floats."""
    clear: bool = False
    """In scenes: nothing that is counted is sunk into another such thing."""


class Facts(_Data):
    """What GenEval states of a picture, read from the words of a prompt."""

    kind: Literal["facts"] = "facts"
    include: tuple[dict[str, Any], ...]
    """In GenEval's form: class, count, color, position."""


class Picture(_Data):
    """A picture that the result has to resemble, by FLIP."""

    kind: Literal["picture"] = "picture"
    svg: str
    """The picture as an SVG with a square view box."""
    limit: float = Field(gt=0, le=1)
    """It holds up to this distance."""
    frame: int = Field(default=0, ge=0)
    """The frame of a moving picture, from 0."""


class Wires(_Data):
    """The half-perimeter wire length (HPWL) of a board, beside that of the board as given."""

    kind: Literal["wires"] = "wires"
    limit: float = Field(gt=0)
    """It holds up to this ratio."""


Oracle = Annotated[Things | Facts | Picture | Wires, Field(discriminator="kind")]


class Task(_Data):
    """One brief, and what its result is held to."""

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9-]{0,60}$")
    brief: str
    settings: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    """By dotted keys, for all arms."""
    source: str = ""
    """File to work on, beside the file of tasks."""
    draft: str = ""
    """The reply to the request for a first draft, in all arms: a draft with seeded errors."""
    oracles: tuple[Oracle, ...] = ()


def read_tasks(path: Path) -> tuple[Task, ...]:
    """Return the tasks of a file of JSON lines, sources as paths.

    Raises:
        BriefError: the file cannot be read, or a line is not a task; the message names the line.
    """
    try:
        lines = read_text(path, BRIEFS).splitlines()
    except OSError as error:
        raise BriefError(f"Cannot read the tasks {path}: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise BriefError(f"The tasks {path} are not valid UTF-8 (byte {error.start}).") from error
    found: dict[str, Task] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path}, line {number}"
        try:
            task = Task.model_validate_json(line)
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise BriefError(
                f"{where}: not a task ({place + ': ' if place else ''}{first['msg']}; given {first['input']!r:.80})."
            ) from error
        if task.id in found:
            raise BriefError(f"{where}: the id {task.id!r} is used before. Give each task its own.")
        if task.source:
            source = path.parent / task.source
            if not source.is_file():
                raise BriefError(f"{where}: the source {task.source} is missing beside the tasks.")
            task = task.model_copy(update={"source": str(source.resolve())})
        found[task.id] = task
    if not found:
        raise BriefError(f"{path} holds no task. Write one JSON object a line, with at least an id and a brief.")
    return tuple(found.values())


def tasks_of(studio: str, file: Path | None = None) -> Sequence[Task]:
    """Return a studio's tasks, or those of a file. Raises `BriefError`."""
    if file is not None:
        return read_tasks(file)
    own = files("redraft.bench") / "data" / f"{studio}.jsonl"
    if not own.is_file():
        raise BriefError(f"There are no tasks for the studio {studio}. Give a file of them with --tasks.")
    with as_file(own) as path:
        return read_tasks(path)
