"""From a recipe to readable GLSL: snippets in the order in which they lie, their constants by name at the top."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from redraft.offline.shader.calls import literal, shader_calls
from redraft.offline.shader.palette import ROLES, TIMES, between, of_colours, palette, shaded, tinted
from redraft.offline.shader.recipe import Finish, Layer, Manner, Recipe, merged
from redraft.offline.shader.snippets import SLOTS, Colour, Number, Pair, Slot, Snippet, snippets

__all__ = ["composed", "ordered", "own_colours"]

CONTRACT = """\
uniform vec2 u_resolution;
uniform float u_time;
uniform float u_seed;
in vec2 v_uv;
out vec4 f_color;

const float TAU = 6.2831853;"""

HORIZON = {"water": -0.28, "land": -0.5, "": -0.8}
"""Where the horizon lies, by what is below it; the shorter side of a picture goes from -1 to 1."""


@dataclass(frozen=True)
class Scheme:
    """The colours in force: the palette, and whether it was asked for or only goes with what is shown."""

    colours: tuple[str, ...]
    asked: bool
    time: bool
    """Whether it is a time of day or weather: lights keep their own colours in it."""

    def role(self, name: str) -> str:
        return self.colours[ROLES.index(name)]

    def of(self, colour: Colour, slot: Slot) -> str:
        """A constant's colour: its natural one, where it has any and nobody asked for another."""
        asked = self.asked and not (self.time and slot in ("heaven", "air"))
        return self.role(colour.role) if asked or colour.natural == "-" else colour.natural


