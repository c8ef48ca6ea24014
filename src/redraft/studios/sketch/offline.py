"""What the offline model says to the sketch studio's requests: a grammar, a lexicon and a solver, no language model.

It reads the instruction, plans boxes that keep what it understood, and paints them from the lexicon. It knows no
sentence in advance and sees no picture; in every `approach` it says what it is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from redraft.models.base import Request
from redraft.spatial import planner, relations
from redraft.spatial.edits import Add, Edit, read_edits
from redraft.spatial.layout import Layout, Move
from redraft.spatial.reading import Reading
from redraft.spatial.rules.validator import SemanticValidator
from redraft.studios.base import Answer
from redraft.studios.imagined import LEFT_OUT, imagined
from redraft.studios.sketch.execute import draw
from redraft.studios.sketch.geometry import layout_of
from redraft.studios.sketch.offline_edits import PatchDraft, addition, changed, merged
from redraft.studios.sketch.patch import PatchError, amended
from redraft.studios.sketch.spec import Draft, Drawing

__all__ = ["ANSWERS"]

ME = "rule-based offline model"


def _draft(request: Request) -> str:
    """A whole drawing of the instruction, in the company that the chosen idea gives it."""
    text, idea = _text(request, "instruction"), imagined(request)
    asked = relations.read(text)
    if idea:
        reading = relations.read(idea)
        drawn = _drawn(reading, request.seed)
        if _faults(drawn, asked) <= _faults(_drawn(asked, request.seed), asked):
            return _fenced({"approach": _approach(reading, (*asked.unchecked, *drawn.unmet)), **drawn.strokes})
    drawn = _drawn(asked, request.seed)
    left = (*asked.unchecked, *drawn.unmet, *([LEFT_OUT] if request.inputs.get("idea") else []))
    return _fenced({"approach": _approach(asked, left), **drawn.strokes})


@dataclass(frozen=True)
class _Drawn:
    """A plan with its strokes, and what of the words it does not keep."""

    strokes: dict[str, object]
    unmet: tuple[str, ...]


def _drawn(reading: Reading, seed: int) -> _Drawn:
    scene = planner.plan(reading, seed=seed)
    plan, strokes = planner.paint(scene, seed=seed)
    return _Drawn({"plan": plan, "strokes": strokes}, scene.unmet)


def _faults(drawn: _Drawn, asked: Reading) -> int:
    """How many errors the rules find in a drawing of what was asked for."""
    draft = Draft.model_validate_json(json.dumps({"approach": ME, **drawn.strokes}))
    return len(SemanticValidator().validate(layout_of(draw(draft, None)), reading=asked).errors)


def _approach(reading: Reading, open_: Sequence[str]) -> str:
    """One line: what this model is, what it read, and what it left open."""
    kept = sum(1 for c in reading.constraints if c.certain)
    things = ", ".join(m.noun for m in reading.mentions if m.whole is None) or "nothing it knows"
    left = [*dict.fromkeys(open_)]
    rest = f"; not understood: {', '.join(left)[:200]}" if left else ""
    return f"{ME}: placed {things} by {kept} exact constraints{rest}"


def _edit(request: Request) -> str:
    """A patch: the edits in order, or mends of what was measured, or an addition."""
    text = _text(request, "instruction")
    drawing = _drawing(request)
    layout = layout_of(drawing)
    nouns = _nouns(layout)
    if request.inputs.get("history") or request.inputs.get("critique"):
        return _fenced(_mended(drawing, layout, relations.read(text, present=nouns)))
    edits = read_edits(text, nouns) if relations.read(text, present=nouns).edit else (Add(text),)
    found = [_one(edit, drawing, layout, nouns, request.seed) for edit in edits]
    patch = merged(found)
    if not patch:
        patch = _still(drawing)
    return _fenced({"approach": f"{ME}: {_said(patch)}", **patch})


def _one(edit: Edit, drawing: Drawing, layout: Layout, nouns: tuple[str, ...], seed: int) -> PatchDraft:
    return addition(edit.text, layout, nouns, seed) if isinstance(edit, Add) else changed(edit, drawing, layout, seed)


def _said(patch: PatchDraft) -> str:
    names = {"remove": "removes", "plan": "adds", "restyle": "repaints", "move": "moves", "scale": "scales"}
    said = [
        f"{word} {len(patch[key])} part{'s' if len(patch[key]) != 1 else ''}"
        for key, word in names.items()
        if patch.get(key)
    ]
    return ", ".join(said) or "changes nothing"


def _still(drawing: Drawing) -> PatchDraft:
    """A patch must change something; where nothing was understood, a part is moved by nothing."""
    return {"move": [{"part": drawing.plan[0].name, "dx": 0.0, "dy": 0.0}]}


def _mended(drawing: Drawing, layout: Layout, reading: Reading) -> dict[str, object]:
    """Shifts that the validator's numbers ask for, one a part."""
    shifts = {m.item: (m.matrix[4], m.matrix[5]) for m in _moves(layout, reading)}
    moves = [{"part": name, "dx": dx, "dy": dy} for name, (dx, dy) in shifts.items()]
    approach = f"{ME}: shifts {len(moves)} parts by what was measured"
    return {"approach": approach, **({"move": moves} if moves else _still(drawing))}


