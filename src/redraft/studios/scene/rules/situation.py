"""What a rule looks at: the space of a scene, how it is exposed, and which things requirements speak of."""

from __future__ import annotations

from dataclasses import dataclass

from redraft.studios.scene.bodies import Body
from redraft.studios.scene.space import Space
from redraft.studios.scene.spec import Exposure, SceneFacts

__all__ = ["SMALL", "Situation", "small", "steps"]

SMALL = 0.005
"""Metres: gaps and overlaps up to this are too small to be meant."""


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


def small(length: float) -> dict[str, float]:
    """The number by which an issue is known as small enough to be fixed when nobody answers."""
    return {"small": 1.0} if length <= SMALL else {}


def steps(body: Body, dx: float, dy: float, dz: float) -> str:
    """The code that moves a body: `bpy.data.objects['Apple.002'].location.z -= 0.031`."""
    moved = [(axis, value) for axis, value in zip("xyz", (dx, dy, dz), strict=True) if abs(value) >= 5e-5]
    place = f"bpy.data.objects[{body.name!r}].location"
    return "; ".join(f"{place}.{axis} {'+' if value > 0 else '-'}= {abs(value):.4g}" for axis, value in moved)
