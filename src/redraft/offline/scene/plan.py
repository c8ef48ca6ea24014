"""The whole scene in numbers: each thing at its exact height, clear of the others, in the order of the words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shapely.geometry import MultiPoint

from redraft.offline.scene.aloft import hung
from redraft.offline.scene.build import Build
from redraft.offline.scene.holding import STAND, Holding, held
from redraft.offline.scene.placing import around, arranged
from redraft.offline.scene.setting import Setting, setting
from redraft.offline.scene.stood import Stack, Stood, cloud
from redraft.offline.scene.wanted import Wishes, size_of
from redraft.spatial.layout import Frame, Item, Layout, Style

__all__ = ["Plan", "layout_of", "planned"]


@dataclass(frozen=True)
class Plan:
    """Things that stand, what is around them, and what of the words was not kept."""

    things: tuple[Stood, ...]
    setting: Setting
    unmet: tuple[str, ...] = ()


def planned(asked: Wishes, seed: int) -> Plan:
    """Place all that is asked for. Changes `asked`: stands are added, grounds taken out."""
    holding = held(asked)
    build = Build(asked, holding, seed)
    roots = [i for i in asked.things if i not in holding.holders]
    standing = [i for i in roots if asked.things[i].solid.rests == "ground"]
    aloft = sorted((i for i in roots if i not in standing), key=lambda i: asked.things[i].solid.rests == "floats")
    stacks = build.levelled(standing)
    found, unmet = arranged(stacks, holding.ties) or ({}, [])
    placed = _shifted({s.id: s.moved(*found[s.id], -s.box[2]) for s in stacks}, asked)
    where = _setting(asked, holding, standing or aloft)
    for one in aloft:
        placed[one] = hung(build, one, placed, indoor=where.ground == "floor")
    things = [t for i in asked.things if i in placed for t in placed[i].things]
    return Plan(tuple(_named(things)), where, tuple(dict.fromkeys((*asked.unmet, *unmet))))


def layout_of(plan: Plan) -> Layout:
    """The things as seen from above, with the camera at the foot of the sheet."""
    return Layout(tuple(map(_item, plan.things)), Frame("m", plan=True))


def _item(one: Stood) -> Item:
    points = cloud(one)
    shape = MultiPoint([(x, -y) for x, y, _ in points.tolist()]).convex_hull
    low, high = points[:, 2].min(), points[:, 2].max()
    label = one.name.rstrip(" 0123456789").lower()
    return Item(one.name, label, shape, height=(float(low), float(high)), style=Style(fills=(one.colour,)))


def _setting(asked: Wishes, holding: Holding, roots: Sequence[str]) -> Setting:
    grounded = [i for i in roots if asked.things[i].noun != STAND] or list(asked.things)
    largest = sorted(grounded, key=lambda i: -max(size_of(asked.things[i])))
    places = [asked.things[i].solid.place for i in largest[:1]]
    afloat = all(asked.things[i].solid.afloat for i in roots)
    return setting(asked.words, [*asked.grounds, *holding.stages], places, afloat=afloat)


def _shifted(placed: Mapping[str, Stack], asked: Wishes) -> dict[str, Stack]:
    """Moves that edits asked for, in shares of the scene's width."""
    if not placed:
        return {}
    whole = around([b for s in placed.values() for b in s.boxes])
    wide = whole[3] - whole[0]
    return {i: s.moved(*(v * wide for v in asked.things[i].shift)) for i, s in placed.items()}


def _named(things: Sequence[Stood]) -> list[Stood]:
    """`Apple 1`, `Apple 2`; a number only where there are several."""
    totals: dict[str, int] = {}
    for one in things:
        totals[one.name] = totals.get(one.name, 0) + 1
    counts: dict[str, int] = {}
    found: list[Stood] = []
    for one in things:
        counts[one.name] = counts.get(one.name, 0) + 1
        found.append(replace(one, name=f"{one.name} {counts[one.name]}" if totals[one.name] > 1 else one.name))
    return found
