"""The solver's moves: in a script, and in a scene's facts without running Blender again.

In a script they are one marked block at its end, which moves objects after all else is done. The block is data in a
function call, so that it can be read back exactly; a block that was changed by hand is code like any other. Shifts are
in the world's axes, in meters; an object that is gone is named on the output and left.

In the facts, boxes and footprints move exactly. How two things meet was measured on their surfaces, and is changed by
what their parts' boxes and footprints say of the step: an estimate, which a later run replaces.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from redraft.studios.scene.layout import footprint
from redraft.studios.scene.space import Body, Space, gap_between
from redraft.studios.scene.spec import Contact, Rest, Scene, SceneFacts, Shift, Thing, Vector

__all__ = ["moved", "moved_scene", "shifted", "shifts_of", "with_shifts", "without_shifts"]

BEGIN = "# --- redraft: moved by the solver (fix the code above instead, and this block goes away) ---"
END = "# --- redraft: end ---"
_BLOCK = re.compile(rf"\n\n{re.escape(BEGIN)}\n.*?\n{re.escape(END)}\n", re.DOTALL)
_ROWS = re.compile(r"^_redraft_shift\((\[\n.*?^\])\)$", re.DOTALL | re.MULTILINE)

_CODE = """\
def _redraft_shift(moves):
    import bpy

    bpy.context.view_layer.update()
    for name, by, _ in moves:
        thing = bpy.data.objects.get(name)
        if thing is None:
            print("redraft: there is no object", repr(name), "to move by", by)
            continue
        within = (thing.matrix_world @ thing.matrix_basis.inverted_safe()).to_3x3().inverted_safe()
        step = by if thing.parent is None else within @ type(thing.location)(by)
        thing.location = [at + change for at, change in zip(thing.location, step)]
    bpy.context.view_layer.update()


_redraft_shift({rows})
del _redraft_shift
"""


def with_shifts(code: str, shifts: Sequence[Shift]) -> str:
    """A script with further moves: those that it has already are added to, and what comes to nothing is left out."""
    plain, every = without_shifts(code), _added([*shifts_of(code), *shifts])
    return plain + _block(every) if every else plain


def shifts_of(code: str) -> list[Shift]:
    """The moves that a script's blocks hold, exactly as they were given."""
    return [shift for block in _BLOCK.finditer(code) for shift in _read(block[0]) or ()]


def without_shifts(code: str) -> str:
    """The script as it was before any moves, to the character."""
    return _BLOCK.sub(lambda block: block[0] if _read(block[0]) is None else "", code)


def _added(shifts: Iterable[Shift]) -> list[Shift]:
    """One for each object, in the order of their first; the last reason stands."""
    sums: dict[str, Shift] = {}
    for shift in shifts:
        before = sums[shift.name].by if shift.name in sums else (0.0, 0.0, 0.0)
        by = tuple(_sum(a, b) for a, b in zip(before, shift.by, strict=True))
        sums[shift.name] = Shift(name=shift.name, by=(by[0], by[1], by[2]), reason=shift.reason)
    return [shift for shift in sums.values() if any(shift.by)]


def _sum(a: float, b: float) -> float:
    """Without what rounding leaves of two that cancel."""
    total = a + b
    return 0.0 if abs(total) < 1e-9 * max(abs(a), abs(b)) else total


def _block(shifts: Sequence[Shift]) -> str:
    rows = "".join(f"    ({_quoted(s.name)}, {_numbers(s.by)}, {_quoted(s.reason)}),\n" for s in shifts)
    return f"\n\n{BEGIN}\n" + _CODE.replace("{rows}", f"[\n{rows}]") + f"{END}\n"


def _quoted(text: str) -> str:
    """Pure ASCII, on one line, whatever is in it."""
    return ascii(text)


def _numbers(by: Vector) -> str:
    return "(" + ", ".join(repr(float(value)) for value in by) + ")"


def _read(block: str) -> list[Shift] | None:
    """A block's moves; None for what is not, to the character, a block of ours."""
    rows = _ROWS.search(block)
    if rows is None:
        return None
    try:
        entries = ast.literal_eval(rows[1])
        shifts = [Shift(name=name, by=by, reason=reason) for name, by, reason in entries]
    except (ValueError, TypeError, SyntaxError):  # written by somebody else
        return None
    return shifts if _block(shifts) == block else None


STILL: Vector = (0.0, 0.0, 0.0)
MOST = 600
"""Pairs of parts that are looked at; of more the bodies' boxes are taken."""
REACH = 0.05
"""Meters up to which two things are near each other."""
NEW_SHARE = 0.1
"""Of its points, that a thing is taken to have in another that it did not meet before."""
CLOSE = 1e-6


def moved_scene(scene: Scene, steps: Mapping[str, Vector]) -> Scene:
    """A scene after steps in the world's axes, in meters; each takes a thing's parts along."""
    return scene.model_copy(update={"facts": moved(scene.facts, steps)})


def moved(facts: SceneFacts, steps: Mapping[str, Vector]) -> SceneFacts:
    """Facts after steps of things by name, each with its parts."""
    parents = {thing.name: thing.parent for thing in facts.things}
    things = tuple(_stepped(thing, steps, parents) for thing in facts.things)
    before, after = Space(facts), Space(facts.model_copy(update={"things": things}))
    by = {name: steps.get(name, STILL) for name in before.bodies}
    rests = {rest.name: _rest(before, after, rest, by) for rest in facts.rests}
    known = {frozenset((c.a, c.b)): c for c in facts.contacts}
    contacts: list[Contact] = []
    names = sorted(after.bodies)
    for index, one in enumerate(names):
        for other in names[index + 1 :]:
            met = known.get(frozenset((one, other)))
            if _relative(by, one, other) == STILL:
                contacts += [met] if met is not None else []
            elif (then := _contact(before, after, (one, other), met, by)) is not None:
                contacts.append(then)
    return after.facts.model_copy(update={"contacts": tuple(contacts), "rests": tuple(rests.values())})


