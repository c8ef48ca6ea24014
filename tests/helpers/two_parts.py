"""The smallest board that says something: 20 × 20 mm, two parts of two pads each, places as asked for."""

from __future__ import annotations


def part(number: int, x: float, y: float, *, angle: float = 0.0, nets: tuple[str, str] = ("A", "B")) -> str:
    """Footprint R1 or R2: courtyard 3 × 2 mm, pads of 0.8 × 1 mm whose middles are 1.6 mm apart."""
    tail = f"00000000000{number}"
    pads = "".join(
        f"""
    (pad "{n}" smd rect (at {dx} 0 {angle}) (size 0.8 1) (layers "F.Cu" "F.Mask") (net {net[1]} "{net[0]}")
      (uuid "0000000{n}-0000-4000-8000-{tail}"))"""
        for n, dx, net in ((1, -0.8, (nets[0], ord(nets[0]) - 64)), (2, 0.8, (nets[1], ord(nets[1]) - 64)))
    )
    return f"""
  (footprint "lib:R" (layer "F.Cu") (uuid "aaaaaaaa-0000-4000-8000-{tail}") (at {x} {y} {angle})
    (property "Reference" "R{number}" (at 0 -2 {angle}) (layer "F.Fab") (uuid "bbbbbbbb-0000-4000-8000-{tail}")
      (effects (font (size 1 1) (thickness 0.15))))
    (property "Value" "1k" (at 0 2 {angle}) (layer "F.Fab") (uuid "cccccccc-0000-4000-8000-{tail}")
      (effects (font (size 1 1) (thickness 0.15))))
    (attr smd)
    (fp_rect (start -1.5 -1) (end 1.5 1) (stroke (width 0.05) (type solid)) (fill no) (layer "F.CrtYd")
      (uuid "dddddddd-0000-4000-8000-{tail}")){pads})"""


def two_parts(
    one: tuple[float, float] = (5.0, 5.0),
    two: tuple[float, float] = (10.0, 5.0),
    *,
    nets: tuple[str, str] = ("C", "D"),
    extra: str = "",
) -> str:
    """A board of KiCad 9 with R1 and R2 (of those nets; R1 has A and B) at these places, millimetres."""
    named = "".join(f'\n  (net {n} "{name}")' for n, name in enumerate("ABCD", 1))
    return f"""(kicad_pcb (version 20241229) (generator "pcbnew") (generator_version "9.0")
  (general (thickness 1.6))
  (layers (0 "F.Cu" signal) (2 "B.Cu" signal) (1 "F.Mask" user) (3 "B.Mask" user) (5 "F.SilkS" user)
    (25 "Edge.Cuts" user) (31 "F.CrtYd" user) (29 "B.CrtYd" user) (35 "F.Fab" user) (33 "B.Fab" user))
  (net 0 ""){named}{part(1, *one)}{part(2, *two, nets=nets)}
  (gr_rect (start 0 0) (end 20 20) (stroke (width 0.1) (type solid)) (fill no) (layer "Edge.Cuts")
    (uuid "eeeeeeee-0000-4000-8000-000000000000")){extra}
)
"""
