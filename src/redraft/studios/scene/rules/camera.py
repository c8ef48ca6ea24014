"""Camera and light: the camera sees what the scene is about; the picture is neither black nor white."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from redraft.result import Issue
from redraft.studios.scene.rules.issues import Situation, found, length
from redraft.studios.scene.space import Body
from redraft.studios.scene.spec import Box, Camera, Thing

SEEN = 0.001
"""Of the picture, from which a thing is seen; a tenth of that where others of its name are."""
GONE = 0.95
"""So much of its box beyond the picture's edges, and it is out of the picture."""
MUCH_CUT = 0.5
INSIDE_OF = 0.05
"""So far within a thing's box, as a share of it, is inside."""


def camera(at: Situation) -> Iterator[Issue]:
    """Without one the picture is of redraft's choosing."""
    if at.facts.camera is None:
        yield found(
            "camera.none",
            "the scene has no camera",
            hint="add one, aim it at the scene, and make it the scene's: bpy.context.scene.camera = camera",
        )


def blind(at: Situation) -> Iterator[Issue]:
    """The camera sees no thing at all, or none but the one it is in."""
    eye = at.facts.camera
    if eye is None or not at.space.actors:
        return
    around = {issue.subjects[0] for issue in within(at)}
    if any(body.pixels >= SEEN / 10 and not around & {p.name for p in body.parts} for body in at.space.actors):
        return
    names = tuple(body.name for body in at.space.actors)
    x, y, z = ((low + high) / 2 for low, high in zip(at.space.stage[:3], at.space.stage[3:], strict=True))
    hint = next((issue.hint for issue in (*within(at), *clipped(at))), "")
    yield found(
        "camera.blind",
        f"the camera sees nothing of {', '.join(names[:6])}{' and others' if len(names) > 6 else ''}",
        numbers={"found": 0.0, "expected": SEEN, "x": x, "y": y, "z": z},
        hint=hint
        or f"aim the camera at ({x:.2f}, {y:.2f}, {z:.2f}), the middle of the scene: "
        "(Vector(target) - camera.location).to_track_quat('-Z', 'Y')",
    )


def unseen(at: Situation) -> Iterator[Issue]:
    """Things that requirements speak of and the picture does not show; without any, all of which none is shown."""
    if at.facts.camera is None or any(blind(at)):
        return
    seen = [body for body in at.space.actors if body.pixels >= SEEN]  # a thousand at most
    for body in at.space.actors:
        if body.pixels >= SEEN:
            continue
        shown = any(b.label == body.label or at.space.akin(b.name, body.name) for b in seen)
        if (shown and body.pixels >= SEEN / 10) or (body.name not in at.named if at.named else shown):
            continue
        yield from _unseen(at, body)


def _unseen(at: Situation, body: Body) -> Iterator[Issue]:
    outside = min(part.outside for part in body.parts)
    bare = max(part.bare for part in body.parts)
    if outside >= GONE:
        yield found(
            "camera.unseen",
            f"{body.name} is out of the picture: {outside:.0%} of it lies beyond the edges or behind the camera",
            (body.name,),
            numbers={"found": 1.0 - body.pixels, "outside": outside},
            hint=f"aim the camera so that it sees {body.name}, move the camera back, or move {body.name} into its view",
        )
    elif bare >= SEEN and not _in_something(at, body) and not _covered(at, body):
        yield found(
            "camera.hidden",
            f"{body.name} is hidden: other things stand before it or around it",
            (body.name,),
            numbers={"found": 1.0 - body.pixels, "bare": bare},
            hint=f"move {body.name} or what stands before it, or look from another place",
        )
    elif bare < SEEN and body.name in at.named:
        yield found(
            "camera.unseen",
            f"{body.name} is too small to be seen: {body.pixels:.2%} of the picture",
            (body.name,),
            numbers={"found": 1.0 - body.pixels},
            hint=f"bring the camera nearer to {body.name}, or make {body.name} larger",
            mild=True,
        )


def _covered(at: Situation, body: Body) -> bool:
    """Something lies on all of it: a cloth on a table."""
    mine = body.box
    plan = (mine[3] - mine[0]) * (mine[4] - mine[1])
    for other in at.space.actors:
        shared = [min(mine[i + 3], other.box[i + 3]) - max(mine[i], other.box[i]) for i in (0, 1)]
        over = other is not body and other.box[5] >= mine[5] and min(shared) > 0
        if over and shared[0] * shared[1] >= 0.9 * plan and at.space.touches(body.name, other.name):
            return True
    return False


def _in_something(at: Situation, body: Body) -> bool:
    """What no requirement names may be within other things: the coffee in a cup, a bulb in its shade."""
    x, y, z = body.center
    around_it = [b.box for b in at.space.actors if b is not body]
    return body.name not in at.named and any(a[0] < x < a[3] and a[1] < y < a[4] and a[2] < z < a[5] for a in around_it)


def cut(at: Situation) -> Iterator[Issue]:
    """Things that requirements speak of, and of which more than half lies beyond the picture's edges."""
    for body in at.space.actors:
        outside = min(part.outside for part in body.parts)
        if body.name in at.named and body.pixels >= SEEN and MUCH_CUT < outside < GONE:
            yield found(
                "camera.cut",
                f"{outside:.0%} of {body.name} lies beyond the edges of the picture",
                (body.name,),
                numbers={"found": outside, "expected": MUCH_CUT},
                hint=f"move the camera back, or aim it nearer to {body.name}",
            )


