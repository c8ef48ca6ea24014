"""How the layers are called: warps and motions of the place that a layer is asked about, and what water mirrors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from redraft.offline.shader.recipe import Layer, Manner, merged
from redraft.offline.shader.snippets import Slot, Snippet, snippets

__all__ = ["LOOSE", "Calls", "called", "literal", "shader_calls"]

LOOSE = ("backdrop", "pattern", "thing")
"""What can turn, grow and go about as a whole; skies and waters cannot."""


@dataclass(frozen=True)
class Calls:
    """`above` (empty without water) and `scene` as GLSL functions, and the helpers that they need."""

    above: str
    scene: str
    needs: tuple[str, ...]


def shader_calls(layers: Sequence[Layer], every: Manner) -> Calls:
    """The functions that put the layers over each other, from the lowest to the topmost."""
    needs: list[str] = []
    lines: dict[str, list[str]] = {"above": [], "water": [], "air": []}
    for layer in layers:
        slot = snippets()[layer.name].slot
        if slot not in ("lens", "warp"):
            group = slot if slot in ("water", "air") else "above"
            manner = merged(every, layer.manner)
            lines[group] += called(snippets()[layer.name], manner, needs, first=not any(lines.values()))
    lens, warp = _warps(layers, "lens"), _warps(layers, "warp")
    air = lines["air"]
    if warp and air:  # weather is seen before what is folded, not folded itself
        warp = ["vec2 eye = p;", *warp]
        air = [line.replace("(p, c)", "(eye, c)") for line in air]
    if lines["water"]:
        above = _function(
            "above", "what is above the water, and mirrored in it", ["vec3 c = vec3(0.0);", *lines["above"]]
        )
        water = ["vec3 c = above(vec2(p.x, max(p.y, HORIZON)));", "if (p.y < HORIZON) {"]
        body = [*lens, *warp, *water, *(f"    {line}" for line in lines["water"]), "}", *air]
    else:
        above = ""
        body = [*lens, *warp, "vec3 c = vec3(0.0);", *lines["above"], *air]
    return Calls(above, _function("scene", "everything, from the back to the front", body), tuple(needs))


def _warps(layers: Sequence[Layer], slot: Slot) -> list[str]:
    return [f"p = {la.name}(p);" for la in layers if snippets()[la.name].slot == slot]


def _function(name: str, says: str, lines: Sequence[str]) -> str:
    body = "\n".join(f"    {line}" for line in (*lines, "return c;"))
    return f"// {says}\nvec3 {name}(vec2 p) {{\n{body}\n}}"


def called(snippet: Snippet, manner: Manner, needs: list[str], *, first: bool) -> list[str]:
    """The lines that paint one layer; the helpers that they use are added to `needs`."""
    name = snippet.name
    place = _placed(snippet, manner, needs) if snippet.slot in LOOSE else "p"
    call = f"{name}({place}, c)"
    fades: list[str] = []
    if manner.pulse and snippet.slot != "thing":
        needs.append("lib_motion")
        fades.append(f"0.72 + 0.28 * sin(beat({literal(0.4 * manner.speed)}))")
    if manner.flicker:
        needs.append("lib_flicker")
        fades.append(f"flicker({literal(manner.speed)})")
    if snippet.slot == "backdrop" and not first:
        fades.append("0.6")
    if not fades:
        return [f"c = {call};"]
    return [f"c = mix(c, {call}, {' * '.join(f'({f})' if ' ' in f else f for f in fades)});"]


def _placed(snippet: Snippet, manner: Manner, needs: list[str]) -> str:
    """The place that the layer is asked about, after the motions it was given."""
    place = "p"
    middle = next((p.name for p in snippet.pairs if p.part == "place"), "")
    own = any(p.part == "drift" for p in snippet.pairs)
    if manner.heading is not None and not own:
        needs.append("lib_carried")
        x, y = manner.heading
        place = f"carried({place}, vec2({literal(x)}, {literal(y)}), {literal(0.12 * manner.speed)})"
    if middle and (manner.spin or manner.pulse):
        place = f"{place} - {middle}"
    if manner.spin:
        needs += ["lib_turned", "lib_motion"]
        place = f"turned({place}, beat({literal(-0.08 * manner.spin * manner.speed)}))"
    if manner.pulse and snippet.slot == "thing":
        needs.append("lib_motion")
        place = f"({place}) / (1.0 + 0.1 * sin(beat({literal(0.5 * manner.speed)})))"
    if middle and (manner.spin or manner.pulse):
        place = f"{place} + {middle}"
    if manner.count and snippet.slot == "thing" and not any(n.part == "count" for n in snippet.numbers):
        needs.append("lib_row")
        place = f"row({place}, {literal(manner.count)})"
    return place


def literal(value: float) -> str:
    """A float as GLSL has it, without needless digits."""
    text = f"{value:.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
