"""Composition of readable GLSL from a recipe: snippets in the order in which they lie, their constants at the top."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from redraft.studios.shader.interface import INPUT, OUTPUT, declaration
from redraft.studios.shader.offline.palette import (
    ROLES,
    TIMES,
    between,
    blended,
    brought,
    palette,
    scene_of,
    shaded,
    tinted,
)
from redraft.studios.shader.offline.reading import Layer, Manner, Recipe, merged
from redraft.studios.shader.offline.snippets import SLOTS, Color, Slot, Snippet, snippets

INTERFACE = "\n".join(map(declaration, ("u_resolution", "u_time", "u_seed", INPUT, OUTPUT)))
TAU = "const float TAU = 6.2831853;"

HORIZON = {"water": -0.28, "land": -0.5, "": -0.8}
"""Height of the horizon by the slot below it; the shorter side of a picture goes from -1 to 1."""
LOOSE = ("backdrop", "pattern", "thing")
"""Slots that can turn, grow and move as a whole; skies and waters cannot."""
LOW_SUN = frozenset({"sunset", "dawn", "dusk", "synthwave"})
LIGHTS = ("curves", "grid")
"""Patterns of light, which show on a dark ground."""
MOODS = ("heaven", "air", "clouds", "water", "land", "sky", "backdrop", "pattern", "thing", "warp")
"""Slots in the order in which their moods are taken, where several layers suggest one."""
LOOKS = ("dusk", "neon", "ocean", "candy", "dream", "retro", "forest", "synthwave", "tropical", "rose")
"""Palettes for recipes without a mood of their own; the seed chooses."""
FINISHES = {
    "soft": "c = mix(vec3(0.5), c, 0.85);",
    "crisp": "c = mix(vec3(0.5), c, 1.2);",
    "vivid": "c = mix(vec3(dot(c, vec3(0.3, 0.59, 0.11))), c, 1.3);",
    "muted": "c = mix(vec3(dot(c, vec3(0.3, 0.59, 0.11))), c, 0.6);",
    "glow": "c = 1.0 - (1.0 - c) * exp(-0.7 * c * c);",
    "vignette": "c *= 1.0 - 0.45 * smoothstep(0.6, 1.8, length(p));",
    "grain": "c += 0.09 * (random(gl_FragCoord.xy + 5.0) - 0.5);",
}
"""Name of a finish → its line in `main`."""


# What the words leave open


def resolved(recipe: Recipe, *, seed: int) -> Recipe:
    """Complete a recipe to a picture: sky, ground, a palette that suits. What is unwanted is not added."""
    dice = random.Random(seed)  # noqa: S311 - a choice of colors and places

    # A mood alone brings its scene; a landscape gets what its moods bring.
    if not _slots(recipe) - {"sky", "lens"}:
        scene = " ".join(scene_of(mood) for mood in recipe.moods).split()
        if recipe.get("sky"):
            scene = [name for name in scene if snippets()[name].slot in ("heaven", "clouds")]
        recipe = _with_implied(recipe, scene or ([] if recipe.get("sky") else ["silk"]))
    elif _is_scenic(recipe):
        grounded = bool(_slots(recipe) & {"land", "water"})
        names = " ".join(brought(mood) for mood in recipe.moods).split()
        recipe = _with_implied(recipe, [n for n in names if not (grounded and snippets()[n].slot == "land")])
    for layer in recipe.layers:
        far = "land" in _slots(recipe)  # a shore only where the far side of the water is empty
        recipe = _with_implied(recipe, [name for name in snippets()[layer.name].brings if name != "shore" or not far])

    # The palette of the foremost layer's mood, marked `~` because it was not requested.
    if not recipe.palette and recipe.colors:
        recipe = replace(recipe, palette="~dusk")
    elif not recipe.palette:
        look = dice.choice(LOOKS)
        named = [la for la in recipe.layers if not la.implied] or list(recipe.layers)
        moods = [(MOODS.index(s.slot), s.mood) for la in named if (s := snippets()[la.name]).mood and s.slot in MOODS]
        recipe = replace(recipe, palette="~" + (min(moods, key=lambda mood: mood[0])[1] if moods else look))
    recipe = _with_background(recipe)

    # A low sun where the palette is of a low sun, and a moon that is not always in one place.
    shift = dice.uniform(-0.12, 0.12)
    low = recipe.palette.removeprefix("~") in LOW_SUN
    for name, place in {"sun": (0.1, -0.02) if low else (0.35, 0.45), "moon": (0.45, 0.5)}.items():
        light = recipe.get(name)
        if light is not None and light.manner.place is None:
            manner = replace(light.manner, place=(place[0] + shift, place[1]))
            recipe = recipe.with_layer(replace(light, manner=manner))
    return recipe


def _slots(recipe: Recipe) -> set[str]:
    return {snippets()[layer.name].slot for layer in recipe.layers}


def _with_implied(recipe: Recipe, names: Iterable[str]) -> Recipe:
    """Return the recipe with these implied layers, but for those that it has or that are unwanted."""
    for name in names:
        if recipe.get(name) is None and name not in recipe.without:
            recipe = recipe.with_layer(Layer(name, implied=True))
    return recipe


def _is_scenic(recipe: Recipe) -> bool:
    slots = _slots(recipe)
    landscape = bool(slots & {"heaven", "clouds", "land", "water", "sky"})
    return landscape or ("air" in slots and not slots & {"backdrop", "pattern", "thing", "warp"})


def _with_background(recipe: Recipe) -> Recipe:
    """Put something behind everything: a sky in scenes, else a gradient; a pattern for a kaleidoscope to fold."""
    slots = _slots(recipe)
    if _is_scenic(recipe) and "backdrop" not in slots:
        return _with_implied(replace(recipe, without=tuple(n for n in recipe.without if n != "sky")), ["sky"])
    for warp, pattern in (("tunnel", "hexagons"), ("kaleidoscope", "voronoi")):
        if recipe.get(warp) and not slots & {"backdrop", "pattern"}:
            return _with_implied(recipe, [pattern])
    if "backdrop" in slots:
        return recipe
    patterns = [la for la in recipe.layers if snippets()[la.name].slot == "pattern"]
    if any(la.name in LIGHTS for la in patterns):
        colors = next((la.manner.colors[:1] for la in patterns if la.manner.colors), ())
        return recipe.with_layer(Layer("gradient", Manner(colors=colors, shade=0.32), implied=True))
    spare = next((c for la in patterns for c in la.manner.colors[len(snippets()[la.name].colors) :]), None)
    return recipe.with_layer(Layer("gradient", Manner(colors=(spare,) * 3 if spare else ()), implied=True))


# GLSL


@dataclass(frozen=True)
class _Scheme:
    """The colors in force."""

    colors: tuple[str, ...]
    requested: bool
    """True for a palette that words request; False for one that only goes with what is shown."""
    time: bool
    """True for a time of day or weather: lights keep their own colors in it."""

    def of(self, color: Color, slot: Slot) -> str:
        """Return a constant's color: its natural one, where it has any and no other was requested."""
        requested = self.requested and not (self.time and slot in ("heaven", "air"))
        return self.colors[ROLES.index(color.role)] if requested or color.natural == "-" else color.natural


