"""Issue codes of scenes with their meanings, how issues are made, and the measured scene that rules judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.result import Basis, Issue, Severity
from redraft.studios.scene.space import Body, Space
from redraft.studios.scene.spec import Exposure, SceneFacts

__all__ = ["CODES", "Situation", "found", "length", "steps"]

CODES: dict[str, str] = {
    "scene.empty": "there is nothing to see in the scene",
    "scene.left_out": "there are more objects than are measured",
    "scene.scale": "everything is less than 1 cm or more than 1 km large",
    "scene.endless": "a thing has coordinates that are not numbers, or endless ones",
    "gravity.floating": "a thing hangs in the air, and nothing holds it",
    "gravity.unsupported": "a thing has nothing under it, though there is ground elsewhere",
    "gravity.sinking": "a thing reaches into what it stands on",
    "gravity.buried": "a thing lies below the ground",
    "overlap.interpenetration": "two different things reach into each other",
    "overlap.duplicate": "two things are in the same place",
    "ratio.proportion": "a thing is much larger or smaller than others of its name",
    "symmetry.size": "a left and a right part differ in size by more than twice",
    "camera.none": "the scene has no camera",
    "camera.blind": "the camera sees nothing",
    "camera.unseen": "the camera does not see a thing",
    "camera.hidden": "a thing is hidden behind or within others",
    "camera.cut": "much of a thing lies beyond the edges of the picture",
    "camera.clipped": "a thing is nearer or farther than what the camera shows",
    "camera.inside": "the camera is inside of a thing",
    "light.none": "nothing in the scene gives light, and the picture is black",
    "light.black": "the picture is black",
    "light.white": "the picture is white",
    "light.dark": "the picture is very dark",
    "light.blown": "most of the picture is white",
    "light.flat": "the picture has no contrast",
    "edit.unlisted": "an edit changed a thing of the scene that it started on, and did not say so",
}


def found(
    code: str,
    severity: Severity,
    message: str,
    subjects: tuple[str, ...] = (),
    *,
    numbers: Mapping[str, float] | None = None,
    hint: str = "",
    basis: Basis = "heuristic",
) -> Issue:
    """An issue of a documented code; numbers are meters for lengths, rounded to a millionth."""
    assert code in CODES, code
    rounded = {name: round(float(value), 6) for name, value in (numbers or {}).items()}
    return Issue(
        code=code, severity=severity, message=message, subjects=subjects, numbers=rounded, hint=hint, basis=basis
    )


def length(metres: float) -> str:
    """A length in the unit that it is read best in: `1.20 m`, `3.1 cm`, `0.8 mm`."""
    if abs(metres) >= 1.0:
        return f"{metres:.2f} m"
    return f"{metres * 100:.1f} cm" if abs(metres) >= 0.01 else f"{metres * 1000:.1f} mm"


@dataclass(frozen=True)
class Situation:
    """A scene, measured."""

    space: Space
    exposure: Exposure | None = None
    named: frozenset[str] = frozenset()
    """Bodies that a requirement speaks of, by themselves or by one of their parts."""

    @property
    def facts(self) -> SceneFacts:
        return self.space.facts

    def shows(self, body: Body) -> bool:
        """Whether the picture shows anything of it; true without a camera."""
        return self.facts.camera is None or body.pixels > 0.0


def steps(body: Body, dx: float, dy: float, dz: float) -> str:
    """The code that moves a body: `bpy.data.objects['Apple.002'].location.z -= 0.031`."""
    moved = [(axis, value) for axis, value in zip("xyz", (dx, dy, dz), strict=True) if abs(value) >= 5e-5]
    place = f"bpy.data.objects[{body.name!r}].location"
    return "; ".join(f"{place}.{axis} {'+' if value > 0 else '-'}= {abs(value):.4g}" for axis, value in moved)
