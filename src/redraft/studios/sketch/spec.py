"""The schema of drawings: a plan of named parts, what they are required to show, and strokes on a unit canvas (x right,
y down).

`Drawing` is the artifact, `Draft` a whole drawing as a model replies it, `Patch` (in `patch.py`) a change to one.
All are immutable, strict (no text where a number belongs) and closed (an unknown field is an error).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, Field, JsonValue, model_validator

from redraft.layout.requirements import merged
from redraft.result import Mismatch
from redraft.studios.sketch.strokes import Closed, Label, Name, Stroke

MAX_STROKES = 2_000
MAX_PARTS = 500
MAX_POINTS_IN_ALL = 50_000

OneLine = Annotated[str, Field(max_length=2_000), AfterValidator(lambda text: " ".join(text.split()))]


class Part(Closed):
    """A named thing. `label` is the noun as asked for, singular; `parent` what it is a part of."""

    name: Name
    label: Label
    parent: Name | None = None


def check_plan(plan: Sequence[Part]) -> None:
    """Check that names are unique, parents exist, and no part is inside itself.

    Raises:
        ValueError: naming the part.
    """
    parents = {part.name: part.parent for part in plan}
    if len(parents) < len(plan):
        names = [part.name for part in plan]
        twice = next(n for i, n in enumerate(names) if n in names[:i])
        raise ValueError(f"plan: two parts are named {twice!r}; number them ({twice}_1, {twice}_2)")
    for name, parent in parents.items():
        if parent is not None and parent not in parents:
            raise ValueError(
                f"plan: part {name!r} has the parent {parent!r}, which is not in the plan; {_listed(parents)}"
            )
    for name, parent in parents.items():
        seen, here = {name}, parent
        while here is not None:
            if here in seen:
                raise ValueError(f"plan: part {name!r} is its own ancestor, by way of {here!r}; parents form a tree")
            seen.add(here)
            here = parents[here]


def _listed(names: Iterable[str]) -> str:
    known = list(names)
    return "its parts are " + ", ".join(known[:20]) + (f" and {len(known) - 20} more" if len(known) > 20 else "")


def check_strokes(plan: Sequence[Part], strokes: Sequence[Stroke]) -> None:
    """Check that every stroke's part is in the plan, and every part paints something or has parts that do.

    Raises:
        ValueError: naming the stroke by its index from 0, or the part.
    """
    names = {part.name: None for part in plan}
    for i, stroke in enumerate(strokes):
        if stroke.part not in names:
            raise ValueError(f"strokes[{i}] ({stroke.kind}): part {stroke.part!r} is not in the plan; {_listed(names)}")
    busy = {s.part for s in strokes} | {p.parent for p in plan}
    if idle := [p.name for p in plan if p.name not in busy]:
        raise ValueError(
            f"plan: part {idle[0]!r} has no stroke and no parts of its own; give it a stroke or leave it out"
        )
    if (total := sum(s.points_used for s in strokes)) > MAX_POINTS_IN_ALL:
        raise ValueError(f"strokes: {total:,} points in all; at most {MAX_POINTS_IN_ALL:,} are allowed")


class Drawing(Closed):
    """A whole drawing: the sketch studio's artifact. No parts and no strokes is a blank canvas."""

    plan: tuple[Part, ...] = Field(default=(), max_length=MAX_PARTS)
    strokes: tuple[Stroke, ...] = Field(default=(), max_length=MAX_STROKES)
    requirements: tuple[JsonValue, ...] = ()
    """Statements as they were made, faulty ones too: reading them is `requirements.statements`."""
    protected: tuple[Name, ...] = ()
    """Parts of the drawing that the run continues: they change only where a reply lists them."""
    asked: str = ""
    """The instruction by which protected parts may change."""
    notes: tuple[str, ...] = ()
    """What of the last reply was not carried out, to protect parts."""

    @model_validator(mode="after")
    def _consistent(self) -> Drawing:
        check_plan(self.plan)
        check_strokes(self.plan, self.strokes)
        return self

    def with_strokes(self, plan: Sequence[Part], strokes: Sequence[Stroke]) -> Drawing:
        """Return the drawing with another plan and other strokes."""
        kept = self.model_dump(include={"requirements", "protected", "asked", "notes"})
        return Drawing(plan=tuple(plan), strokes=tuple(strokes), **kept)

    @property
    def source(self) -> str:
        """JSON for a model, one part and one stroke a line. Requirements are shown apart."""
        return (
            '{"plan":[\n' + ",\n".join(compact(p) for p in self.plan) + "\n],\n"
            '"strokes":[\n' + ",\n".join(compact(s) for s in self.strokes) + "\n]}"
        )

    @property
    def painted(self) -> tuple[Stroke, ...]:
        """The strokes in painting order, back to front."""
        return tuple(sorted(self.strokes, key=lambda s: s.layer))


class Draft(Closed):
    """A whole drawing as a model replies it; `approach` says in one line what it tries."""

    approach: OneLine = ""
    plan: tuple[Part, ...] = Field(min_length=1, max_length=MAX_PARTS)
    requirements: tuple[JsonValue, ...] = ()
    """Statements about its parts; in a repair, new or changed ones."""
    strokes: tuple[Stroke, ...] = Field(min_length=1, max_length=MAX_STROKES)
    mismatches: tuple[Mismatch, ...] = ()
    """Of a repair: answers to requirements that do not hold."""

    @model_validator(mode="after")
    def _consistent(self) -> Draft:
        check_plan(self.plan)
        check_strokes(self.plan, self.strokes)
        return self

    @property
    def drawing(self) -> Drawing:
        """The drawing that it is on a blank canvas."""
        return Drawing(plan=self.plan, strokes=self.strokes, requirements=merged((), self.requirements))


_FIRST = ("name", "part", "kind")
_DEFAULTS: dict[str, Any] = {"layer": 0, "r": 0.0, "angle": 0.0, "anchor": "middle"}
"""Fields left out of the source while they have these values."""


def compact(model: Part | Stroke) -> str:
    """Return one line of JSON: the name, part and kind first, numbers as short as they are exact, defaults left out."""
    data = {k: v for k, v in model.model_dump().items() if k not in _DEFAULTS or v != _DEFAULTS[k]}
    ordered = {k: data[k] for k in _FIRST if k in data} | data
    style = {k: ordered.pop(k) for k in ("fill", "stroke", "width", "layer") if k in ordered}
    return json.dumps(_plain(ordered | style), ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _plain(value: Any) -> Any:
    """Return whole floats as integers: 1.0 is written 1."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {k: _plain(v) for k, v in value.items()}  # pyright: ignore[reportUnknownVariableType]
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value  # pyright: ignore[reportUnknownVariableType]
