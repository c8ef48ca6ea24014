"""Camera and light: the camera sees the things of the scene; the picture is neither black nor white."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from redraft.result import Issue
from redraft.studios.scene.bodies import Body
from redraft.studios.scene.rules.issues import Situation, finding, length

MIN_SEEN = 0.001
"""Share of the picture from which a thing is seen; a tenth of that where others of its name are seen."""
MIN_GONE = 0.95
"""Share of its box beyond the picture's edges from which a thing is out of the picture."""
MAX_CUT = 0.5
"""Share of its box beyond the picture's edges up to which a thing may be cut."""
INSIDE_MARGIN = 0.05
"""Share of a thing's box that a point is within all of its sides to be inside of it."""
FILLING = 0.6
"""Share of the picture above which a thing fills it."""


def missing(at: Situation) -> Iterator[Issue]:
    """Find a scene without a camera, whose picture is of redraft's choosing."""
    if at.facts.camera is None:
        yield finding(
            "camera.none",
            "the scene has no camera",
            hint="add one, aim it at the scene, and make it the scene's: bpy.context.scene.camera = camera",
        )


def blind(at: Situation) -> Iterator[Issue]:
    """Find a camera that sees no thing at all, or none but the one it is in."""
    eye = at.facts.camera
    if eye is None or not at.space.actors:
        return
    around = {issue.subjects[0] for issue in within(at)}
    if any(body.pixels >= MIN_SEEN / 10 and not around & {p.name for p in body.parts} for body in at.space.actors):
        return
    names = tuple(body.name for body in at.space.actors)
    x, y, z = ((low + high) / 2 for low, high in zip(at.space.stage[:3], at.space.stage[3:], strict=True))
    hint = next((issue.hint for issue in (*within(at), *clipped(at))), "")
    yield finding(
        "camera.blind",
        f"the camera sees nothing of {', '.join(names[:6])}{' and others' if len(names) > 6 else ''}",
        numbers={"found": 0.0, "expected": MIN_SEEN, "x": x, "y": y, "z": z},
        hint=hint
        or f"aim the camera at ({x:.2f}, {y:.2f}, {z:.2f}), the middle of the scene: "
        "(Vector(target) - camera.location).to_track_quat('-Z', 'Y')",
    )


def unseen(at: Situation) -> Iterator[Issue]:
    """Find things in requirements that the picture does not show; without any, kinds of which none is shown."""
    if at.facts.camera is None or any(blind(at)):
        return
    seen = [body for body in at.space.actors if body.pixels >= MIN_SEEN]  # a thousand at most
    for body in at.space.actors:
        name, required = body.name, body.name in at.named
        if body.pixels >= MIN_SEEN:
            continue
        shown = any(other.label == body.label or at.space.akin(other.name, name) for other in seen)
        if (shown and body.pixels >= MIN_SEEN / 10) or (not required if at.named else shown):
            continue

        outside = min(part.outside for part in body.parts)
        bare = max(part.bare for part in body.parts)
        if outside >= MIN_GONE:
            yield finding(
                "camera.unseen",
                f"{name} is out of the picture: {outside:.0%} of it lies beyond the edges or behind the camera",
                (name,),
                numbers={"found": 1.0 - body.pixels, "outside": outside},
                hint=f"aim the camera so that it sees {name}, move the camera back, or move {name} into its view",
            )
        elif bare >= MIN_SEEN and not _may_be_hidden(at, body):
            yield finding(
                "camera.hidden",
                f"{name} is hidden: other things stand before it or around it",
                (name,),
                numbers={"found": 1.0 - body.pixels, "bare": bare},
                hint=f"move {name} or what stands before it, or look from another place",
            )
        elif bare < MIN_SEEN and required:
            yield finding(
                "camera.unseen",
                f"{name} is too small to be seen: {body.pixels:.2%} of the picture",
                (name,),
                numbers={"found": 1.0 - body.pixels},
                hint=f"bring the camera nearer to {name}, or make {name} larger",
                mild=True,
            )


def _may_be_hidden(at: Situation, body: Body) -> bool:
    """Return whether something covers or holds the thing, as a cloth covers a table and a cup holds coffee."""
    x, y, z = body.center
    mine = body.box
    plan = (mine[3] - mine[0]) * (mine[4] - mine[1])
    for other in at.space.actors:
        if other is body:
            continue
        a = other.box
        if body.name not in at.named and a[0] < x < a[3] and a[1] < y < a[4] and a[2] < z < a[5]:
            return True  # in it, and no requirement names it
        shared = [min(mine[i + 3], a[i + 3]) - max(mine[i], a[i]) for i in (0, 1)]
        covers = a[5] >= mine[5] and min(shared) > 0 and shared[0] * shared[1] >= 0.9 * plan
        if covers and at.space.touches(body.name, other.name):
            return True
    return False


def cut(at: Situation) -> Iterator[Issue]:
    """Find things in requirements of which more than half lies beyond the picture's edges."""
    for body in at.space.actors:
        outside = min(part.outside for part in body.parts)
        if body.name in at.named and body.pixels >= MIN_SEEN and MAX_CUT < outside < MIN_GONE:
            yield finding(
                "camera.cut",
                f"{outside:.0%} of {body.name} lies beyond the edges of the picture",
                (body.name,),
                numbers={"found": outside, "expected": MAX_CUT},
                hint=f"move the camera back, or aim it nearer to {body.name}",
            )


