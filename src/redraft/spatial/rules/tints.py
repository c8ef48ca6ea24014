"""Colours: what the brief calls red is painted in something that may be called red."""

from __future__ import annotations

from collections.abc import Iterator

from redraft.result import Issue
from redraft.spatial.colours import colours_of, known, paints
from redraft.spatial.rules.scene import Scene
from redraft.spatial.rules.words import box, found

__all__ = ["coloured"]


def coloured(scene: Scene) -> Iterator[Issue]:
    """A thing shows the colour itself, or in its largest part."""
    for mention in scene.binding.reading.mentions:
        bound = scene.binding.of(mention.id)
        if mention.colour is None or not known(mention.colour) or not bound.certain:
            continue
        for name in bound.items:
            shown = colours_of(scene.layout, name)
            if shown and not paints(scene.layout, name, mention.colour) and not _mostly(scene, name, mention.colour):
                yield found(
                    "colour.other",
                    "error",
                    f"{name} should be {mention.colour} and is painted {', '.join(shown)}",
                    (name,),
                    mend=f"fill {name} with a {mention.colour}",
                    marks=(box(scene.box(name), mention.colour),),
                    phrase=mention.phrase,
                )


def _mostly(scene: Scene, name: str, colour: str) -> bool:
    """The largest part of it is of the colour: a red car drawn as an outline with a red body."""
    largest = max(scene.layout.family(name), key=lambda i: (i.shape.area, i.name))
    return paints(scene.layout, largest.name, colour)
