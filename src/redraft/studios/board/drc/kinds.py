"""KiCad's kinds of violations, and which of them moving parts can cause at all.

redraft moves, turns and flips whole footprints and leaves the rest of the file byte for byte as it was. A new violation
of a kind that is not in this table therefore means that something was damaged, and benchmarks hold it against redraft.

Not in it, though the name might suggest it: `tracks_crossing` (between tracks, which stay), `text_height`,
`text_thickness`, `mirrored_text_on_front_layer` and `nonmirrored_text_on_back_layer` (a flip mirrors texts along),
`lib_footprint_mismatch` (position, angle and side do not count for it), `missing_courtyard`, `malformed_courtyard`,
`annular_width`, `drill_out_of_range`, `track_width`, `via_diameter`, `padstack` and `hole_to_hole`'s like within one
footprint (a part keeps its shape), `net_conflict` and the schematic's other kinds.
"""

from __future__ import annotations

from types import MappingProxyType

__all__ = ["CAUSED_BY_MOVING", "ROUTING", "WITHOUT_PARTS", "can_be_moved_into"]

CAUSED_BY_MOVING = MappingProxyType(
    {
        "assertion_failure": "a rule of the project may ask for a position",
        "clearance": "pads of two parts, or a pad and other copper",
        "connection_width": "a pad that joined two pieces of copper is gone",
        "copper_edge_clearance": "a pad too near the board's edge",
        "copper_sliver": "between a pad and other copper",
        "courtyards_overlap": "two parts in one place",
        "creepage": "two pads too near along the surface",
        "diff_pair_gap_out_of_range": "what belongs to a pair's coupled length depends on its pads",
        "diff_pair_uncoupled_length_too_long": "likewise",
        "hole_clearance": "copper too near a hole",
        "hole_to_hole": "holes of two parts too near each other",
        "holes_co_located": "holes of two parts in one place",
        "invalid_outline": "a part whose own lines are part of the board's outline",
        "isolated_copper": "a zone's piece that only a pad connected",
        "items_not_allowed": "a part, or its pads, in a keep-out",
        "length_out_of_range": "a net's length is measured to its pads",
        "npth_inside_courtyard": "a bare hole under another part",
        "pth_inside_courtyard": "a plated hole under another part",
        "shorting_items": "a pad on copper of another net",
        "silk_edge_clearance": "a part's print over the board's edge",
        "silk_over_copper": "a part's print over pads or vias",
        "silk_overlap": "prints of two parts over each other",
        "skew_out_of_range": "a net's length is measured to its pads",
        "solder_mask_bridge": "two pads in one opening of the mask",
        "starved_thermal": "a pad that a zone reaches by too few spokes",
        "text_on_edge_cuts": "a rule of text over the outline",
        "track_dangling": "a track whose pad has left",
        "unconnected_items": "a pad has left its tracks",
        "via_dangling": "a via whose pad has left",
        "zones_intersect": "a zone that is part of a footprint",
    }
)
"""Kind → how moving a part brings it about."""

ROUTING = frozenset(
    {
        "connection_width",
        "diff_pair_gap_out_of_range",
        "diff_pair_uncoupled_length_too_long",
        "isolated_copper",
        "length_out_of_range",
        "skew_out_of_range",
        "starved_thermal",
        "track_dangling",
        "unconnected_items",
        "via_dangling",
    }
)
"""Kinds which only say that tracks and zones must be drawn anew after a part was moved."""

WITHOUT_PARTS = frozenset({"assertion_failure", "copper_sliver", "invalid_outline", "zones_intersect"})
"""Kinds that moving a part can cause although KiCad then names no part."""


def can_be_moved_into(kind: str) -> bool:
    """Whether moving parts can cause a violation of this kind; not so for kinds that redraft does not know."""
    return kind in CAUSED_BY_MOVING
