"""Every issue code that scenes have beside those of drawings, with what it means; and how issues are made."""

from __future__ import annotations

from functools import partial

from redraft.spatial.rules import words
from redraft.spatial.rules.codes import CODES as DRAWN

__all__ = ["ASKED", "CODES", "found", "length"]

CODES: dict[str, str] = {
    "scene.empty": "there is nothing to see in the scene",
    "scene.hidden": "a thing that the brief names is switched off for rendering",
    "scene.left_out": "there are more objects than are measured",
    "scene.scale": "everything is less than 1 cm or more than 1 km large",
    "gravity.floating": "a thing hangs in the air, and nothing holds it",
    "gravity.unsupported": "a thing has nothing under it, though there is ground elsewhere",
    "gravity.sinking": "a thing reaches into what it stands on",
    "gravity.buried": "a thing lies below the ground",
    "overlap.interpenetration": "two different things reach into each other",
    "overlap.duplicate": "two things of one kind are in the same place",
    "ratio.proportion": "a thing is much larger or smaller than such things are beside the others",
    "symmetry.size": "a left and a right part differ in size by more than twice",
    "symmetry.height": "a left and a right part are not at one height",
    "camera.none": "the scene has no camera",
    "camera.unseen": "the camera does not see a thing",
    "camera.hidden": "a thing is hidden behind or within others",
    "camera.cut": "much of a thing that the brief names lies beyond the edges of the picture",
    "camera.clipped": "a thing is nearer or farther than what the camera shows",
    "camera.inside": "the camera is inside of a thing",
    "light.none": "nothing in the scene gives light",
    "light.black": "the picture is black",
    "light.dark": "the picture is very dark",
    "light.blown": "most of the picture is white",
    "light.flat": "the picture has no contrast",
    "distance.metres": "a distance that the brief states in real units is not kept",
    "measure.metres": "a measure that the brief states in real units is not kept",
    "colour.none": "a thing that should have a colour has no material",
}

ASKED: dict[str, str] = {
    code: DRAWN[code]
    for code in (
        "alignment.row",
        "colour.other",
        "count.missing",
        "count.surplus",
        "distance.further",
        "grid.shape",
        "grid.uneven",
        "place.spot",
        "ratio.progression",
        "ratio.stated",
        "relation.between",
        "relation.depth",
        "relation.direction",
        "relation.inside",
        "relation.on",
        "spacing.stated",
    )
}
"""Codes of drawings' rules that a scene may have as well: what a brief states is judged by the same rules."""


found = partial(words.found, codes=CODES | ASKED)
"""An issue of a documented code; numbers are metres for lengths."""


def length(metres: float) -> str:
    """A length in the unit that it is read best in: `1.20 m`, `3.1 cm`, `0.8 mm`."""
    if abs(metres) >= 1.0:
        return f"{metres:.2f} m"
    return f"{metres * 100:.1f} cm" if abs(metres) >= 0.01 else f"{metres * 1000:.1f} mm"