def clipped(at: Situation) -> Iterator[Issue]:
    """Find things nearer than the camera's clip start, or beyond its end: one finding for each side."""
    eye = at.facts.camera
    if eye is None or eye.angle == 0:
        return
    near: dict[str, float] = {}
    beyond: dict[str, float] = {}
    for body in at.space.actors:
        box = body.box
        depths = [
            sum((c - e) * f for c, e, f in zip(corner, eye.location, eye.forward, strict=True))
            for corner in product((box[0], box[3]), (box[1], box[4]), (box[2], box[5]))
        ]
        if 0 < max(depths) < eye.clip[0]:
            near[body.name] = max(depths)
        if min(depths) > eye.clip[1]:
            beyond[body.name] = min(depths)

    sides = ((near, eye.clip[0], "nearer", "clip_start below"), (beyond, eye.clip[1], "farther", "clip_end above"))
    for distances, limit, word, setting in sides:
        if distances:
            names, distance = tuple(distances), next(iter(distances.values()))
            yield finding(
                "camera.clipped",
                f"{', '.join(names[:6])}: {length(distance)} from the camera, {word} than the {length(limit)} that it "
                "shows",
                names,
                numbers={"found": distance, "expected": limit},
                hint=f"set the camera's {setting} {length(distance)}",
            )


def within(at: Situation) -> Iterator[Issue]:
    """Find a camera inside of a closed thing that is not a room, and that fills the picture."""
    eye = at.facts.camera
    if eye is None:
        return
    for body in at.space.actors:
        for part in body.parts:
            box = part.box
            if box is None or not (part.closed and part.faces and part.pixels > FILLING):
                continue
            margins = [(box[i + 3] - box[i]) * INSIDE_MARGIN for i in range(3)]
            if all(box[i] + margins[i] < eye.location[i] < box[i + 3] - margins[i] for i in range(3)):
                # In a room most other things are within it, too.
                others = [other.center for other in at.space.bodies.values() if other is not body]
                a = body.box
                held = sum(all(a[i] < center[i] < a[i + 3] for i in range(3)) for center in others)
                if others and held >= 0.5 * len(others):
                    continue
                yield finding(
                    "camera.inside",
                    f"the camera stands inside of {part.name}, which fills {part.pixels:.0%} of the picture",
                    (part.name,),
                    hint=f"move the camera out of {part.name}: {eye.name} is at "
                    f"({', '.join(f'{v:.2f}' for v in eye.location)})",
                )


ALL = 0.995
"""Share of the picture that is as good as black, or white, from which it shows nothing."""
BLACK_MEAN, DARK_MEAN = 0.015, 0.04
"""Mean brightness below which a picture is black, or very dark."""
MILD_BLOWN, GRAVE_BLOWN = 0.7, 0.85
"""Share of the picture that is white: for a warning, and for an error."""
MIN_CONTRAST = 0.02
"""Spread of brightness below which a picture has no contrast."""
MIN_SKY = 0.02
"""Brightness from which a background lights a scene, if dimly."""


def blank(at: Situation) -> Iterator[Issue]:
    """Find a picture that is black, or white, all over: whatever the brief asks for, it shows nothing."""
    seen = at.exposure
    if seen is None or any(blind(at)):
        return
    if seen.black >= ALL and seen.mean < BLACK_MEAN:
        dark = not any(light.energy > 0 and not light.hidden for light in at.facts.lights)
        nothing = dark and at.facts.sky < MIN_SKY and not at.facts.glow
        yield finding(
            "light.none" if nothing else "light.black",
            "nothing gives light, and the picture is black" if nothing else "the picture is black",
            numbers={"found": seen.black, "expected": 0.0, "mean": seen.mean},
            hint="add a light, such as a SUN with energy 3, or make the world's background brighter"
            if nothing
            else "make the lights stronger, or aim them and the camera at the scene",
        )
    elif seen.blown >= ALL:
        yield finding(
            "light.white",
            "the picture is white",
            numbers={"found": seen.blown, "expected": 0.0},
            hint="make the lights or the world's background weaker",
        )


def exposed(at: Situation) -> Iterator[Issue]:
    """Find a picture through the camera that is dark, blown out or flat."""
    seen = at.exposure
    if seen is None or any(blank(at)) or any(blind(at)):
        return
    if seen.mean < DARK_MEAN:
        yield finding(
            "light.dark",
            f"the picture is very dark: its mean brightness is {seen.mean:.3f}",
            numbers={"found": DARK_MEAN - seen.mean, "expected": 0.0},
            hint="make the lights or the world's background stronger",
            mild=seen.mean >= BLACK_MEAN,
        )
    elif seen.blown > MILD_BLOWN:
        yield finding(
            "light.blown",
            f"{seen.blown:.0%} of the picture is white",
            numbers={"found": seen.blown, "expected": MILD_BLOWN},
            hint="make the lights or the world's background weaker",
            mild=seen.blown <= GRAVE_BLOWN,
        )
    elif seen.spread < MIN_CONTRAST:
        yield finding(
            "light.flat",
            f"the picture has no contrast: brightness spreads over {seen.spread:.3f}",
            numbers={"found": MIN_CONTRAST - seen.spread, "expected": 0.0},
            hint="aim the camera at the scene, and light it from one side",
        )
