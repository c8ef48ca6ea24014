"""Shining: the picture is neither black nor white nor without contrast."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.studios.scene.rules.codes import found
from redraft.studios.scene.rules.seeing import blind
from redraft.studios.scene.rules.situation import Situation

__all__ = ["blank", "exposed"]

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
            "error",
            "nothing gives light, and the picture is black" if nothing else "the picture is black",
            numbers={"found": seen.black, "expected": 0.0, "mean": seen.mean},
            mend="add a light, such as a SUN with energy 3, or make the world's background brighter"
            if nothing
            else "make the lights stronger, or aim them and the camera at the scene",
            basis="defect",
        )
    elif seen.blown >= ALL:
        yield found(
            "light.white",
            "error",
            "the picture is white",
            numbers={"found": seen.blown, "expected": 0.0},
            mend="make the lights or the world's background weaker",
            basis="defect",
        )


def exposed(at: Situation) -> Iterator[Issue]:
    """The picture through the camera is dark, blown out or flat."""
    seen = at.exposure
    if seen is None or any(blank(at)) or any(blind(at)):
        return
    if seen.mean < DARK_MEAN:
        yield found(
            "light.dark",
            "error" if seen.mean < BLACK_MEAN else "warning",
            f"the picture is very dark: its mean brightness is {seen.mean:.3f}",
            numbers={"found": DARK_MEAN - seen.mean, "expected": 0.0},
            mend="make the lights or the world's background stronger",
        )
    elif seen.blown > BLOWN:
        yield found(
            "light.blown",
            "error" if seen.blown > MOSTLY_BLOWN else "warning",
            f"{seen.blown:.0%} of the picture is white",
            numbers={"found": seen.blown, "expected": BLOWN},
            mend="make the lights or the world's background weaker",
        )
    elif seen.spread < FLAT:
        yield found(
            "light.flat",
            "warning",
            f"the picture has no contrast: brightness spreads over {seen.spread:.3f}",
            numbers={"found": FLAT - seen.spread, "expected": 0.0},
            mend="aim the camera at the scene, and light it from one side",
        )
