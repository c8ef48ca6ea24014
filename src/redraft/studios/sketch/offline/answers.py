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
from redraft.layout.items import Item, Layout
from redraft.layout.requirements.kinds import measure
from redraft.layout.requirements.reading import statements
from redraft.layout.requirements.space import named
from redraft.layout.requirements.statement import id_of
from redraft.models.base import Reply, Request
from redraft.models.offline import OFFLINE, FullAnswer, fenced, text_in
from redraft.offline.english.edits import Add, Recolour, Remove, Resize, Shift, read_edits
from redraft.offline.english.grammar import named_in, read
from redraft.offline.english.reading import Reading
from redraft.offline.english.stating import stated
from redraft.offline.english.words import singular
from redraft.offline.lexicon import find, hex_of
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.memory import SCENERY
from redraft.studios.sketch.offline import planner
from redraft.studios.sketch.offline.repair import corrections
from redraft.studios.sketch.patch import Patch, draw, family
from redraft.studios.sketch.rules.validator import SemanticValidator
from redraft.studios.sketch.spec import Draft, Drawing
from redraft.text import plural

ME = "rule-based offline model"

PatchDraft = dict[str, list[Any]]
"""Fields of a patch, as JSON."""

EDGE = 0.02
"""What is moved keeps so much air to the edge of the canvas."""

STEPS: Mapping[str, tuple[float, float]] = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}

VERBS = {
    "remove": "removes",
    "redraw": "mirrors",
    "plan": "adds",
    "restyle": "repaints",
    "move": "moves",
    "scale": "scales",
}
"""Field of a patch → what it does, for the `approach`."""


def _draft(request: Request) -> Reply:
    """Draw the instruction, in the company that the chosen idea gives it."""
    reading, idea = read(text_in(request, "instruction")), narrative_of(request)
    shown, (draft, unmet) = reading, _drawn(reading, request.seed)
    left_out = [LEFT_OUT] if request.inputs.get("idea") else []
    if idea:
        company = read(idea)
        with_idea, unmet_with_idea = _drawn(company, request.seed)
        if _count_errors(with_idea, reading) <= _count_errors(draft, reading):
            shown, draft, unmet, left_out = company, with_idea, unmet_with_idea, []

    # One line: what this model is, what it read, and what it left open.
    exact = sum(1 for c in shown.constraints if c.certain)
    things = ", ".join(m.noun for m in shown.mentions if m.whole is None) or "nothing it knows"
    open_phrases = [*dict.fromkeys((*reading.unchecked, *unmet, *left_out))]
    rest = f"; not understood: {', '.join(open_phrases)[:200]}" if open_phrases else ""
    draft = {"approach": f"{ME}: placed {things} by {exact} exact constraints{rest}", **draft}

    drawing = _painted(draft)
    if request.inputs.get("kinds"):
        draft["requirements"] = _statements(reading, drawing)
    return _reply(draft, drawing, reading.text, reading.unchecked)


def _reply(
    fields: Mapping[str, object], drawing: Drawing, text: str, unread: Sequence[str], absent: Sequence[str] = ()
) -> Reply:
    """Return a reply that names every placeholder in its drawing, what it read nothing of, and what is missing."""
    placeholders: list[str] = []
    for part in drawing.plan:
        own = [stroke.kind for stroke in drawing.strokes if stroke.part == part.name]
        if own == ["rect", "text"] and find(part.label) is None:  # a shape with its label on it
            placeholders.append(part.label)
    words = named_in(text, unread)
    if words and text in unread:  # drawn as one shape, labeled with all of it
        placeholders = []
    undrawn = [word for word in words if not any(word in shape.lower().split() for shape in placeholders)]
    stand_ins = sorted(dict.fromkeys((*placeholders, *absent, *undrawn)), key=lambda thing: text.lower().find(thing))
    return Reply(text=fenced(fields), model=OFFLINE, stand_ins=tuple(stand_ins))


