"""Edits of what is asked for: repaint, resize, remove, move, add."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from redraft.english.edits import Add, Edit, Recolour, Remove, Resize, Shift, is_edit, read_edits
from redraft.english.grammar import read
from redraft.english.reading import Relate
from redraft.english.words import singular
from redraft.offline.scene.colours import colour_of
from redraft.offline.scene.reading import take, there, ties_of
from redraft.offline.scene.setting import without_light
from redraft.offline.scene.solids import find
from redraft.offline.scene.wanted import Tie, Wish, Wishes, same_noun

__all__ = ["change"]

_STEP = {"left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "up": (0.0, 0.0, 1.0), "down": (0.0, 0.0, -1.0)}


def change(found: Wishes, text: str) -> None:
    nouns = tuple(dict.fromkeys(w.noun for w in found.things.values()))
    bare = without_light(text)
    if not bare.strip(" ,.") or re.fullmatch(r"\W*make it\W*", bare, re.IGNORECASE):
        return
    edits = read_edits(bare, nouns) if is_edit(bare) else (Add(bare),)
    for edit in edits:
        _apply(found, edit)


def _apply(found: Wishes, edit: Edit) -> None:
    if isinstance(edit, Add):
        nouns = tuple(dict.fromkeys(w.noun for w in found.things.values()))
        take(found, read(edit.text, present=nouns))
        return
    meant = _meant(found, edit.noun, edit.whole if not isinstance(edit, Shift) else None)
    if not meant:
        found.unmet.append(f"there is no {edit.noun} to change")
    for wish, part in meant:
        match edit:
            case Recolour():
                _recoloured(wish, part, edit.colour)
            case Resize():
                wish.size = min(50.0, max(0.02, wish.size * edit.factor))
            case Remove():
                _removed(found, wish, edit.number)
            case Shift():
                _moved(found, wish, edit)


def _meant(found: Wishes, noun: str, whole: str | None) -> list[tuple[Wish, str]]:
    """The things that a noun means, each with the part of it that is meant, or none."""
    one = singular(noun)[0]
    wholes = [w for w in found.things.values() if same_noun(w.noun, one)]
    if not wholes:
        solid = find(noun)
        wholes = [w for w in found.things.values() if solid is not None and w.solid is solid]
    if wholes:
        return [(w, "") for w in wholes]
    owners = [w for w in found.things.values() if whole is None or same_noun(w.noun, whole)]
    return [(w, part.name) for w in owners if (part := w.solid.part(noun)) is not None]


def _recoloured(wish: Wish, part: str, colour: str) -> None:
    value = colour_of(colour)
    if value is not None and part:
        wish.parts[part] = value
    elif value is not None:
        wish.colour = value
        wish.look = "paint" if wish.look == "wood" else wish.look


def _removed(found: Wishes, wish: Wish, number: int | None) -> None:
    left = 0 if number is None else wish.count - number
    if left > 0:
        wish.count = left
        return
    del found.things[wish.id]
    under = next((t.b for t in found.ties if t.a == wish.id and t.relation in {"on", "inside"}), ())
    heirs = [t.a for t in found.ties if t.relation in {"on", "inside"} and t.b == (wish.id,)]
    found.ties = [t for t in found.ties if wish.id not in (t.a, *t.b)]
    found.ties += [Tie("on", heir, under) for heir in heirs if under]


def _moved(found: Wishes, wish: Wish, edit: Shift) -> None:
    if edit.way == "to":
        reading = read(edit.to, present=tuple(w.noun for w in found.things.values()))
        known = {m.id: one for m in reading.mentions if (one := there(found, replace(m, phrase=f"the {m.noun}")))}
        ties = [t for c in reading.constraints if isinstance(c, Relate) for t in ties_of(found, c, known)]
        mine = [t for t in ties if t.a == wish.id]
        if mine:
            stays = {"on", "inside"} if not {t.relation for t in mine} & {"on", "inside"} else set[str]()
            found.ties = [
                t for t in found.ties if t.a != wish.id or (t.relation in stays and _beside_there(found, t, mine))
            ]
            found.ties += mine
            wish.shift = (0.0, 0.0, 0.0)
        else:
            found.unmet.append(edit.to)
        return
    x, y, z = wish.shift
    dx, dy, dz = _STEP.get(edit.way, (0.0, -1.0 if edit.way == "closer" else 1.0, 0.0))
    wish.shift = (x + dx * edit.amount, y + dy * edit.amount, z + dz * edit.amount)


def _beside_there(found: Wishes, tie: Tie, mine: Sequence[Tie]) -> bool:
    """Whether what a thing is now to be beside stands on the same as it does."""
    return any(t.a in m.b and t.b == tie.b and t.relation == tie.relation for t in found.ties for m in mine)
