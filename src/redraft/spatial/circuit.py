"""What a layout of electronic components says by itself: supplies, which capacitor serves which pin, pairs, roles."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["Circuit", "Decoupling", "Network"]


@dataclass(frozen=True)
class Decoupling:
    """A capacitor between a supply and ground, and the supply pin that it serves."""

    capacitor: str
    owner: str
    pin: str
    """The name of the owner's pad: `U1.4` is pin 4 of U1."""
    net: str
    ground: str
    farads: float | None = None
    """Its value, where the file's text is one."""


@dataclass(frozen=True)
class Network:
    """Small components that belong to pins of one: a crystal with its capacitors, a divider at a feedback pin."""

    kind: str
    """`crystal` or `feedback`."""
    owner: str
    pins: tuple[str, ...]
    """Pads of the owner."""
    members: tuple[str, ...]


@dataclass(frozen=True)
class Circuit:
    """All of it. Names are those of the layout's items and nets."""

    blocks: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    """Sheets and groups of the file."""
    ground: tuple[str, ...] = ()
    power: tuple[str, ...] = ()
    decoupling: tuple[Decoupling, ...] = ()
    networks: tuple[Network, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    """Nets of differential pairs, the positive one first."""
    connectors: tuple[str, ...] = ()
    mounting_holes: tuple[str, ...] = ()
    test_points: tuple[str, ...] = ()
    fiducials: tuple[str, ...] = ()
    locked: tuple[str, ...] = ()
    unplaced: tuple[str, ...] = ()
    """Those that lie wholly outside the board, or in a heap."""
