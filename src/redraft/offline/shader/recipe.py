"""What the offline model understood of a sentence, before it is a shader: layers, and the manner of each."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

__all__ = ["Finish", "Layer", "Manner", "Recipe", "finished", "merged"]


@dataclass(frozen=True)
class Manner:
    """How a layer, or all of them, is to be painted and moved. None and 1 are what it would be anyway."""

    colours: tuple[str, ...] = ()
    """`#rrggbb`, in the order of the sentence."""
    shade: float = 1.0
    """Its light, as a factor."""
    speed: float = 1.0
    heading: tuple[float, float] | None = None
    """Where to, as a direction on the picture; None: where such things go."""
    pulse: bool | None = None
    spin: float | None = None
    """Turns: 1 is against the clock; 0 none."""
    flicker: bool | None = None
    size: float = 1.0
    density: float = 1.0
    count: int | None = None
    place: tuple[float, float] | None = None
    """In units of the picture: the shorter side goes from -1 to 1."""


_PLAIN = Manner()


def merged(old: Manner, new: Manner) -> Manner:
    """One manner after another: factors are multiplied, anything else that the new one sets replaces the old."""
    found: dict[str, Any] = {}
    for field in fields(Manner):
        before, after = getattr(old, field.name), getattr(new, field.name)
        if isinstance(before, float) and field.name in ("shade", "speed", "size", "density"):
            found[field.name] = before * after
        else:
            found[field.name] = before if after == getattr(_PLAIN, field.name) else after
    return Manner(**found)


@dataclass(frozen=True)
class Layer:
    """One thing that is painted; `implied` when no word asked for it."""

    name: str
    manner: Manner = Manner()
    implied: bool = False


@dataclass(frozen=True)
class Finish:
    """What is done to the whole picture at the end, all factors but `grain` (a share of white)."""

    brightness: float = 1.0
    contrast: float = 1.0
    saturation: float = 1.0
    glow: float = 0.0
    vignette: float = 0.0
    grain: float = 0.0


def finished(old: Finish, new: Finish) -> Finish:
    """One finish after another: factors are multiplied, amounts replaced where the new one has any."""
    return Finish(
        old.brightness * new.brightness,
        old.contrast * new.contrast,
        old.saturation * new.saturation,
        new.glow or old.glow,
        new.vignette or old.vignette,
        new.grain or old.grain,
    )


@dataclass(frozen=True)
class Recipe:
    """A whole shader in words. Layers are in the order of the sentence."""

    layers: tuple[Layer, ...] = ()
    without: tuple[str, ...] = ()
    """Layers that were asked not to be there."""
    palette: str = ""
    moods: tuple[str, ...] = ()
    """All palettes that were named: one colours, but each may bring something into the picture."""
    colours: tuple[str, ...] = ()
    """Colours of the whole picture; they go before the palette."""
    every: Manner = Manner()
    finish: Finish = Finish()

    def has(self, name: str) -> bool:
        """Whether a layer of this name is there."""
        return any(layer.name == name for layer in self.layers)

    def with_layer(self, layer: Layer) -> Recipe:
        """With this layer on top, or in place of the one of its name."""
        if not self.has(layer.name):
            return replace(self, layers=(*self.layers, layer))
        return replace(self, layers=tuple(layer if old.name == layer.name else old for old in self.layers))
