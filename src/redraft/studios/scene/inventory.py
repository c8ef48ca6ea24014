"""The inventory of a scene in words: what a model needs to know of the scene that its script really made."""

from __future__ import annotations

from redraft.studios.scene.spec import Rest, Scene, SceneFacts, Thing

MOST = 40
"""Things that are listed one by one: the largest; the others are counted."""
RESTS = 0.002
"""Meters of air below which a thing is said to rest."""


def inventory(scene: Scene) -> list[str]:
    """Lines: the camera, the lights, and each top-level thing with its size, place, and what it rests on.

    Lengths are meters; a place is the middle of a thing's box in plan and its lower edge.
    """
    facts = scene.facts
    tops = [thing for thing in facts.things if thing.parent is None and _box(facts, thing)]
    order = sorted(tops, key=lambda thing: _volume(facts, thing), reverse=True)
    rests = {rest.name: rest for rest in facts.rests}
    lines = [_camera(facts), *_lights(facts), *(_thing(facts, thing, rests.get(thing.name)) for thing in order[:MOST])]
    left = len(order) - MOST + facts.left_out
    return [*lines, *([f"and {left} smaller things"] if left > 0 else [])]


def _camera(facts: SceneFacts) -> str:
    camera = facts.camera
    if camera is None:
        return "no camera"
    lens = f"{camera.angle:.0f}° wide" if camera.angle else "parallel projection"
    return f"camera {camera.name!r} at {_vector(camera.location)}, looking along {_vector(camera.forward)}, {lens}"


def _lights(facts: SceneFacts) -> list[str]:
    lights = [light for light in facts.lights if not light.hidden]
    found = [
        f"{light.kind.lower()} light {light.name!r} at {_vector(light.location)}, {light.energy:g}" for light in lights
    ]
    return [*found[:6], *([f"and {len(found) - 6} more lights"] if len(found) > 6 else [])]


def _thing(facts: SceneFacts, thing: Thing, rest: Rest | None) -> str:
    box = _box(facts, thing)
    assert box is not None, "only things with geometry are listed"
    x0, y0, z0, x1, y1, z1 = box
    family = _family(facts, thing)
    parts = "" if len(family) == 1 else ", 1 part" if len(family) == 2 else f", {len(family) - 1} parts"
    size = f"{x1 - x0:.3g} × {y1 - y0:.3g} × {z1 - z0:.3g}"
    place = f"({(x0 + x1) / 2:.3f}, {(y0 + y1) / 2:.3f}), from z {z0:.3f} to {z1:.3f}"
    seen = sum(part.pixels for part in family)
    shown = (
        f"; {seen:.1%} of the picture" if facts.camera and seen else "; not seen by the camera" if facts.camera else ""
    )
    return f"{thing.name!r}{parts}: {size} at {place}{_resting(rest)}{shown}"


def _resting(rest: Rest | None) -> str:
    if rest is None or rest.drop is None:
        return ""
    if rest.drop <= RESTS:
        return f"; rests on {rest.on!r}"
    return f"; {rest.drop:.3f} above {rest.on!r}"


def _family(facts: SceneFacts, thing: Thing) -> list[Thing]:
    """A thing and all its parts."""
    found, names = [thing], {thing.name}
    waiting = [each for each in facts.things if each.parent is not None]
    while grown := [each for each in waiting if each.parent in names]:
        found += grown
        names |= {each.name for each in grown}
        waiting = [each for each in waiting if each.name not in names]
    return found


def _box(facts: SceneFacts, thing: Thing) -> tuple[float, ...] | None:
    boxes = [part.box for part in _family(facts, thing) if part.box is not None and not part.hidden]
    if not boxes:
        return None
    lows = (min(box[axis] for box in boxes) for axis in range(3))
    highs = (max(box[axis + 3] for box in boxes) for axis in range(3))
    return (*lows, *highs)


def _volume(facts: SceneFacts, thing: Thing) -> float:
    box = _box(facts, thing) or (0.0,) * 6
    return max(box[3] - box[0], 1e-3) * max(box[4] - box[1], 1e-3) * max(box[5] - box[2], 1e-3)


def _vector(values: tuple[float, float, float]) -> str:
    return f"({', '.join(f'{value:.2f}' for value in values)})"
