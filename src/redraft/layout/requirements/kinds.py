"""The table of kinds (fields, measure, tolerance, wording), and the measuring of requirements on a layout."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from redraft.layout.items import Layout
from redraft.layout.requirements.arrangements import (
    aligned,
    alignment_problem,
    apart,
    compared,
    distance_problem,
    mirrored,
    placed,
    proportion_problem,
    proportional,
    ratio_problem,
    sized,
    spaced,
    spacing_problem,
)
from redraft.layout.requirements.relations import related, relation_problem
from redraft.layout.requirements.space import Check, Space, badness, bound, named, others_of
from redraft.layout.requirements.statement import Kind, Requirement, in_short
from redraft.layout.requirements.traits import (
    angle_problem,
    color_problem,
    colored,
    count_problem,
    counted,
    pointing,
    shows,
    text_problem,
)
from redraft.result import Issue, Mark, Measured


@dataclass(frozen=True)
class KindSpec:
    """A row of the table: what a kind says, needs and may have, and how it is measured."""

    says: str
    needs: tuple[str, ...]
    """Fields beside `kind` and `parts`; `values|order` is one of the two or both."""
    may: tuple[str, ...]
    example: Mapping[str, JsonValue]
    measure: Callable[[Requirement, Space], Iterator[Check]]
    """Its docstring is the formula."""
    words: Callable[[Requirement], str]
    """The statement in words, after the names of the parts."""
    canvas: str
    """The tolerance in a drawing: up to it a requirement is met, beyond it is broken."""
    plan: str = ""
    """The tolerance in a scene, in meters, if it differs."""
    problem: Callable[[Requirement, Layout, Sequence[str]], str | None] | None = None
    """Returns the reason that a well-formed statement cannot be measured on these parts of a layout, if any."""

    @property
    def formula(self) -> str:
        return " ".join((inspect.getdoc(self.measure) or "").split())

    @property
    def fields(self) -> frozenset[str]:
        return frozenset(name for names in (*self.needs, *self.may) for name in names.split("|"))


def listed(patterns: Sequence[str]) -> str:
    more = f" and {len(patterns) - 5} more" if len(patterns) > 6 else ""
    return ", ".join(in_short(p, 40)[1:-1] for p in (patterns[:5] if more else patterns)) + more


def _number(value: float | None) -> str:
    return f"{value:g}" if value is not None else ""


_LIMITS = {"exactly": "", "at_least": "at least ", "at_most": "at most "}


def in_words(read: Requirement) -> str:
    """The statement in words: `book_* within each of shelf_*: 3 expected`."""
    return f"{listed(read.parts)}{KINDS[read.kind].words(read)}"


def _count_words(read: Requirement) -> str:
    within = f" within each of {listed(read.each)}" if read.each else ""
    return f"{within}: {_LIMITS[read.limit]}{read.number} expected"


def _relation_words(read: Requirement) -> str:
    word = {"left_of": "to the left of", "right_of": "to the right of", "touches": "touching"}
    return f": {word.get(read.relation or '', (read.relation or '').replace('_', ' '))} {listed(read.of)} expected"


def _distance_words(read: Requirement) -> str:
    if read.length is None:
        return f": equally far from {listed(read.of)} expected"
    return f" to {listed(read.of)}: {_LIMITS[read.limit]}{_number(read.length)}{_unit(read)} expected"


def _unit(read: Requirement) -> str:
    return " (real)" if read.unit == "real" else ""


def _size_words(read: Requirement) -> str:
    given = [(n, v) for n in ("width", "height", "depth") if (v := getattr(read, n)) is not None]
    return f": {_LIMITS[read.limit]}{', '.join(f'{n} {v:g}' for n, v in given)}{_unit(read)} expected"


def _ratio_words(read: Requirement) -> str:
    if read.dimension == "aspect":
        return f": width {_LIMITS[read.limit]}{_number(read.factor)} × its height expected"
    return (
        f": {_LIMITS[read.limit]}{_number(read.factor)} × the {read.dimension or 'size'} of {listed(read.of)} expected"
    )


def _proportion_words(read: Requirement) -> str:
    parts = [":".join(f"{v:g}" for v in read.values[:20])] if len(read.values) > 1 else ["all alike"] * len(read.values)
    parts += [read.order] if read.order else []
    return f": {read.dimension or 'size'} {', '.join(parts)} expected"


def _spacing_words(read: Requirement) -> str:
    along = f" along {read.axis}" if read.axis else ""
    if read.length is None:
        return f": equal gaps{along} expected"
    return f": gaps of {_LIMITS[read.limit]}{read.length:g}{_unit(read)}{along} expected"


def _alignment_words(read: Requirement) -> str:
    if read.edge == "grid":
        size = f" of {read.rows or 'any'} rows and {read.columns or 'any'} columns" if read.rows or read.columns else ""
        return f": a grid{size} expected"
    named = {
        "row": "in a row",
        "column": "in a column",
        "center_x": "centers in a column",
        "center_y": "centers in a row",
    }
    return f": {named.get(read.edge or '', f'{read.edge} edges in line')} expected"


def _symmetry_words(read: Requirement) -> str:
    return f": mirrored along {read.axis or 'x'}{f' in the middle of {listed(read.of)}' if read.of else ''} expected"


KINDS: Mapping[Kind, KindSpec] = {
    "count": KindSpec(
        "so many of them are visible, in total or within each of some parts",
        ("number",),
        ("each", "limit"),
        {"kind": "count", "quote": "three books on each", "parts": ["book_*"], "each": ["shelf_*"], "number": 3},
        counted,
        _count_words,
        "exact",
        problem=count_problem,
    ),
    "relation": KindSpec(
        "each stands in this relation to others. Sides: by centers of boxes, which share at most half of the smaller "
        "extent. between: the center of its box is between those of two of `of`, along the axis on which these are "
        "farther apart. on: its shape touches one and is not below it, or lies on it, within 3 % of the canvas (in a "
        "scene 5 % of the part). inside: most of its area. touches: every one, edge to edge",
        ("relation", "of"),
        (),
        {"kind": "relation", "quote": "a cat on the roof", "parts": ["cat"], "relation": "on", "of": ["roof"]},
        related,
        _relation_words,
        "sides 0.005; on 0.03, exact to 0.003; touches 0.01, exact to 0.001; the canvas's edge 0.01",
        "sides 0.25 % of the frame; on 5 % of the part, at least 5 mm, exact to 2 mm; touches 0.5 % of the frame",
        relation_problem,
    ),
    "distance": KindSpec(
        "each is so far from the nearest of others; without length, equally far",
        ("of",),
        ("length", "axis", "limit", "unit"),
        {"kind": "distance", "quote": "0.1 apart", "parts": ["tree"], "of": ["house"], "length": 0.1, "axis": "x"},
        apart,
        _distance_words,
        "3 % of the length, or 0.01",
        "3 % of the length, or 0.5 % of the frame",
        distance_problem,
    ),
    "angle": KindSpec(
        "each points so as seen from `of`: hands, needles; without `of` a long part leans so: ladders, poles",
        ("degrees",),
        ("of",),
        {"kind": "angle", "quote": "showing three", "parts": ["hour_hand"], "of": ["dial"], "degrees": 90},
        pointing,
        lambda read: f": {_number(read.degrees)}° clockwise from up expected",
        "2°",
        problem=angle_problem,
    ),
    "size": KindSpec(
        "each is so wide, high or deep",
        ("width|height|depth",),
        ("unit", "limit"),
        {"kind": "size", "quote": "a 0.9 m door", "parts": ["door"], "width": 0.9, "unit": "real"},
        sized,
        _size_words,
        "3 % of it, or 0.01 where that is more, but a tenth of it at most",
        "3 % of it, or 0.5 % of the frame where that is more, but a tenth of it at most",
    ),
    "ratio": KindSpec(
        "each is so many times as large as the median of others; dimension aspect, without `of`: the width of its box "
        "divided by its height. Within 5 %, with at_least or at_most 1 %",
        ("factor",),
        ("of", "dimension", "limit"),
        {
            "kind": "ratio",
            "quote": "twice as tall",
            "parts": ["tower"],
            "of": ["house"],
            "dimension": "height",
            "factor": 2,
        },
        compared,
        _ratio_words,
        "5 % of the factor; 1 % with at_least or at_most",
        problem=ratio_problem,
    ),
    "proportion": KindSpec(
        "they are in these proportions, all alike (`values` [1]), or each larger or smaller than the last (`order`)",
        ("values|order",),
        ("dimension",),
        {
            "kind": "proportion",
            "quote": "of 3, 7 and 5",
            "parts": ["bar_*"],
            "values": [3, 7, 5],
            "dimension": "height",
        },
        proportional,
        _proportion_words,
        "as size; of areas 5 %; in an order 1 % larger, or 0.5 %",
        problem=proportion_problem,
    ),
    "spacing": KindSpec(
        "the gaps between neighbors are equal, or of this length",
        (),
        ("length", "axis", "limit", "unit"),
        {"kind": "spacing", "quote": "equally spaced", "parts": ["house_*"], "axis": "x"},
        spaced,
        _spacing_words,
        "3 % of the gap, or 0.01",
        "3 % of the gap, or 0.5 % of the frame",
        spacing_problem,
    ),
    "alignment": KindSpec(
        "an edge or the centers of all are in line; they form a row, a column or a grid",
        ("edge",),
        ("rows", "columns", "length", "unit"),
        {"kind": "alignment", "quote": "in a row", "parts": ["tree_*"], "edge": "bottom"},
        aligned,
        _alignment_words,
        "0.012; cells of a grid as size, its gaps as spacing",
        "0.6 % of the frame; cells of a grid as size, its gaps as spacing",
        alignment_problem,
    ),
    "symmetry": KindSpec(
        "the box of each mirrors that of another, whichever fits, or its own, within 2 % of the canvas (1 % of a "
        "scene). The mirror is in the middle of the box of `of`, or else of all of them; `axis` is that along which "
        "they face each other, x (left and right) by default. One part without `of`: its shape mirrors itself, 90 % "
        "shared",
        (),
        ("of", "axis"),
        {"kind": "symmetry", "parts": ["ear_left", "ear_right"], "of": ["head"]},
        mirrored,
        _symmetry_words,
        "0.02; one part: 90 % shared, exact from 99 %",
        "1 % of the frame; one part: 90 % shared, exact from 99 %",
    ),
    "color": KindSpec(
        "each is mainly of a color",
        ("color",),
        (),
        {"kind": "color", "quote": "a red bus", "parts": ["bus"], "color": "red"},
        colored,
        lambda read: f": {in_short(read.color)[1:-1]} expected",
        "the bands of hue, lightness and saturation of the term; of #rrggbb 20 in CIELAB",
        problem=color_problem,
    ),
    "text": KindSpec(
        "each shows a text",
        ("text",),
        (),
        {"kind": "text", "quote": 'a sign that says "OPEN"', "parts": ["sign"], "text": "OPEN"},
        shows,
        lambda read: f": the text {in_short(read.text)} expected",
        "exact, case and white space aside",
        problem=text_problem,
    ),
    "place": KindSpec(
        "each, or all of them together, are at a spot of the canvas or of a part",
        ("spot",),
        ("of",),
        {"kind": "place", "quote": "in the top right corner", "parts": ["sun"], "spot": "top_right"},
        placed,
        lambda read: f": {(read.spot or '').replace('_', ' ')}{f' of {listed(read.of)}' if read.of else ''} expected",
        "center 5 % of the extent; the others exact",
    ),
}


def table() -> str:
    """Return the kinds as Markdown, for people: `docs/requirements.md` has it."""
    rows: list[str] = []
    for kind, spec in KINDS.items():
        needs = ", ".join(" or ".join(f"`{name}`" for name in need.split("|")) for need in spec.needs) or "nothing else"
        may = f"; may have {', '.join(f'`{name}`' for name in spec.may)}" if spec.may else ""
        tolerance = spec.canvas + (f". In a scene: {spec.plan}" if spec.plan else "")
        rows += [
            f"### {kind}",
            f"{spec.says[0].upper()}{spec.says[1:]}. Needs {needs}{may}.",
            f"```json\n{json.dumps(spec.example)}\n```",
            f"*Measured:* {spec.formula}",
            f"*Tolerance:* {tolerance}.",
        ]
    return "\n\n".join(rows) + "\n"


def scale_of(requirements: Sequence[Requirement], layout: Layout) -> float:
    """Return the units of the frame in one real unit: the ratio that most real lengths agree with, then the longest."""
    real = [r for r in requirements if r.unit == "real" and r.judged != "withdrawn"]
    if not real or layout.frame.unit != "canvas":
        return 1.0
    lengths: list[tuple[Check, ...]] = []
    for read in real:
        lengths += zip(*(KINDS[read.kind].measure(read, space) for space in _spaces(read, layout)), strict=False)
    lengths = [c for c in lengths if c[0].expected > 0 and all(one.found > 0 for one in c)]
    lengths = sorted(lengths, key=lambda c: -c[0].expected)[:64]
    scales = [one.found / one.expected for checks in lengths for one in checks]

    def cost(scale: float) -> float:
        return sum(min([1.0, *(abs(c.found / (c.expected * scale) - 1) / 0.1 for c in checks)]) for checks in lengths)

    return min(scales, key=cost, default=1.0)


def measure(requirements: Sequence[Requirement], layout: Layout) -> tuple[Measured, ...]:
    """Measure each requirement on the layout: by whole families or by the parts' own paint, whichever fits better."""
    scale = scale_of(requirements, layout)
    return tuple(_measured(read, layout, scale if read.unit == "real" else 1.0) for read in requirements)


