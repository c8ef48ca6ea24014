"""The inventory of a scene in words, for the model whose script made it."""

from __future__ import annotations

import math

from redraft.studios.scene.bodies import around, size_of
from redraft.studios.scene.spec import Box, Rest, Scene, SceneFacts, Thing

MAX_THINGS = 40
"""Things that are listed one by one, the largest; the others are counted."""
MAX_LIGHTS = 6
"""Lights that are listed one by one; the others are counted."""
MAX_RESTING = 0.002
"""Meters of air up to which a thing rests on what is below."""


def inventory(scene: Scene) -> list[str]:
    """Return lines about the camera, the lights, and each top-level thing with its size, place and support.

    Lengths are meters; a place is the middle of a thing's box in plan and its lower edge.
    """
    facts = scene.facts
    lines = ["no camera"]
    if (camera := facts.camera) is not None:
        lens = f"{camera.angle:.0f}° wide" if camera.angle else "parallel projection"
        at, along = _vector(camera.location), _vector(camera.forward)
        lines = [f"camera {camera.name!r} at {at}, looking along {along}, {lens}"]

    lights = [light for light in facts.lights if not light.hidden]
    for light in lights[:MAX_LIGHTS]:
        lines.append(f"{light.kind.lower()} light {light.name!r} at {_vector(light.location)}, {light.energy:g}")
    if len(lights) > MAX_LIGHTS:
        lines.append(f"and {len(lights) - MAX_LIGHTS} more lights")

    tops: list[tuple[Thing, list[Thing], Box]] = []
    for thing in facts.things:
        if thing.parent is None:
            family = _family(facts, thing)
            boxes = [part.box for part in family if part.box is not None and not part.hidden]
            if boxes:
                tops.append((thing, family, around(boxes)))
    tops.sort(key=lambda top: math.prod(max(side, 1e-3) for side in size_of(top[2])), reverse=True)
    rests = {rest.name: rest for rest in facts.rests}
    lines += [_line(facts, *top, rests.get(top[0].name)) for top in tops[:MAX_THINGS]]
    others = len(tops) - MAX_THINGS + facts.left_out
    return [*lines, *([f"and {others} smaller things"] if others > 0 else [])]


def _line(facts: SceneFacts, thing: Thing, family: list[Thing], box: Box, rest: Rest | None) -> str:
    """Return the line of one thing: parts, size, place, support, and its share of the picture."""
    x0, y0, z0, x1, y1, z1 = box
    parts = "" if len(family) == 1 else ", 1 part" if len(family) == 2 else f", {len(family) - 1} parts"
    size = f"{x1 - x0:.3g} × {y1 - y0:.3g} × {z1 - z0:.3g}"
    place = f"({(x0 + x1) / 2:.3f}, {(y0 + y1) / 2:.3f}), from z {z0:.3f} to {z1:.3f}"
    support = ""
    if rest is not None and rest.drop is not None:
        resting = rest.drop <= MAX_RESTING
        support = f"; rests on {rest.on!r}" if resting else f"; {rest.drop:.3f} above {rest.on!r}"
    seen = sum(part.pixels for part in family)
    shown = f"; {seen:.1%} of the picture" if seen else "; not seen by the camera"
    return f"{thing.name!r}{parts}: {size} at {place}{support}{shown if facts.camera else ''}"


def _family(facts: SceneFacts, thing: Thing) -> list[Thing]:
    """Return a thing and all its parts."""
    family, names = [thing], {thing.name}
    waiting = [each for each in facts.things if each.parent is not None]
    while grown := [each for each in waiting if each.parent in names]:
        family += grown
        names |= {each.name for each in grown}
        waiting = [each for each in waiting if each.name not in names]
    return family


def _vector(values: tuple[float, float, float]) -> str:
    return f"({', '.join(f'{value:.2f}' for value in values)})"