def _moves(layout: Layout, reading: Reading) -> list[Move]:
    """One shift for the first subject of each issue that has one in numbers."""
    found: dict[str, Move] = {}
    for issue in SemanticValidator().validate(layout, reading=reading).issues:
        dx, dy = issue.numbers.get("dx", 0.0), issue.numbers.get("dy", 0.0)
        if issue.subjects and issue.severity != "hint" and (dx or dy):
            found.setdefault(issue.subjects[0], Move.shift(issue.subjects[0], dx, dy, issue.code))
    return list(found.values())


def _repair(request: Request) -> str:
    """The same plan with shifted parts. A shift that the drawing cannot take is left out."""
    drawing = _drawing(request)
    layout = layout_of(drawing)
    taken = 0
    for move in _moves(layout, relations.read(_text(request, "instruction"), present=_nouns(layout))):
        try:
            drawing = amended(drawing, [move])
        except PatchError:
            continue
        taken += 1
    whole = {"approach": f"{ME}: shifts {taken} parts by what was measured", **json.loads(drawing.source)}
    return _fenced(whole)


def _fix(request: Request) -> str:
    """Its own replies are well formed; anything else it cannot mend, so it answers the attempt anew."""
    kinds = {"draft": _draft, "edit": _edit, "repair": _repair, "critique": _critique}
    return kinds[_text(request, "of")](request)


def _critique(request: Request) -> str:
    """It does not see, and so it cannot judge."""
    del request
    return _fenced(
        {
            "satisfied": False,
            "score": 0.0,
            "summary": f"The {ME} cannot see pictures; nobody looked.",
            "differences": [],
        }
    )


def _text(request: Request, name: str) -> str:
    return str(request.inputs[name])


def _drawing(request: Request) -> Drawing:
    return Drawing.model_validate_json(_text(request, "drawing"))


def _nouns(layout: Layout) -> tuple[str, ...]:
    """What is there, the thing that takes most room first; scenery last."""
    sizes = {i.name: layout.whole(i.name).area for i in layout.roots}
    wide = {n for n, _ in sizes.items() if layout.bounds(n)[2] - layout.bounds(n)[0] > 0.85}
    ordered = sorted(sizes, key=lambda n: (n in wide, -sizes[n], n))
    return tuple(dict.fromkeys(layout[n].label for n in ordered))


def _fenced(reply: Mapping[str, object]) -> str:
    return "```json\n" + json.dumps(reply, ensure_ascii=False, allow_nan=False) + "\n```\n"


ANSWERS: Mapping[str, Answer] = {
    "sketch.draft": _draft,
    "sketch.edit": _edit,
    "sketch.repair": _repair,
    "sketch.fix": _fix,
    "sketch.critique": _critique,
}