def _drawn(reading: Reading, seed: int) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Return plan and strokes of a reading, and those of its words that they do not keep."""
    scene = planner.plan(reading, seed=seed)
    plan, strokes = planner.paint(scene)
    return {"plan": plan, "strokes": strokes}, scene.unmet


def _painted(draft: Mapping[str, Any]) -> Drawing:
    return draw(Draft.model_validate_json(json.dumps({"approach": ME, **draft})), None)


def _count_errors(draft: Mapping[str, Any], reading: Reading) -> int:
    """Return how many errors the rules find in a drawing of an instruction."""
    return len(SemanticValidator().validate(layout_of(_painted(draft)), reading=reading).errors)


def _statements(reading: Reading, drawing: Drawing, added: Collection[str] = ()) -> list[dict[str, JsonValue]]:
    """Return what an instruction requires, as statements about the parts of a drawing."""
    requirements = stated(reading, layout_of(drawing), added=added)
    return [requirement.model_dump(mode="json", exclude_defaults=True) for requirement in requirements]


def _edit(request: Request) -> str | Reply:
    """Return a patch: the edits in order, or an addition. To a drawing of its own it adds nothing."""
    text = text_in(request, "instruction")
    drawing = _drawing(request)
    layout = layout_of(drawing)
    nouns = _nouns(layout)
    if request.inputs.get("history") or request.inputs.get("critique"):
        return fenced({"approach": f"{ME}: has nothing to add to what was measured"})

    reading = read(text, present=nouns)
    edits = read_edits(text, nouns) if reading.edit else (Add(text),)
    patch = PatchDraft()
    for edit in edits:
        if isinstance(edit, Add):
            scene = planner.plan(read(edit.text, present=nouns), seed=request.seed, existing=layout)
            plan, strokes = planner.paint(scene)
            fields: PatchDraft = {"plan": plan, "strokes": strokes} if plan else {}
        else:
            fields = changed(edit, drawing, layout)
        for key, entries in fields.items():
            patch.setdefault(key, []).extend(entries)

    touched = _touched(patch)
    fields_of_reply: dict[str, object] = {"approach": f"{ME}: {_summary(patch)}", **patch}
    if request.inputs.get("on"):
        justified = {"reason": "the instruction asks for it", "quote": text[:400]}
        fields_of_reply["changes"] = [{"part": name, **justified} for name in touched]
    after = draw(Patch.model_validate_json(json.dumps(patch)), drawing)
    if request.inputs.get("kinds"):
        added = {part["name"] for part in patch.get("plan", ())}
        new = [{**entry, "id": ""} for entry in _statements(reading, after, added)]
        new_layout = layout_of(after)
        for edit in edits:
            if isinstance(edit, Recolour) and (parts := _meant(new_layout, edit.noun, edit.whole)):
                names: list[JsonValue] = [item.name for item in parts]
                new.append({"kind": "color", "parts": names, "color": edit.colour, "quote": text[:400]})
        colors = {edit.colour for edit in edits if isinstance(edit, Recolour)}
        fields_of_reply["requirements"] = [*new, *_restated(request, drawing, after, touched, text, colors)]

    absent = [e.noun for e in edits if not isinstance(e, Add) and not _meant(layout, e.noun, getattr(e, "whole", None))]
    absent += [text.strip()] if not any(patch.values()) and not absent else []
    unread = [words for e in edits if isinstance(e, Add) for words in read(e.text, present=nouns).unchecked]
    return _reply(fields_of_reply, after, text, unread, absent)


def _restated(
    request: Request, before: Drawing, after: Drawing, touched: Sequence[str], text: str, colors: Collection[str]
) -> Iterator[dict[str, JsonValue]]:
    """Yield anew the earlier statements that held until the instruction changed, removed or added parts."""
    raw, layouts = cast("list[JsonValue]", request.inputs.get("agreed") or []), (layout_of(before), layout_of(after))
    old, new = ({m.id: m for m in measure(statements(raw, text, one).requirements, one)} for one in layouts)
    changed_parts = family(before.plan, touched)
    for entry in cast("list[dict[str, JsonValue]]", raw):
        was, now = old.get(id_of(entry)), new.get(id_of(entry))
        if was is None or now is None or was.outcome == "broken" or now.outcome != "broken":
            continue
        instead: dict[str, JsonValue] = {"kind": "count", "parts": [*now.subjects], "number": len(now.subjects)}
        if now.kind == "count":
            instead["parts"] = entry["parts"]
        elif changed_parts.isdisjoint(was.subjects):  # it holds of the parts that were there
            instead = {**entry, "parts": [*named(cast("list[str]", entry["parts"]), layouts[0])]}
        elif now.kind == "color" and len(colors) == 1:
            instead = {"kind": "color", "parts": [*now.subjects], "color": next(iter(colors))}
        yield {**instead, "id": now.id, "quote": text[:400], "reason": "the instruction changes it"}


def _touched(patch: PatchDraft) -> list[str]:
    """Return the parts that a patch removes, restyles, moves or scales."""
    entries = (entry for key in ("remove", "restyle", "move", "scale") for entry in patch.get(key, ()))
    return [*dict.fromkeys(entry if isinstance(entry, str) else str(entry["part"]) for entry in entries)]


def _summary(patch: PatchDraft) -> str:
    """Return `removes 1 part, moves 2 parts`."""
    counts = [f"{verb} {plural(len(patch[key]), 'part')}" for key, verb in VERBS.items() if patch.get(key)]
    return ", ".join(counts) or "changes nothing"


def _repair(request: Request) -> str:
    """Return a patch with the plain correction of each error."""
    findings = cast("Sequence[Mapping[str, Any]]", request.inputs.get("findings") or ())
    errors = [finding for finding in findings if finding["severity"] == "error"]
    on = bool(request.inputs.get("on"))
    patch = corrections(errors, _drawing(request), redraws=not on)
    reply: dict[str, object] = {"approach": f"{ME}: {_summary(patch)}", **patch}
    if on:
        reply["changes"] = [{"part": name, "reason": "it is part of an error"} for name in _touched(patch)]
    return fenced(reply)


def _fix(request: Request) -> str | Reply:
    """Answer the attempt anew; the model's own replies are well formed."""
    kinds = {"draft": _draft, "edit": _edit, "repair": _repair, "critique": _critique}
    return kinds[text_in(request, "of")](request)