def _spaces(read: Requirement, layout: Layout, scale: float = 1.0) -> Iterator[Space]:
    """Yield the readings of a requirement: whole families or the parts' own paint, with or without pens.

    A row in a scene is read along its own straight line too.
    """
    plain = Space(layout, scale=scale)
    yield plain
    if layout.frame.plan and (read.kind == "spacing" or read.edge in ("row", "column", "grid")):
        names = bound(read.parts, layout)
        for axis in (0, 1) if len(names) > 1 else ():
            yield plain.along(names, axis)
    if read.kind not in ("count", "color", "text"):
        items = [layout[n] for n in (*bound(read.parts, layout), *others_of(read, layout)) if n in layout]
        whole = any(layout.children(item.name) for item in items)
        if whole:
            yield Space(layout, own=True, scale=scale)
        if any(item.style.widths for item in items):
            yield Space(layout, own=True, bare=True, scale=scale)
        if whole and any(part.style.widths for item in items for part in layout.family(item.name)):
            yield Space(layout, bare=True, scale=scale)


def _inexact(check: Check) -> bool:
    return check.error > check.exact * (1 + 1e-9) + 1e-12


def checks_of(read: Requirement, layout: Layout, scale: float = 1.0) -> tuple[Check, ...]:
    """Return the comparisons of a requirement, the worst first.

    They are those of the first reading in which it is exact, or else of the one that fits best.
    """
    parts = bound(read.parts, layout)
    if not parts and read.kind != "count":
        return (Check((), 0.0, 1.0, 0.5, "none of them is visible"),)
    if read.of and not others_of(read, layout):
        return (Check(parts, 0.0, 1.0, 0.5, f"{listed(read.of)} has no shape"),)
    readings: list[list[Check]] = []
    for space in _spaces(read, layout, scale):
        readings.append(list(KINDS[read.kind].measure(read, space)))
        if not any(map(_inexact, readings[-1])):
            best = readings[-1]
            break
    else:
        best = min(readings, key=badness)
    return tuple(sorted(best, key=lambda check: -check.deviation))


