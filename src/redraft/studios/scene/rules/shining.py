"""Shining: something gives light, and the picture is neither black nor white nor without contrast."""

from __future__ import annotations

import re
from collections.abc import Iterator

from redraft.result import Issue
from redraft.studios.scene.rules.codes import found
from redraft.studios.scene.rules.seeing import sees_anything
from redraft.studios.scene.rules.situation import Situation

__all__ = ["exposed", "lit"]

SKY = 0.02
"""A background as bright as this lights a scene, if dimly."""
BLACK, BLACK_MEAN = 0.97, 0.015
DARK_MEAN = 0.04
BLOWN, ALL_BLOWN = 0.7, 0.85
FLAT = 0.02

_DARK = re.compile(
    r"\b(night|dark|midnight|moonlit|gloom|shadow|black|silhouette|noir|cave|space|candle)", re.IGNORECASE
)
_BRIGHT = re.compile(
    r"\b(white|snow|bright|studio|fog|mist|overexposed|high.?key|clean background|product)", re.IGNORECASE
)


def lit(at: Situation) -> Iterator[Issue]:
    """No lamp, no glowing thing, no sky."""
    shining = [light for light in at.facts.lights if not light.hidden and light.energy > 0]
    if not shining and at.facts.sky < SKY and not at.facts.glow:
        yield found(
            "light.none",
            "error",
            "nothing gives light: no lamp, no glowing material, and a dark sky",
            (),
            numbers={"sky": at.facts.sky},
            mend="add a light, such as a SUN with energy 3, or make the world's background brighter",
        )


def exposed(at: Situation) -> Iterator[Issue]:
    """The picture through the camera: black, dark, blown out or flat."""
    seen = at.exposure
    if seen is None or any(lit(at)) or not sees_anything(at):  # then it is no wonder
        return
    if seen.black > BLACK or seen.mean < BLACK_MEAN:
        yield found(
            "light.black",
            "warning" if _DARK.search(at.reading.text) else "error",
            f"the picture is black: {seen.black:.0%} of it, with a mean brightness of {seen.mean:.3f}",
            (),
            numbers={"found": seen.mean, "black": seen.black, "expected": DARK_MEAN},
            mend="make the lights stronger, or aim them and the camera at the scene",
        )
    elif seen.mean < DARK_MEAN and not _DARK.search(at.reading.text):
        yield found(
            "light.dark",
            "warning",
            f"the picture is very dark: its mean brightness is {seen.mean:.3f}",
            (),
            numbers={"found": seen.mean, "expected": DARK_MEAN},
            mend="make the lights or the world's background stronger",
        )
    elif seen.blown > BLOWN and not (_BRIGHT.search(at.reading.text) and seen.blown <= ALL_BLOWN):
        yield found(
            "light.blown",
            "error" if seen.blown > ALL_BLOWN else "warning",
            f"{seen.blown:.0%} of the picture is white",
            (),
            numbers={"found": seen.blown, "expected": BLOWN},
            mend="make the lights or the world's background weaker",
        )
    elif seen.spread < FLAT:
        yield found(
            "light.flat",
            "warning",
            f"the picture has no contrast: brightness spreads over {seen.spread:.3f}",
            (),
            numbers={"found": seen.spread, "expected": FLAT},
            mend="aim the camera at the scene, and light it from one side",
        )