def _critique(request: Request) -> str:
    """Decline: the model does not see, and so it cannot judge."""
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
    """Return the labels of the things in a drawing, the one that takes most room first; scenery last."""
    sizes = {i.name: layout.whole(i.name).area for i in layout.roots}
    wide = {n for n in sizes if layout.bounds(n)[2] - layout.bounds(n)[0] > SCENERY}
    ordered = sorted(sizes, key=lambda n: (n in wide, -sizes[n], n))
    return tuple(dict.fromkeys(layout[n].label for n in ordered))


ANSWERS: Mapping[str, FullAnswer] = {
    "sketch.draft": _draft,
    "sketch.edit": _edit,
    "sketch.repair": _repair,
    "sketch.fix": _fix,
    "sketch.critique": _critique,
}


def changed(edit: Recolour | Remove | Resize | Shift, drawing: Drawing, layout: Layout) -> PatchDraft:
    """Return the patch of one edit; empty when nothing is there that it names."""
    items = _meant(layout, edit.noun, getattr(edit, "whole", None))
    if not items:
        return {}
    match edit:
        case Recolour(colour=colour):
            return _repainted(items, layout, drawing, colour)
        case Remove(number=number):
            kept = 0 if number is None else max(0, len(items) - number)
            return {"remove": [i.name for i in items[kept:]]}
        case Resize(factor=factor):
            factor = min(50.0, max(0.02, factor))  # the limits of a patch
            return {"scale": [{"part": i.name, "factor": factor, "about": "bottom"} for i in items]}
        case Shift(way=way, amount=amount):
            moves: list[dict[str, object]] = []
            for item in items:
                x0, y0, x1, y1 = layout.bounds(item.name)
                dx, dy = (step * amount for step in STEPS[way])
                # As far as the canvas goes.
                dx = min(max(dx, EDGE - x0), 1 - EDGE - x1)
                dy = min(max(dy, EDGE - y0), 1 - EDGE - y1)
                moves.append({"part": item.name, "dx": round(dx, 6), "dy": round(dy, 6)})
            return {"move": moves}


def _meant(layout: Layout, noun: str, whole: str | None) -> list[Item]:
    """Return the items that a noun names: top-level things first, else parts, else things of the lexicon's name."""
    one = singular(noun)[0]
    items = [i for i in layout if f" {i.label}".endswith(f" {one}") or i.label == noun]
    if not items:
        entry = find(noun)
        items = [i for i in layout.roots if entry is not None and find(i.label) is entry]
    if whole is not None:
        items = [i for i in items if layout.root_of(i.name).label.endswith(whole)] or items
    chosen = [i for i in items if i.parent is None] or items
    names = {i.name for i in chosen}
    return [i for i in chosen if i.parent not in names]


def _repainted(items: Sequence[Item], layout: Layout, drawing: Drawing, colour: str) -> PatchDraft:
    """Repaint each item and those of its parts that have its main color."""
    value = hex_of(colour)
    changes: list[dict[str, str]] = []
    for item in items if value is not None else ():
        fills: dict[str, str | None] = {}
        for part in layout.family(item.name):
            own = (getattr(stroke, "fill", "none") for stroke in drawing.strokes if stroke.part == part.name)
            fills[part.name] = next((fill for fill in own if fill != "none"), None)
        main = next((fill for fill in fills.values() if fill is not None), None)
        key = "stroke" if main is None else "fill"
        changes += [{"part": name, key: str(value)} for name, fill in fills.items() if fill == main]
    return {"restyle": changes} if changes else {}