def _measured(read: Requirement, layout: Layout, scale: float) -> Measured:
    """Return a requirement, measured; a withdrawn one is listed without a measurement."""
    if read.judged == "withdrawn":
        words = in_words(read)
        return Measured(
            id=read.id, kind=read.kind, quote=read.quote, words=words, outcome="withdrawn", changed=read.reason
        )
    checks = checks_of(read, layout, scale)
    broken = [check for check in checks if check.deviation > 1 + 1e-9]
    inexact = [check for check in checks if _inexact(check)]
    worst = checks[0] if checks else Check((), 0.0, 0.0, 1.0, "there is nothing to compare")
    shown = [check.words for check in (broken or inexact)[:3]] or [
        worst.words if len(checks) < 2 else f"all {len(checks)} comparisons hold"
    ]
    more = len(broken or inexact) - len(shown)
    subjects = (*bound(read.parts, layout), *others_of(read, layout), *named(read.each, layout))
    return Measured(
        id=read.id,
        kind=read.kind,
        quote=read.quote,
        words=in_words(read),
        outcome="broken" if broken else "inexact" if inexact else "met",
        found="; ".join(shown) + (f"; and {more} more" if more > 0 else ""),
        deviation=worst.deviation if broken or inexact else 0.0,
        subjects=tuple(name for name in dict.fromkeys(subjects) if name in layout),
        upheld=read.judged == "upheld",
        changed=read.reason,
        numbers={"found": worst.found, "expected": worst.expected},
        worst=tuple(dict.fromkeys(name for check in broken or inexact for name in check.names if name in layout))[:12],
    )


def issues_of(measured: Sequence[Measured], layout: Layout) -> tuple[Issue, ...]:
    """Return an issue for each broken requirement, `requirement.KIND`: an error if it is upheld, else a note."""
    return tuple(
        Issue(
            code=f"requirement.{one.kind}",
            severity="error" if one.upheld else "note",
            message=f"{one.words}, {one.found}",
            subjects=one.subjects,
            numbers=one.numbers,
            marks=tuple(
                Mark(kind="box", at=layout.bounds(name), text=name)
                for name in one.worst
                if name in layout and not layout.whole(name).is_empty
            ),
            phrase=one.quote,
            basis="requirement",
            requirement=one.id,
        )
        for one in measured
        if one.outcome == "broken"
    )
