"""What carries what: every thing stands on the floor, or on, in, under or around another, and ties join neighbours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from redraft.offline.scene.solids import Part, Solid, Top, solids
from redraft.offline.scene.wanted import Tie, Wish, Wishes, size_of

__all__ = ["STAND", "Holding", "held"]

HELD = ("on", "inside", "under", "around", "amid")
STAND = "stand"


@dataclass
class Holding:
    """By thing what holds it and how; the others stand on the floor. `ties` are between things on the same floor."""

    holders: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    ties: list[Tie] = field(default_factory=list[Tie])
    floating: list[Tie] = field(default_factory=list[Tie])
    """Ties of what floats or hangs on a wall."""
    stages: list[str] = field(default_factory=list[str])
    """Grounds that a thing became because something stands on it."""

    def held_by(self, holder: str, how: str) -> list[str]:
        return [i for i, (mode, by) in self.holders.items() if by == holder and mode == how]

    def chain(self, one: str) -> Iterator[str]:
        """The thing, what holds it, and so on down to the floor."""
        seen: set[str] = set()
        while one not in seen:
            seen.add(one)
            yield one
            one = self.holders.get(one, ("", one))[1]


def held(asked: Wishes) -> Holding:
    """Sort out the ties of a reading; may add a stand to `asked.things`, and take out what became the ground."""
    found = Holding()
    things = asked.things
    _stages(asked, found)
    ties = [t for t in asked.ties if t.a in things and all(b in things for b in t.b)]
    for tie in ties:
        if tie.relation in {"on", "inside", "around"} and len(tie.b) == 1:
            mode = "on" if tie.relation == "inside" and _nowhere_in(things[tie.b[0]]) else tie.relation
            if _flies(things[tie.a]) and mode == "around":
                continue
            _hold(found, tie.a, mode, tie.b[0])
    for tie in ties:
        if tie.relation in {"above", "below"} and len(tie.b) == 1:
            low, high = (tie.a, tie.b[0]) if tie.relation == "below" else (tie.b[0], tie.a)
            _stacked(asked, found, low, high, tie)
    rest = [t for t in ties if t.relation not in {"on", "inside", "around", "above", "below"}]
    for tie in rest:
        _beside(things, found, tie)
    for tie in rest:
        _tied(asked, found, tie)
    _placed_so(things, found)
    return found


def _placed_so(things: dict[str, Wish], found: Holding) -> None:
    """Things that look another way where they are: upright books on a shelf, a floor lamp on the floor."""
    for one, wish in things.items():
        how, by = found.holders.get(one, ("", ""))
        other = ""
        if by and how in {"on", "inside"} and things[by].solid.board is not None:
            other = wish.solid.shelved
        elif not by and any(i not in found.holders and i != one and size_of(things[i])[0] > 0.6 for i in things):
            other = wish.solid.floored
        if other:
            wish.solid = solids()[other]


def _flies(wish: Wish) -> bool:
    return wish.solid.rests != "ground"


def _nowhere_in(wish: Wish) -> bool:
    return wish.solid.inside is None


def _stages(asked: Wishes, found: Holding) -> None:
    """What things stand on like on ground (the moon) is the ground."""
    for tie in list(asked.ties):
        under = asked.things.get(tie.b[0]) if tie.relation == "on" and tie.b else None
        if under is not None and under.solid.stage and tie.a in asked.things:
            found.stages.append(under.solid.stage)
            del asked.things[under.id]


def _hold(found: Holding, one: str, how: str, by: str) -> None:
    if one not in found.holders and one not in found.chain(by):
        found.holders[one] = (how, by)


def _stacked(asked: Wishes, found: Holding, low: str, high: str, tie: Tie) -> None:
    """One thing over another: it flies, there is room beneath it, or a stand carries it."""
    things = asked.things
    upper, lower = things[high], things[low]
    if upper.solid.flies and high not in found.holders:
        upper.solid = upper.solid.model_copy(update={"rests": "floats"})
    if _flies(upper):
        found.floating.append(Tie("above", high, (low,), tie.degree, tie.phrase))
        return
    if upper.solid.under is not None:
        w, d, h = (v / 100 * upper.size for v in upper.solid.under)
        lw, ld, lh = size_of(lower)
        if lh > h or lw > w or ld > d * 1.6:
            lower.size *= max(0.4, min(h / lh, w / lw, 1.6 * d / ld) * 0.92)
        _hold(found, low, "under", high)
        return
    if high in found.holders or low in found.holders:
        asked.unmet.append(tie.phrase)
        return
    name = STAND + "".join("_" for i in things if i.startswith(STAND))
    uw, ud, _ = size_of(upper)
    lw, ld, lh = size_of(lower)
    width = max(uw * 1.04, lw * lower.count * 1.25 + 0.08)
    solid = _stand(width * 100, max(ud * 1.04, ld * 1.1) * 100, lh * 112 + 2)
    things[name] = Wish(
        name, STAND, solid, colour="#a5703f", look="wood", note=f"A stand, so that there is room {tie.phrase}."
    )
    _hold(found, high, "on", name)
    _hold(found, low, "under", name)


def _stand(width: float, depth: float, clear: float) -> Solid:
    thick = max(1.0, 0.03 * width)
    leg = max(0.8, 0.04 * width)
    parts = (
        Part(name="board", box=(width, depth, thick), at=(0, 0, clear)),
        Part(name="leg", box=(leg, leg, clear), corners=(width / 2 - leg / 2, depth / 2 - leg / 2)),
    )
    top = Top(z=clear + thick, size=(width, depth))
    return Solid(name=STAND, colour="wood", look="wood", parts=parts, top=top, under=(width - 2 * leg, depth, clear))


def _beside(things: dict[str, Wish], found: Holding, tie: Tie) -> None:
    """What is beside something on a table stands on that table too, where it fits."""
    if tie.relation == "far":
        return
    for one, other in ((tie.a, tie.b[0]), (tie.b[0], tie.a)):
        how, by = found.holders.get(other, ("", ""))
        if one in found.holders or how != "on" or _flies(things[one]) or one in found.chain(by):
            continue
        if max(size_of(things[one])[:2]) < 0.5 * max(size_of(things[by])[:2]):
            _hold(found, one, "on", by)


def _tied(asked: Wishes, found: Holding, tie: Tie) -> None:
    """A tie of neighbours: lifted to what stands on one floor; what is between two is to the right of one of them."""
    things = asked.things
    if tie.relation == "between":
        if len(tie.b) == 1:
            if things[tie.b[0]].count > 1:
                _hold(found, tie.a, "amid", tie.b[0])
            return
        for k, b in enumerate(tie.b[:2]):
            _tied(asked, found, replace(tie, relation="left_of" if k else "right_of", b=(b,)))
        return
    if any(_flies(things[i]) for i in (tie.a, *tie.b)):
        found.floating.append(tie)
        return
    pair = _lifted(found, tie.a, tie.b[0])
    if pair is not None:
        found.ties.append(replace(tie, a=pair[0], b=(pair[1],)))


def _lifted(found: Holding, a: str, b: str) -> tuple[str, str] | None:
    """What of two chains stands on one floor: the table that a cup is on, beside a chair."""
    left, right = list(found.chain(a)), list(found.chain(b))
    for i in left:
        for j in right:
            if (
                i != j
                and found.holders.get(i, ("", ""))[1] == found.holders.get(j, ("", ""))[1]
                and i not in right
                and j not in left
            ):
                return i, j
    return None