def composed(recipe: Recipe, header: Sequence[str], *, loop: bool, seconds: float) -> str:
    """The shader of a recipe. `header` are the lines of the comment that it begins with, without slashes."""
    layers = ordered(recipe)
    scheme = scheme_of(recipe, layers)
    used = [snippets()[layer.name] for layer in layers]
    calls = shader_calls(layers, recipe.every)
    libs = _libs((*(need for snippet in used for need in snippet.needs), *calls.needs), loop)
    parts = [
        "#version 330",
        "\n".join(f"// {line}".rstrip() for line in header),
        CONTRACT + (f"\nconst float SECONDS = {literal(seconds)};  // one loop" if loop else ""),
        *_top(recipe, layers, scheme),
        *(f"// {lib.says}\n{lib.body}" for lib in libs),
        *_bodies(layers, calls.above),
        calls.scene,
        _ending(recipe.finish),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def ordered(recipe: Recipe) -> list[Layer]:
    """The layers from the lowest to the topmost; those of one kind as they stand in the sentence."""
    known = snippets()
    place = {layer.name: i for i, layer in enumerate(recipe.layers)}

    def key(layer: Layer) -> tuple[int, int, int]:
        snippet = known[layer.name]
        return SLOTS.index(snippet.slot), snippet.order, place[layer.name]

    return sorted(recipe.layers, key=key)


def scheme_of(recipe: Recipe, layers: Iterable[Layer]) -> Scheme:
    """Colours that were asked for, of all or of a layer painted with the whole palette; else a fitting palette."""
    colours = recipe.colours or own_colours(layers)
    if colours:
        return Scheme(of_colours(colours), asked=bool(recipe.colours), time=False)
    name = recipe.palette.removeprefix("~")
    return Scheme(palette(name), asked=name == recipe.palette, time=name in TIMES)


def own_colours(layers: Iterable[Layer]) -> tuple[str, ...]:
    """The colours of a layer that is painted with the whole palette, where it was given some."""
    return next((la.manner.colours for la in layers if snippets()[la.name].ramped and la.manner.colours), ())


def _top(recipe: Recipe, layers: Sequence[Layer], scheme: Scheme) -> list[str]:
    """The constants: of the picture, then layer by layer."""
    used = [snippets()[layer.name] for layer in layers]
    slots = {snippet.slot for snippet in used}
    whole: list[str] = []
    if any("HORIZON" in snippet.body for snippet in used):
        low = next((HORIZON[slot] for slot in ("water", "land") if slot in slots), HORIZON[""])
        whole.append(f"const float HORIZON = {literal(low)};")
    if any(snippet.ramped for snippet in used):
        shade = math.prod(la.manner.shade for la, s in zip(layers, used, strict=True) if s.ramped)
        whole += [_colour(role.upper(), shaded(scheme.role(role), shade)) for role in ROLES[:5]]
    found = ["\n".join(whole)] if whole else []
    for layer, snippet in zip(layers, used, strict=True):
        lines = _constants(snippet, merged(recipe.every, layer.manner), layer.manner, scheme)
        found += ["\n".join(lines)] if lines else []
    return found


def _constants(snippet: Snippet, manner: Manner, own: Manner, scheme: Scheme) -> list[str]:
    """One layer's constants. A shade that the whole picture has is not taken by the layer once more."""
    shade = own.shade
    values = _colours(snippet, own.colours, scheme)
    dims = any(n.part == "shade" for n in snippet.numbers)
    lines = [_colour(c.name, v if dims else shaded(v, shade)) for c, v in zip(snippet.colours, values, strict=True)]
    lines += [f"const float {n.name} = {literal(_valued(n, manner, shade))};" for n in snippet.numbers]
    return lines + [f"const vec2 {p.name} = {_vec2(_paired(p, manner))};" for p in snippet.pairs]


def _colours(snippet: Snippet, asked: Sequence[str], scheme: Scheme) -> tuple[str, ...]:
    natural = [scheme.of(c, snippet.slot) for c in snippet.colours]
    if not asked or not natural:
        return tuple(natural)
    if len(asked) == 1:
        return tinted(natural, asked[0])
    return tuple(asked[: len(natural)]) if len(asked) >= len(natural) else between(asked, len(natural))


def _valued(number: Number, manner: Manner, shade: float) -> float:
    factors = {"speed": manner.speed, "size": manner.size, "density": manner.density, "shade": shade}
    if number.part == "count":
        return float(manner.count) if manner.count else number.value / manner.size
    return number.value * factors.get(number.part, 1.0)


def _paired(pair: Pair, manner: Manner) -> tuple[float, float]:
    if pair.part == "place":
        return manner.place or (pair.x, pair.y)
    length = (pair.x**2 + pair.y**2) ** 0.5 * manner.speed
    x, y = manner.heading or (pair.x, pair.y)
    norm = (x**2 + y**2) ** 0.5 or 1.0
    return length * x / norm, length * y / norm


def _libs(needs: Iterable[str], loop: bool) -> list[Snippet]:
    """The helpers that are needed, each after what it needs itself."""
    found: dict[str, Snippet] = {}

    def add(name: str) -> None:
        chosen = f"{name}_loop" if loop and f"{name}_loop" in snippets() else name
        snippet = snippets()[chosen]
        for need in snippet.needs:
            add(need)
        found.setdefault(name, snippet)

    for name in ("lib_random", *needs):
        add(name)
    return list(found.values())


def _bodies(layers: Sequence[Layer], above: str) -> list[str]:
    """The layers' functions; that of water comes after what it mirrors."""
    known = snippets()
    early = [known[la.name] for la in layers if known[la.name].slot not in ("water", "air")]
    late = [known[la.name] for la in layers if known[la.name].slot in ("water", "air")]
    told = [f"// {s.says}\n{s.body}" for s in early]
    return [*told, above, *(f"// {s.says}\n{s.body}" for s in late)]


def _ending(finish: Finish) -> str:
    """`main`: the scene, what is done to the whole picture, and a grain finer than one step of a screen's colours."""
    lines = ["// the whole picture", "void main() {"]
    lines.append("    vec2 p = (2.0 * v_uv - 1.0) * u_resolution / min(u_resolution.x, u_resolution.y);")
    lines.append("    vec3 c = scene(p);")
    if finish.glow:
        lines.append(f"    c = 1.0 - (1.0 - c) * exp(-{literal(finish.glow)} * c * c);  // glow")
    if finish.saturation != 1:
        lines.append(f"    c = mix(vec3(dot(c, vec3(0.3, 0.59, 0.11))), c, {literal(finish.saturation)});")
    if finish.contrast != 1:
        lines.append(f"    c = mix(vec3(0.5), c, {literal(finish.contrast)});")
    if finish.brightness > 1:
        lines.append(f"    c = 1.0 - pow(1.0 - clamp(c, 0.0, 1.0), vec3({literal(finish.brightness)}));  // brighter")
    elif finish.brightness < 1:
        lines.append(f"    c *= {literal(finish.brightness)};  // darker")
    if finish.vignette:
        lines.append(f"    c *= 1.0 - {literal(finish.vignette)} * smoothstep(0.6, 1.8, length(p));")
    if finish.grain:
        lines.append(f"    c += {literal(finish.grain)} * (random(gl_FragCoord.xy + 5.0) - 0.5);")
    lines.append("    c += (random(gl_FragCoord.xy) - 0.5) / 255.0;  // against banding")
    return "\n".join([*lines, "    f_color = vec4(clamp(c, 0.0, 1.0), 1.0);", "}"])


def _colour(name: str, value: str) -> str:
    parts = ", ".join(literal(round(int(value[i : i + 2], 16) / 255, 3)) for i in (1, 3, 5))
    return f"const vec3 {name} = vec3({parts});  // {value}"


def _vec2(pair: tuple[float, float]) -> str:
    return f"vec2({literal(pair[0])}, {literal(pair[1])})"