def shifted(thing: Thing, by: Vector) -> Thing:
    """One object by itself, after a step."""
    (x, y, z), box = by, thing.box
    rings = tuple(tuple((px + x, py + y) for px, py in ring) for ring in thing.footprint)
    there = None if box is None else (box[0] + x, box[1] + y, box[2] + z, box[3] + x, box[4] + y, box[5] + z)
    at = thing.location
    return thing.model_copy(update={"box": there, "footprint": rings, "location": (at[0] + x, at[1] + y, at[2] + z)})


def _stepped(thing: Thing, steps: Mapping[str, Vector], parents: Mapping[str, str | None]) -> Thing:
    total, at, seen = [0.0, 0.0, 0.0], thing.name, set[str]()
    while at and at not in seen:
        seen.add(at)
        total = [a + b for a, b in zip(total, steps.get(at, STILL), strict=True)]
        at = parents.get(at) or ""
    return shifted(thing, (total[0], total[1], total[2])) if any(total) else thing


def _relative(by: Mapping[str, Vector], one: str, other: str) -> Vector:
    x, y, z = (a - b for a, b in zip(by.get(one, STILL), by.get(other, STILL), strict=True))
    return (x, y, z)


def _contact(
    before: Space, after: Space, pair: tuple[str, str], met: Contact | None, by: Mapping[str, Vector]
) -> Contact | None:
    """How two lie to each other after one moved past the other; None where they are not near."""
    one, other = pair
    gap, depth = _room(after.bodies[one], after.bodies[other])
    if gap > REACH:
        return None
    was_apart, was = _room(before.bodies[one], before.bodies[other])
    old, share = (met.depth, met.share) if met is not None else (0.0, NEW_SHARE)
    if _falls_free(before, pair, by):
        depth = old
    elif depth <= was + CLOSE:
        depth = old * depth / was if was > 0.0 else 0.0
    else:
        depth, share = old + depth - was, max(share, NEW_SHARE)
    if _lands(before, pair, by) or depth > 0.0:
        gap = 0.0
    elif met is not None:  # boxes of hills and trees meet where their surfaces do not
        gap = max(0.0, met.gap + gap - was_apart)
    return Contact(a=one, b=other, gap=gap, depth=depth, share=share if depth > 0.0 else 0.0)


def _falls_free(space: Space, pair: tuple[str, str], by: Mapping[str, Vector]) -> bool:
    """Whether one comes straight down on the other by no more than it was measured to fall freely."""
    for name, other in (pair, pair[::-1]):
        x, y, z = _relative(by, name, other)
        rest = space.rests.get(name)
        if x == y == 0.0 and z < 0.0 and rest is not None and rest.drop is not None and -z <= rest.drop + CLOSE:
            return True
    return False


def _lands(space: Space, pair: tuple[str, str], by: Mapping[str, Vector]) -> bool:
    for name, other in (pair, pair[::-1]):
        rest = space.rests.get(name)
        if rest is not None and rest.on == other and rest.drop is not None:
            x, y, z = _relative(by, name, other)
            if x == y == 0.0 and abs(rest.drop + z) <= CLOSE:
                return True
    return False


def _room(one: Body, other: Body) -> tuple[float, float]:
    """Clear distance of two bodies, and how deep their parts share room, by boxes and footprints."""
    if gap_between(one.box, other.box) > REACH:
        return gap_between(one.box, other.box), 0.0
    pairs = list(product(one.parts, other.parts)) if len(one.parts) * len(other.parts) <= MOST else []
    found = [_shared(a, b) for a, b in pairs]
    return min((gap for gap, _ in found), default=0.0), max((depth for _, depth in found), default=0.0)


def _shared(a: Thing, b: Thing) -> tuple[float, float]:
    assert a.box is not None
    assert b.box is not None
    gap = gap_between(a.box, b.box)
    if gap > REACH:
        return gap, 0.0
    one, other = footprint(a), footprint(b)
    over = min(a.box[5], b.box[5]) - max(a.box[2], b.box[2])
    aside = float(one.distance(other))
    if aside > 0.0 or over <= 0.0:
        return math.hypot(aside, max(-over, 0.0)), 0.0
    x0, y0, x1, y1 = one.intersection(other).bounds
    return 0.0, min(over, x1 - x0, y1 - y0)


def _rest(before: Space, after: Space, rest: Rest, by: Mapping[str, Vector]) -> Rest:
    """What is under a thing after the steps: the same while its middle stays over it, else what is there by boxes."""
    x, y, z = _relative(by, rest.name, rest.on)
    body = after.bodies.get(rest.name)
    if body is None or rest.on not in after.bodies or rest.drop is None:
        return rest
    if x == y == 0.0:
        return rest.model_copy(update={"drop": max(0.0, round(rest.drop + z, 6))})
    mx, my, _ = body.center
    box = after.bodies[rest.on].box
    if box[0] <= mx <= box[3] and box[1] <= my <= box[4]:
        return rest.model_copy(update={"drop": max(0.0, round(rest.drop + z, 6))})
    under = [
        (other.box[5], other.name)
        for other in after.bodies.values()
        if other is not body
        and other.box[0] <= mx <= other.box[3]
        and other.box[1] <= my <= other.box[4]
        and other.box[5] <= body.box[2] + after.slack(body)
    ]
    top, on = max(under, default=(0.0, ""))
    return rest.model_copy(update={"on": on, "drop": max(0.0, body.box[2] - top) if on else None})
