"""The offline model's answers to the sketch studio's requests: a grammar, a lexicon and a planner, no language model.

It reads the instruction, plans boxes that keep what it understood, paints them from the lexicon, and states what it
read as requirements. It sees no picture; in every `approach` it says what it is.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from pydantic import JsonValue

from redraft.ideas.offline.chosen import LEFT_OUT, narrative_of
from redraft.layout.items import Bounds, Item, Layout
from redraft.layout.requirements.kinds import measure
from redraft.layout.requirements.reading import statements
from redraft.layout.requirements.space import named
from redraft.layout.requirements.statement import id_of
from redraft.models.base import Reply, Request
from redraft.models.offline import OFFLINE, FullAnswer, fenced, text_in
from redraft.offline.english.edits import Add, Edit, Recolour, Remove, Resize, Shift, read_edits
from redraft.offline.english.grammar import named_in, read
from redraft.offline.english.reading import Reading
from redraft.offline.english.stating import stated
from redraft.offline.english.words import singular
from redraft.offline.lexicon import find, hex_of
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline import planner
from redraft.studios.sketch.offline.repair import corrections
from redraft.studios.sketch.patch import Patch, draw, family
from redraft.studios.sketch.rules.validator import SemanticValidator
from redraft.studios.sketch.spec import Draft, Drawing

ME = "rule-based offline model"


def _draft(request: Request) -> Reply:
    """A whole drawing of the instruction, in the company that the chosen idea gives it."""
    asked, idea = read(text_in(request, "instruction")), narrative_of(request)
    shown, (draft, unmet) = asked, _drawn(asked, request.seed)
    left = [LEFT_OUT] if request.inputs.get("idea") else []
    if idea:
        company = read(idea)
        other, also_unmet = _drawn(company, request.seed)
        if _errors(other, asked) <= _errors(draft, asked):
            shown, draft, unmet, left = company, other, also_unmet, []
    draft = {"approach": _approach(shown, (*asked.unchecked, *unmet, *left)), **draft}
    if request.inputs.get("kinds"):
        draft["requirements"] = _statements(asked, _painted(draft))
    return _reply(draft, _painted(draft), asked.text, asked.unchecked)


def _reply(
    reply: Mapping[str, object], drawing: Drawing, text: str, unread: Sequence[str], absent: Sequence[str] = ()
) -> Reply:
    """A reply that names every placeholder in the drawing it makes, what it read nothing of, and what is not there."""
    shapes, words = [*_placeholders(drawing)], named_in(text, unread)
    if words and text in unread:  # drawn as one shape, labeled with all of it
        shapes = []
    left = [word for word in words if not any(word in shape.lower().split() for shape in shapes)]
    named = sorted(dict.fromkeys((*shapes, *absent, *left)), key=lambda thing: text.lower().find(thing))
    return Reply(text=fenced(reply), model=OFFLINE, stand_ins=tuple(named))


def _placeholders(drawing: Drawing) -> Iterator[str]:
    """The labels of the parts that are no more than a shape with their label on it."""
    for part in drawing.plan:
        own = [stroke for stroke in drawing.strokes if stroke.part == part.name]
        if [stroke.kind for stroke in own] == ["rect", "text"] and find(part.label) is None:
            yield part.label


def _drawn(reading: Reading, seed: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Plan and strokes of a reading, and what of its words they do not keep."""
    scene = planner.plan(reading, seed=seed)
    plan, strokes = planner.paint(scene)
    return {"plan": plan, "strokes": strokes}, scene.unmet


def _painted(draft: Mapping[str, Any]) -> Drawing:
    return draw(Draft.model_validate_json(json.dumps({"approach": ME, **draft})), None)


def _errors(draft: Mapping[str, Any], asked: Reading) -> int:
    """How many errors the rules find in a drawing of what was asked for."""
    return len(SemanticValidator().validate(layout_of(_painted(draft)), reading=asked).errors)


def _statements(asked: Reading, drawing: Drawing, added: Collection[str] = ()) -> list[dict[str, JsonValue]]:
    """What was asked for, as statements about the parts of a drawing."""
    return [r.model_dump(mode="json", exclude_defaults=True) for r in stated(asked, layout_of(drawing), added=added)]


def _approach(reading: Reading, open_: Sequence[str]) -> str:
    """One line: what this model is, what it read, and what it left open."""
    kept = sum(1 for c in reading.constraints if c.certain)
    things = ", ".join(m.noun for m in reading.mentions if m.whole is None) or "nothing it knows"
    left = [*dict.fromkeys(open_)]
    rest = f"; not understood: {', '.join(left)[:200]}" if left else ""
    return f"{ME}: placed {things} by {kept} exact constraints{rest}"