def clipped(at: Situation) -> Iterator[Issue]:
    """Things nearer than the camera's clip start, or beyond its end: one issue for each."""
    eye = at.facts.camera
    if eye is None or eye.angle == 0:
        return
    depths = {body.name: _depths(eye, body.box) for body in at.space.actors}
    near = [name for name, (_, far) in depths.items() if 0 < far < eye.clip[0]]
    beyond = [name for name, (start, _) in depths.items() if start > eye.clip[1]]
    if near:
        yield _clipped(near, depths[near[0]][1], eye.clip[0], "start")
    if beyond:
        yield _clipped(beyond, depths[beyond[0]][0], eye.clip[1], "end")


def _clipped(names: list[str], place: float, limit: float, which: str) -> Issue:
    word = "nearer" if which == "start" else "farther"
    return found(
        "camera.clipped",
        f"{', '.join(names[:6])}: {length(place)} from the camera, {word} than the {length(limit)} that it shows",
        tuple(names),
        numbers={"found": place, "expected": limit},
        hint=f"set the camera's clip_{which} {'below' if which == 'start' else 'above'} {length(place)}",
    )


def _depths(eye: Camera, box: Box) -> tuple[float, float]:
    """How far before the camera a box begins and ends, meters along where it looks."""
    depths = [
        sum((c - e) * f for c, e, f in zip(corner, eye.location, eye.forward, strict=True))
        for corner in product((box[0], box[3]), (box[1], box[4]), (box[2], box[5]))
    ]
    return min(depths), max(depths)


def within(at: Situation) -> Iterator[Issue]:
    """The camera stands inside of a closed thing that is not a room, and that fills the picture."""
    eye = at.facts.camera
    for body in at.space.actors if eye is not None else ():
        assert eye is not None
        for part in body.parts:
            if part.closed and part.faces and _holds(part, eye) and not _is_room(at, body) and part.pixels > 0.6:
                yield found(
                    "camera.inside",
                    f"the camera stands inside of {part.name}, which fills {part.pixels:.0%} of the picture",
                    (part.name,),
                    hint=f"move the camera out of {part.name}: {eye.name} is at "
                    f"({', '.join(f'{v:.2f}' for v in eye.location)})",
                )


def _holds(part: Thing, eye: Camera) -> bool:
    assert part.box is not None
    sides = [(part.box[i + 3] - part.box[i]) * INSIDE_OF for i in range(3)]
    return all(part.box[i] + sides[i] < eye.location[i] < part.box[i + 3] - sides[i] for i in range(3))


def _is_room(at: Situation, body: Body) -> bool:
    """Most other things are within it, too."""
    others = [other for other in at.space.bodies.values() if other is not body]
    a = body.box
    held = [all(a[i] < other.center[i] < a[i + 3] for i in range(3)) for other in others]
    return bool(held) and sum(held) >= 0.5 * len(held)


ALL = 0.995
"""Of the picture that is as good as black, or white, and it shows nothing."""
BLACK_MEAN = 0.015
DARK_MEAN = 0.04
BLOWN, MOSTLY_BLOWN = 0.7, 0.85
FLAT = 0.02
SKY = 0.02
"""A background as bright as this lights a scene, if dimly."""


def blank(at: Situation) -> Iterator[Issue]:
    """The picture is black, or white, all over: whatever was asked for, it shows nothing."""
    seen = at.exposure
    if seen is None or any(blind(at)):
        return
    if seen.black >= ALL and seen.mean < BLACK_MEAN:
        dark = not any(light.energy > 0 and not light.hidden for light in at.facts.lights)
        nothing = dark and at.facts.sky < SKY and not at.facts.glow
        yield found(
            "light.none" if nothing else "light.black",
            "nothing gives light, and the picture is black" if nothing else "the picture is black",
            numbers={"found": seen.black, "expected": 0.0, "mean": seen.mean},
            hint="add a light, such as a SUN with energy 3, or make the world's background brighter"
            if nothing
            else "make the lights stronger, or aim them and the camera at the scene",
        )
    elif seen.blown >= ALL:
        yield found(
            "light.white",
            "the picture is white",
            numbers={"found": seen.blown, "expected": 0.0},
            hint="make the lights or the world's background weaker",
        )


def exposed(at: Situation) -> Iterator[Issue]:
    """The picture through the camera is dark, blown out or flat."""
    seen = at.exposure
    if seen is None or any(blank(at)) or any(blind(at)):
        return
    if seen.mean < DARK_MEAN:
        yield found(
            "light.dark",
            f"the picture is very dark: its mean brightness is {seen.mean:.3f}",
            numbers={"found": DARK_MEAN - seen.mean, "expected": 0.0},
            hint="make the lights or the world's background stronger",
            mild=seen.mean >= BLACK_MEAN,
        )
    elif seen.blown > BLOWN:
        yield found(
            "light.blown",
            f"{seen.blown:.0%} of the picture is white",
            numbers={"found": seen.blown, "expected": BLOWN},
            hint="make the lights or the world's background weaker",
            mild=seen.blown <= MOSTLY_BLOWN,
        )
    elif seen.spread < FLAT:
        yield found(
            "light.flat",
            f"the picture has no contrast: brightness spreads over {seen.spread:.3f}",
            numbers={"found": FLAT - seen.spread, "expected": 0.0},
            hint="aim the camera at the scene, and light it from one side",
        )