def composed(recipe: Recipe, header: Sequence[str], *, loop: bool, seconds: float) -> str:
    """Return the shader of a recipe. `header` holds the lines of its first comment, without slashes."""
    layers = ordered(recipe)
    used = [snippets()[layer.name] for layer in layers]

    # Requested colors of all, or of a layer painted with the whole palette; else a fitting palette.
    name = recipe.palette.removeprefix("~")
    if colors := recipe.colors or own_colors(layers):
        scheme = _Scheme(blended(colors), requested=bool(recipe.colors), time=False)
    else:
        scheme = _Scheme(palette(name), requested=name == recipe.palette, time=name in TIMES)

    above, scene, needs = _calls(layers, recipe.every)
    libs = _libs(("lib_random", *(need for snippet in used for need in snippet.needs), *needs), loop)
    early = [s for s in used if s.slot not in ("water", "air")]
    late = [s for s in used if s.slot in ("water", "air")]  # after what water mirrors

    # `main`: the scene, what is done to the whole picture, and a grain finer than one step of a screen's colors.
    main = [
        "vec2 p = (2.0 * v_uv - 1.0) * u_resolution / min(u_resolution.x, u_resolution.y);",
        "vec3 c = scene(p);",
        *(f"{FINISHES[name]}  // {name}" for name in FINISHES if name in recipe.finish),
    ]
    if recipe.light > 1:
        main.append(f"c = 1.0 - pow(1.0 - clamp(c, 0.0, 1.0), vec3({_literal(recipe.light)}));  // brighter")
    elif recipe.light < 1:
        main.append(f"c *= {_literal(recipe.light)};  // darker")
    main.append("c += (random(gl_FragCoord.xy) - 0.5) / 255.0;  // against banding")
    main.append("f_color = vec4(clamp(c, 0.0, 1.0), 1.0);")

    parts = [
        "#version 330",
        "\n".join(f"// {line}".rstrip() for line in header),
        INTERFACE,
        TAU + (f"\nconst float SECONDS = {_literal(seconds)};  // one loop" if loop else ""),
        *_constants(recipe, layers, scheme),
        *(f"// {s.comment}\n{s.body}" for s in (*libs, *early)),
        above,
        *(f"// {s.comment}\n{s.body}" for s in late),
        scene,
        "\n".join(["// the whole picture", "void main() {", *(f"    {line}" for line in main), "}"]),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def ordered(recipe: Recipe) -> list[Layer]:
    """Return the layers from the lowest to the topmost; those of one kind as they stand in the sentence."""
    return sorted(recipe.layers, key=lambda la: (SLOTS.index(snippets()[la.name].slot), snippets()[la.name].order))


def own_colors(layers: Iterable[Layer]) -> tuple[str, ...]:
    """Return the colors of a layer that is painted with the whole palette, where it was given some."""
    return next((la.manner.colors for la in layers if snippets()[la.name].ramped and la.manner.colors), ())


def _constants(recipe: Recipe, layers: Sequence[Layer], scheme: _Scheme) -> list[str]:
    """Return the constants as blocks of lines: of the whole picture, then layer by layer."""
    used = [(layer, snippets()[layer.name]) for layer in layers]
    slots = {snippet.slot for _, snippet in used}
    lines: list[str] = []
    if any("HORIZON" in snippet.body for _, snippet in used):
        low = next((HORIZON[slot] for slot in ("water", "land") if slot in slots), HORIZON[""])
        lines.append(f"const float HORIZON = {_literal(low)};")
    if any(snippet.ramped for _, snippet in used):
        shade = math.prod(la.manner.shade for la, snippet in used if snippet.ramped)
        lines += [_color(role.upper(), shaded(c, shade)) for role, c in zip(ROLES[:5], scheme.colors, strict=False)]
    blocks = [lines]

    for layer, snippet in used:
        manner, own = merged(recipe.every, layer.manner), layer.manner
        colors: Sequence[str] = [scheme.of(c, snippet.slot) for c in snippet.colors]
        if colors and len(own.colors) == 1:
            colors = tinted(colors, own.colors[0])
        elif colors and own.colors:
            many = len(own.colors) >= len(colors)
            colors = own.colors[: len(colors)] if many else between(own.colors, len(colors))
        # A shade that the whole picture has is not taken by the layer once more.
        dims = any(n.part == "shade" for n in snippet.numbers)
        lines = [
            _color(c.name, v if dims else shaded(v, own.shade)) for c, v in zip(snippet.colors, colors, strict=True)
        ]

        factors = {"speed": manner.speed, "size": manner.size, "density": manner.density, "shade": own.shade}
        for number in snippet.numbers:
            value = number.value * factors.get(number.part, 1.0)
            if number.part == "count":
                value = float(manner.count) if manner.count else number.value / manner.size
            lines.append(f"const float {number.name} = {_literal(value)};")

        for pair in snippet.pairs:
            x, y = manner.place or (pair.x, pair.y)
            if pair.part == "drift":
                x, y = manner.heading or (pair.x, pair.y)
                length = math.hypot(pair.x, pair.y) * manner.speed / (math.hypot(x, y) or 1.0)
                x, y = length * x, length * y
            lines.append(f"const vec2 {pair.name} = {_vec2((x, y))};")
        blocks.append(lines)
    return ["\n".join(block) for block in blocks if block]


def _libs(needs: Iterable[str], loop: bool) -> list[Snippet]:
    """Return the helpers that are needed, each after what it needs itself."""
    libs: dict[str, Snippet] = {}
    for name in needs:
        snippet = snippets()[f"{name}_loop" if loop and f"{name}_loop" in snippets() else name]
        for lib in (*_libs(snippet.needs, loop), snippet):
            libs.setdefault(lib.name, lib)
    return list(libs.values())


def _calls(layers: Sequence[Layer], every: Manner) -> tuple[str, str, list[str]]:
    """Return `above` (empty without water) and `scene` as GLSL functions, and the helpers that they need.

    `scene` puts the layers over each other, from the lowest to the topmost; water mirrors what `above` paints.
    """
    needs: list[str] = []
    lines: dict[str, list[str]] = {slot: [] for slot in ("above", "water", "air", "lens", "warp")}
    for layer in layers:
        slot = snippets()[layer.name].slot
        if slot in ("lens", "warp"):
            lines[slot].append(f"p = {layer.name}(p);")
        else:
            first = not any(lines[group] for group in ("above", "water", "air"))
            call = _layer_call(snippets()[layer.name], merged(every, layer.manner), needs, first=first)
            lines[slot if slot in lines else "above"].append(call)
    air, warp = lines["air"], lines["warp"]
    if warp and air:  # weather is seen before what is folded, not folded itself
        warp, air = ["vec2 eye = p;", *warp], [line.replace("(p, c)", "(eye, c)") for line in air]
    under, above = ["vec3 c = vec3(0.0);", *lines["above"]], ""
    if lines["water"]:
        above = _function("above", "what is above the water, and mirrored in it", under)
        water = (f"    {line}" for line in lines["water"])
        under = ["vec3 c = above(vec2(p.x, max(p.y, HORIZON)));", "if (p.y < HORIZON) {", *water, "}"]
    body = [*lines["lens"], *warp, *under, *air]
    return above, _function("scene", "everything, from the back to the front", body), needs


def _function(name: str, comment: str, lines: Sequence[str]) -> str:
    body = "\n".join(f"    {line}" for line in (*lines, "return c;"))
    return f"// {comment}\nvec3 {name}(vec2 p) {{\n{body}\n}}"


def _layer_call(snippet: Snippet, manner: Manner, needs: list[str], *, first: bool) -> str:
    """Return the line that paints one layer; add the helpers that it uses to `needs`."""
    # The place that the layer is computed for, after the motions that it was given.
    place = "p"
    if snippet.slot in LOOSE:
        middle = next((p.name for p in snippet.pairs if p.part == "place"), "")
        around = middle and (manner.spin or manner.pulse)
        if manner.heading is not None and not any(p.part == "drift" for p in snippet.pairs):
            needs.append("lib_carried")
            place = f"carried(p, {_vec2(manner.heading)}, {_literal(0.12 * manner.speed)})"
        if around:
            place = f"{place} - {middle}"
        if manner.spin:
            needs += ["lib_turned", "lib_motion"]
            place = f"turned({place}, beat({_literal(-0.08 * manner.spin * manner.speed)}))"
        if manner.pulse and snippet.slot == "thing":
            needs.append("lib_motion")
            place = f"({place}) / (1.0 + 0.1 * sin(beat({_literal(0.5 * manner.speed)})))"
        if around:
            place = f"{place} + {middle}"
        if manner.count and snippet.slot == "thing" and not any(n.part == "count" for n in snippet.numbers):
            needs.append("lib_row")
            place = f"row({place}, {_literal(manner.count)})"

    fades: list[str] = []
    if manner.pulse and snippet.slot != "thing":
        needs.append("lib_motion")
        fades.append(f"(0.72 + 0.28 * sin(beat({_literal(0.4 * manner.speed)})))")
    if manner.flicker:
        needs.append("lib_flicker")
        fades.append(f"flicker({_literal(manner.speed)})")
    if snippet.slot == "backdrop" and not first:
        fades.append("0.6")
    call = f"{snippet.name}({place}, c)"
    return f"c = mix(c, {call}, {' * '.join(fades)});" if fades else f"c = {call};"


def _color(name: str, value: str) -> str:
    parts = ", ".join(_literal(round(int(value[i : i + 2], 16) / 255, 3)) for i in (1, 3, 5))
    return f"const vec3 {name} = vec3({parts});  // {value}"


def _vec2(pair: tuple[float, float]) -> str:
    return f"vec2({_literal(pair[0])}, {_literal(pair[1])})"


def _literal(value: float) -> str:
    """Return a float as GLSL writes it, without needless digits."""
    text = f"{value:.4f}".rstrip("0")
    return text + "0" if text.endswith(".") else text