def _edit(request: Request) -> str | Reply:
    """A patch: the edits in order, or an addition. To a drawing of its own it adds nothing."""
    text = text_in(request, "instruction")
    drawing = _drawing(request)
    layout = layout_of(drawing)
    nouns = _nouns(layout)
    if request.inputs.get("history") or request.inputs.get("critique"):
        return fenced({"approach": f"{ME}: has nothing to add to what was measured"})
    reading = read(text, present=nouns)
    edits = read_edits(text, nouns) if reading.edit else (Add(text),)
    patch = merged(
        [
            addition(e.text, layout, nouns, request.seed) if isinstance(e, Add) else changed(e, drawing, layout)
            for e in edits
        ]
    )
    reply: dict[str, object] = {"approach": f"{ME}: {_said(patch)}", **patch}
    if request.inputs.get("on"):
        justified = {"reason": "the instruction asks for it", "quote": text[:400]}
        reply["changes"] = [{"part": name, **justified} for name in _touched(patch)]
    after = draw(Patch.model_validate_json(json.dumps(patch)), drawing)
    if request.inputs.get("kinds"):
        added = {part["name"] for part in patch.get("plan", ())}
        new = [{**entry, "id": ""} for entry in _statements(reading, after, added)]
        new += _recolored(edits, layout_of(after), text)
        colors = {edit.colour for edit in edits if isinstance(edit, Recolour)}
        reply["requirements"] = [*new, *_restated(request, drawing, after, _touched(patch), text, colors)]
    absent = [e.noun for e in edits if not isinstance(e, Add) and not _meant(layout, e.noun, getattr(e, "whole", None))]
    absent += [text.strip()] if not any(patch.values()) and not absent else []
    unread = [words for e in edits if isinstance(e, Add) for words in read(e.text, present=nouns).unchecked]
    return _reply(reply, after, text, unread, absent)


def _recolored(edits: Sequence[Edit], layout: Layout, text: str) -> Iterator[dict[str, JsonValue]]:
    """The colors that the instruction asks for, as statements."""
    for edit in edits:
        if isinstance(edit, Recolour) and (parts := _meant(layout, edit.noun, edit.whole)):
            yield {"kind": "color", "parts": [item.name for item in parts], "color": edit.colour, "quote": text[:400]}


def _restated(
    request: Request, before: Drawing, after: Drawing, touched: Sequence[str], text: str, colors: Collection[str]
) -> Iterator[dict[str, JsonValue]]:
    """Earlier statements that held until the instruction changed, removed or added parts."""
    raw, layouts = cast("list[JsonValue]", request.inputs.get("agreed") or []), (layout_of(before), layout_of(after))
    old, new = ({m.id: m for m in measure(statements(raw, text, one).requirements, one)} for one in layouts)
    changed = family(before.plan, touched)
    for entry in cast("list[dict[str, JsonValue]]", raw):
        was, now = old.get(id_of(entry)), new.get(id_of(entry))
        if was is None or now is None or was.outcome == "broken" or now.outcome != "broken":
            continue
        instead: dict[str, JsonValue] = {"kind": "count", "parts": [*now.subjects], "number": len(now.subjects)}
        if now.kind == "count":
            instead["parts"] = entry["parts"]
        elif changed.isdisjoint(was.subjects):  # it holds of the parts that were there
            instead = {**entry, "parts": [*named(cast("list[str]", entry["parts"]), layouts[0])]}
        elif now.kind == "color" and len(colors) == 1:
            instead = {"kind": "color", "parts": [*now.subjects], "color": next(iter(colors))}
        yield {**instead, "id": now.id, "quote": text[:400], "reason": "the instruction changes it"}


def _touched(patch: PatchDraft) -> list[str]:
    """The parts that a patch removes, restyles, moves or scales."""
    entries = (entry for key in ("remove", "restyle", "move", "scale") for entry in patch.get(key, ()))
    return [*dict.fromkeys(entry if isinstance(entry, str) else str(entry["part"]) for entry in entries)]


def _said(patch: PatchDraft) -> str:
    verbs = {
        "remove": "removes",
        "redraw": "mirrors",
        "plan": "adds",
        "restyle": "repaints",
        "move": "moves",
        "scale": "scales",
    }
    said = [
        f"{verb} {len(patch[key])} part{'' if len(patch[key]) == 1 else 's'}"
        for key, verb in verbs.items()
        if patch.get(key)
    ]
    return ", ".join(said) or "changes nothing"


def _repair(request: Request) -> str:
    """A patch with the plain correction of each error."""
    findings = cast("Sequence[Mapping[str, Any]]", request.inputs.get("findings") or ())
    errors = [finding for finding in findings if finding["severity"] == "error"]
    on = bool(request.inputs.get("on"))
    patch = corrections(errors, _drawing(request), redraws=not on)
    reply: dict[str, object] = {"approach": f"{ME}: {_said(patch)}", **patch}
    if on:
        reply["changes"] = [{"part": name, "reason": "it is part of an error"} for name in _touched(patch)]
    return fenced(reply)


