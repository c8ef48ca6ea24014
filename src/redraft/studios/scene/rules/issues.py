"""The table of findings about scenes, the measured scene that rules judge, and words and code for messages."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.studios.codes import Code, Codes
from redraft.studios.scene.bodies import Body, Space
from redraft.studios.scene.spec import Exposure, SceneFacts

CODES = Codes(
    {
        "scene.empty": Code("there is nothing to see in the scene", "error", basis="defect"),
        "scene.left_out": Code("there are more objects than are measured", "note"),
        "scene.scale": Code("everything is less than 1 cm or more than 1 km large", "note"),
        "scene.endless": Code("a thing has coordinates that are not numbers, or endless ones", "error", basis="defect"),
        "gravity.floating": Code("a thing hangs in the air, and nothing holds it", "error", mild="note", faults=(1, 2)),
        "gravity.unsupported": Code("a thing has nothing under it, though there is ground elsewhere", "warning"),
        "gravity.sinking": Code("a thing reaches into what it stands on", "error", mild="warning", faults=(0, 6)),
        "gravity.buried": Code("a thing lies below the ground", "warning"),
        "overlap.interpenetration": Code(
            "two different things reach into each other", "error", mild="warning", faults=(0, 2)
        ),
        "overlap.duplicate": Code("two things are in the same place", "warning"),
        "ratio.proportion": Code("a thing is much larger or smaller than others of its name", "warning"),
        "symmetry.size": Code("a left and a right part differ in size by more than twice", "warning"),
        "camera.none": Code("the scene has no camera", "error", basis="defect"),
        "camera.blind": Code("the camera sees nothing", "error", basis="defect"),
        "camera.unseen": Code("the camera does not see a thing", "error", mild="warning", faults=(0, 3)),
        "camera.hidden": Code("a thing is hidden behind or within others", "error"),
        "camera.cut": Code("much of a thing lies beyond the edges of the picture", "warning"),
        "camera.clipped": Code("a thing is nearer or farther than what the camera shows", "error"),
        "camera.inside": Code("the camera is inside of a thing", "error"),
        "light.none": Code("nothing in the scene gives light, and the picture is black", "error", basis="defect"),
        "light.black": Code("the picture is black", "error", basis="defect"),
        "light.white": Code("the picture is white", "error", basis="defect"),
        "light.dark": Code("the picture is very dark", "error", mild="warning"),
        "light.blown": Code("most of the picture is white", "error", mild="warning"),
        "light.flat": Code("the picture has no contrast", "warning"),
        "edit.unlisted": Code(
            "an edit changed a thing of the scene that it started on, and did not say so", "error", basis="defect"
        ),
    }
)
"""Every finding about scenes. `faults`: on 11 scenes, by their pictures (`docs/log.md`, 2026-11-28)."""

finding = CODES.finding


def length(metres: float) -> str:
    """Return a length in the unit that reads best: `1.20 m`, `3.1 cm`, `0.8 mm`."""
    if abs(metres) >= 1.0:
        return f"{metres:.2f} m"
    return f"{metres * 100:.1f} cm" if abs(metres) >= 0.01 else f"{metres * 1000:.1f} mm"


@dataclass(frozen=True)
class Situation:
    """A scene, measured."""

    space: Space
    exposure: Exposure | None = None
    named: frozenset[str] = frozenset()
    """Bodies in requirements, by themselves or by one of their parts."""

    @property
    def facts(self) -> SceneFacts:
        return self.space.facts

    def shows(self, body: Body) -> bool:
        """Return whether the picture shows anything of it; true without a camera."""
        return self.facts.camera is None or body.pixels > 0.0


def steps(body: Body, dx: float, dy: float, dz: float) -> str:
    """Return the code that moves a body: `bpy.data.objects['Apple.002'].location.z -= 0.031`."""
    moves = [(axis, value) for axis, value in zip("xyz", (dx, dy, dz), strict=True) if abs(value) >= 5e-5]
    place = f"bpy.data.objects[{body.name!r}].location"
    return "; ".join(f"{place}.{axis} {'+' if value > 0 else '-'}= {abs(value):.4g}" for axis, value in moves)
