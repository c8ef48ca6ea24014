"""What a recipe leaves open: the sky behind a moon, the stars beside an aurora, a palette that suits what is shown."""

from __future__ import annotations

import random
from dataclasses import replace

from redraft.offline.shader.recipe import Layer, Manner, Recipe
from redraft.offline.shader.snippets import snippets

__all__ = ["resolved"]

LOW_SUN = frozenset({"sunset", "dawn", "dusk", "synthwave"})

SCENES: dict[str, str] = {
    "night": "stars moon mountains",
    "dusk": "clouds lake",
    "sunset": "sun clouds sea",
    "dawn": "mountains fog",
    "day": "sun clouds hills",
    "storm": "clouds lightning rain",
    "grey": "clouds rain",
    "winter": "mountains snow",
    "ocean": "sea clouds",
    "deep": "caustics bubbles",
    "desert": "sun dunes",
    "tropical": "sun clouds sea",
    "space": "nebula stars",
    "synthwave": "sun floor_grid",
    "spooky": "moon forest fog",
    "forest": "forest fog",
    "matrix": "grid",
    "fire": "fire sparks",
    "embers": "sparks",
    "autumn": "hills sun",
    "spring": "hills clouds",
}
"""What a mood is, when nothing else was asked for. Any other is colours in motion."""

BRINGS: dict[str, str] = {
    "storm": "clouds rain lightning",
    "grey": "clouds",
    "sunset": "sun",
    "night": "stars",
    "space": "stars",
    "synthwave": "sun",
    "winter": "snow",
    "spooky": "fog",
    "desert": "dunes",
}
"""What a mood brings into a scene, whatever else is in it."""

SCENIC = ("heaven", "clouds", "land", "water", "sky")
MOODS = ("heaven", "air", "clouds", "water", "land", "sky", "backdrop", "pattern", "thing", "warp")
"""Whose mood goes first, where several layers suggest one."""

LOOKS = ("dusk", "neon", "ocean", "candy", "dream", "retro", "forest", "synthwave", "tropical", "rose")
"""Palettes for what has no mood of its own; the seed chooses."""


def resolved(recipe: Recipe, *, seed: int) -> Recipe:
    """The recipe with all that it needs to be a picture. What was asked not to be there is not added."""
    recipe = _peopled(recipe)
    recipe = _brought(recipe)
    recipe = _palette(recipe, seed)
    recipe = _grounded(recipe)
    return _placed(recipe, seed)


def _slots(recipe: Recipe) -> set[str]:
    return {snippets()[layer.name].slot for layer in recipe.layers}


def _with(recipe: Recipe, names: str) -> Recipe:
    """With these implied layers, where they are neither there nor unwanted."""
    for name in names.split():
        if not recipe.has(name) and name not in recipe.without:
            recipe = recipe.with_layer(Layer(name, implied=True))
    return recipe


def _peopled(recipe: Recipe) -> Recipe:
    """Something to see, where only a mood or a sky was named; and what moods bring into a scene."""
    if not _slots(recipe) - {"sky", "lens"}:
        scene = " ".join(SCENES.get(mood, "") for mood in recipe.moods).strip()
        nothing = "" if recipe.has("sky") else "silk"
        return _with(recipe, (_skyward(scene) if recipe.has("sky") else scene) or nothing)
    if not _scenic(recipe):
        return recipe
    names = " ".join(BRINGS.get(mood, "") for mood in recipe.moods).split()
    ground = bool(_slots(recipe) & {"land", "water"})
    return _with(recipe, " ".join(n for n in names if not (ground and snippets()[n].slot == "land")))


def _skyward(scene: str) -> str:
    """Of a mood's layers those that are in the sky: all that "a sky at dusk" asks for."""
    return " ".join(name for name in scene.split() if snippets()[name].slot in ("heaven", "clouds"))


def _scenic(recipe: Recipe) -> bool:
    slots = _slots(recipe)
    return bool(slots & set(SCENIC)) or ("air" in slots and not slots & {"backdrop", "pattern", "thing", "warp"})


def _brought(recipe: Recipe) -> Recipe:
    """What layers bring with them. A shore only where the far side of the water is empty."""
    for layer in recipe.layers:
        for name in snippets()[layer.name].brings:
            if name != "shore" or "land" not in _slots(recipe):
                recipe = _with(recipe, name)
    return recipe


def _palette(recipe: Recipe, seed: int) -> Recipe:
    """Of its own accord (marked `~`) that of the foremost layer's mood; else one of those that go with anything."""
    if recipe.palette or recipe.colours:
        return recipe if recipe.palette else replace(recipe, palette="~dusk")
    asked = [la for la in recipe.layers if not la.implied] or list(recipe.layers)
    known = [(MOODS.index(s.slot), s.mood) for la in asked if (s := snippets()[la.name]).mood and s.slot in MOODS]
    look = random.Random(seed).choice(LOOKS)  # noqa: S311 - a choice of colours
    return replace(recipe, palette="~" + (min(known, key=lambda m: m[0])[1] if known else look))


def _grounded(recipe: Recipe) -> Recipe:
    """Something behind everything: a sky in scenes, else a gradient; a pattern for a kaleidoscope to fold."""
    slots = _slots(recipe)
    if _scenic(recipe) and "backdrop" not in slots:
        recipe = _with(replace(recipe, without=tuple(n for n in recipe.without if n != "sky")), "sky")
    elif recipe.has("tunnel") and not slots & {"backdrop", "pattern"}:
        recipe = _with(recipe, "hexagons")
    elif recipe.has("kaleidoscope") and not slots & {"backdrop", "pattern"}:
        recipe = _with(recipe, "voronoi")
    elif "backdrop" not in slots:
        recipe = _ground(recipe)
    return recipe


LIGHTS = ("curves", "grid")
"""Patterns of light, that show on a dark ground."""


def _ground(recipe: Recipe) -> Recipe:
    """A gradient; of a pattern's second colour, where it was given two and paints with one; dark under lights."""
    known = snippets()
    patterns = [la for la in recipe.layers if known[la.name].slot == "pattern"]
    if any(la.name in LIGHTS for la in patterns):
        colours = next((la.manner.colours[:1] for la in patterns if la.manner.colours), ())
        return recipe.with_layer(Layer("gradient", Manner(colours=colours, shade=0.32), implied=True))
    spare = next((c for la in patterns for c in la.manner.colours[len(known[la.name].colours) :]), None)
    colours = (spare,) * 3 if spare else ()
    return recipe.with_layer(Layer("gradient", Manner(colours=colours), implied=True))


def _placed(recipe: Recipe, seed: int) -> Recipe:
    """A low sun where the palette is of a low sun, and a moon that is not always in one place."""
    dice = random.Random(seed)  # noqa: S311 - where a moon stands
    shift = dice.uniform(-0.12, 0.12)
    low = recipe.palette.removeprefix("~") in LOW_SUN
    places = {"sun": (0.1 + shift, -0.02) if low else (0.35 + shift, 0.45), "moon": (0.45 + shift, 0.5)}
    for name, place in places.items():
        old = next((la for la in recipe.layers if la.name == name), None)
        if old is not None and old.manner.place is None:
            recipe = recipe.with_layer(replace(old, manner=replace(old.manner, place=place)))
    return recipe