def _fix(request: Request) -> str | Reply:
    """Its own replies are well formed; for anything else it answers the attempt anew."""
    kinds = {"draft": _draft, "edit": _edit, "repair": _repair, "critique": _critique}
    return kinds[text_in(request, "of")](request)


def _critique(request: Request) -> str:
    """It does not see, and so it cannot judge."""
    return fenced(
        {
            "satisfied": False,
            "score": 0,
            "summary": f"The {ME} cannot see pictures; not checked.",
            "differences": [],
            **({"better": "same"} if request.inputs.get("compares") else {}),
        }
    )


def _drawing(request: Request) -> Drawing:
    return Drawing.model_validate_json(text_in(request, "current"))


def _nouns(layout: Layout) -> tuple[str, ...]:
    """What is there, the thing that takes most room first; scenery last."""
    sizes = {i.name: layout.whole(i.name).area for i in layout.roots}
    wide = {n for n, _ in sizes.items() if layout.bounds(n)[2] - layout.bounds(n)[0] > 0.85}
    ordered = sorted(sizes, key=lambda n: (n in wide, -sizes[n], n))
    return tuple(dict.fromkeys(layout[n].label for n in ordered))


ANSWERS: Mapping[str, FullAnswer] = {
    "sketch.draft": _draft,
    "sketch.edit": _edit,
    "sketch.repair": _repair,
    "sketch.fix": _fix,
    "sketch.critique": _critique,
}


PatchDraft = dict[str, list[Any]]
"""Fields of a patch, as JSON."""

EDGE = 0.02
STEPS: Mapping[str, tuple[float, float]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}


def addition(text: str, layout: Layout, nouns: Sequence[str], seed: int) -> PatchDraft:
    """New things, placed relative to what is there."""
    plan, strokes = planner.paint(planner.plan(read(text, present=nouns), seed=seed, existing=layout))
    return {"plan": plan, "strokes": strokes} if plan else {}


def merged(patches: Sequence[PatchDraft]) -> PatchDraft:
    """Several patches as one."""
    keys = dict.fromkeys(key for patch in patches for key in patch)
    return {key: [entry for patch in patches for entry in patch.get(key, ())] for key in keys}


def changed(edit: Edit, drawing: Drawing, layout: Layout) -> PatchDraft:
    """The patch of one edit; empty when nothing is there that it names."""
    items = [] if isinstance(edit, Add) else _meant(layout, edit.noun, getattr(edit, "whole", None))
    match edit:
        case Recolour() if items:
            return _repainted(items, layout, drawing, edit.colour)
        case Remove() if items:
            kept = len(items) - (edit.number if edit.number is not None else len(items))
            return {"remove": [i.name for i in items[max(0, kept) :]]}
        case Resize() if items:
            factor = min(50.0, max(0.02, edit.factor))
            return {"scale": [{"part": i.name, "factor": factor, "about": "bottom"} for i in items]}
        case Shift() if items:
            return {"move": [_shifted(layout.bounds(i.name), i.name, edit) for i in items]}
        case _:
            return {}


def _meant(layout: Layout, noun: str, whole: str | None) -> list[Item]:
    """The items that a noun names: top-level things first, else parts, else what the lexicon calls by another name."""
    one = singular(noun)[0]
    items = [i for i in layout if f" {i.label}".endswith(f" {one}") or i.label == noun]
    if not items:
        entry = find(noun)
        items = [i for i in layout.roots if entry is not None and find(i.label) is entry]
    if whole is not None:
        items = [i for i in items if layout.root_of(i.name).label.endswith(whole)] or items
    found = [i for i in items if i.parent is None] or items
    names = {i.name for i in found}
    return [i for i in found if i.parent not in names]


def _repainted(items: Sequence[Item], layout: Layout, drawing: Drawing, colour: str) -> PatchDraft:
    """Repaint each item and those of its parts that have its main color."""
    value = hex_of(colour)
    found: list[dict[str, str]] = []
    for item in items if value is not None else ():
        fills = {i.name: _main(drawing, i.name) for i in layout.family(item.name)}
        main = next((fill for fill in fills.values() if fill is not None), None)
        key = "stroke" if main is None else "fill"
        found += [{"part": name, key: str(value)} for name, fill in fills.items() if fill == main]
    return {"restyle": found} if found else {}


def _main(drawing: Drawing, name: str) -> str | None:
    """A part's own first fill."""
    fills = [fill for s in drawing.strokes if s.part == name if (fill := getattr(s, "fill", "none")) != "none"]
    return fills[0] if fills else None


def _shifted(box: Bounds, name: str, edit: Shift) -> dict[str, object]:
    """A step in a direction, as far as the canvas goes."""
    dx, dy = (way * edit.amount for way in STEPS[edit.way])
    dx = min(max(dx, EDGE - box[0]), 1 - EDGE - box[2])
    dy = min(max(dy, EDGE - box[1]), 1 - EDGE - box[3])
    return {"part": name, "dx": round(dx, 6), "dy": round(dy, 6)}
