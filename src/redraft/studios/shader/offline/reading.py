"""Reading of a sentence into a recipe: its layers, the manner of each, and the words that are not understood.

A manner before a thing is that thing's ("a dark lake"); one after it is its too, unless a comma stands between;
what is left is of the whole picture. A color or mood of no thing in particular colors everything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from typing import Any

from redraft.studios.shader.offline.palette import TIMES, color_words, palette_words, read_data, shaded
from redraft.studios.shader.offline.snippets import snippets

MAX_READ = 2_000
"""Characters of a sentence that are read."""
MAX_PHRASE = 5
"""Words in the longest phrase of the tables."""
NUMBERS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
DYES = ("palette", "colors", "colours", "tones", "shades", "hues", "theme", "color scheme", "colour scheme")
FACTORS = ("shade", "speed", "size", "density")
MODIFIERS = ("color", *FACTORS, "heading", "place", "finish", "flag", "count")
DARKER = {0.68: 0.55, 0.45: 0.4, 1.2: 1.5, 1.5: 1.3}
"""The shade that "dark" (0.68) and its like give to a color word that follows."""
_WORD = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|[^\W_]+(?:['-][^\W_]+)*|[,;.:!?\n()]")


@dataclass(frozen=True)
class Manner:
    """The way in which a layer, or all of them, is painted and moved. None and 1 leave it as it is by itself."""

    colors: tuple[str, ...] = ()
    """`#rrggbb`, in the order of the sentence."""
    shade: float = 1.0
    """Its light, as a factor."""
    speed: float = 1.0
    heading: tuple[float, float] | None = None
    """Direction of its motion on the picture."""
    pulse: bool | None = None
    spin: float | None = None
    """1 is counterclockwise, -1 clockwise, 0 none."""
    flicker: bool | None = None
    size: float = 1.0
    density: float = 1.0
    count: int | None = None
    place: tuple[float, float] | None = None
    """In units of the picture: the shorter side goes from -1 to 1."""


_PLAIN = Manner()


def merged(old: Manner, new: Manner) -> Manner:
    """Return one manner after another: factors are multiplied, anything else that the new one sets replaces the old."""
    values: dict[str, Any] = {}
    for name in (f.name for f in fields(Manner)):
        before, after = getattr(old, name), getattr(new, name)
        values[name] = before * after if name in FACTORS else before if after == getattr(_PLAIN, name) else after
    return Manner(**values)


@dataclass(frozen=True)
class Layer:
    """One thing that is painted; `implied` where no word of the sentence names it."""

    name: str
    manner: Manner = _PLAIN
    implied: bool = False


@dataclass(frozen=True)
class Recipe:
    """A whole shader in words. Layers are in the order of the sentence."""

    layers: tuple[Layer, ...] = ()
    without: tuple[str, ...] = ()
    """Layers that must not be there."""
    palette: str = ""
    moods: tuple[str, ...] = ()
    """All palettes that were named: one colors, but each may bring something into the picture."""
    colors: tuple[str, ...] = ()
    """Colors of the whole picture; they go before the palette."""
    every: Manner = _PLAIN
    light: float = 1.0
    """Brightness of the whole picture, as a factor."""
    finish: tuple[str, ...] = ()
    """Names of what is done to the whole picture at the end."""

    def get(self, name: str) -> Layer | None:
        return next((layer for layer in self.layers if layer.name == name), None)

    def with_layer(self, layer: Layer, *, below: bool = False) -> Recipe:
        """Return the recipe with a layer on top (or below all), or in place of the one of its name."""
        if self.get(layer.name) is None:
            return replace(self, layers=(layer, *self.layers) if below else (*self.layers, layer))
        return replace(self, layers=tuple(layer if old.name == layer.name else old for old in self.layers))

    def without_layer(self, name: str) -> Recipe:
        rest = tuple(layer for layer in self.layers if layer.name != name)
        return replace(self, layers=rest, without=(*self.without, name))


# Words


@dataclass(frozen=True)
class Sense:
    """The meaning of a phrase: its kind, and a value of that kind."""

    kind: str
    value: Any = None


@cache
def phrases() -> Mapping[str, Sense]:
    """Return the sense of each phrase. Of several, things go before manners, manners before colors, moods last."""
    words = read_data("words.yaml")
    senses: dict[str, Sense] = {}

    def add(texts: Iterable[str], kind: str, value: Any = None) -> None:
        for text in texts:
            senses.setdefault(text, Sense(kind, value))

    for name in palette_words().values():
        add((f"{name} {dye}" for dye in DYES), "palette", name)
    for snippet in snippets().values():
        add(snippet.words, "layer", snippet.name)
    for kind in (*FACTORS, "heading", "place", "finish", "flag", "relation"):
        for value, texts in words[kind].items():
            add(texts, kind, tuple(map(float, value.split())) if kind in ("heading", "place") else value)
    for count, word in enumerate(NUMBERS, start=2):
        add((word,), "count", count)
    for name, color in color_words().items():
        add((name,), "color", color)
    for word, name in palette_words().items():
        add((word,), "palette", name)
    for kind in ("without", "with", "more", "less", "whole", "and", "article"):
        add(words[kind], kind)
    add((*words["motion_of_itself"], *words["nothing"].split()), "nothing")
    return senses


def plain(sentence: str) -> str:
    """Return one line of at most `MAX_READ` plain letters, without accents, as it is kept in a shader's header."""
    text = unicodedata.normalize("NFKD", sentence.replace("’", "'"))
    text = "".join(c if " " <= c <= "~" and c != "\\" else " " if c.isspace() else "" for c in text)
    return " ".join(text.split())[:MAX_READ].strip()


def _senses(text: str) -> tuple[list[Sense], list[str]]:
    """Return the phrases of a sentence, the longest first, and the words that are in none."""
    known = phrases()
    words: list[str] = []
    for word in _WORD.findall(text.lower()):
        whole = word in known or word.replace("-", " ") in known
        words += [word] if whole else word.split("-")

    senses: list[Sense] = []
    unknown: list[str] = []
    i = 0
    while i < len(words):
        length, sense = _longest_phrase(words, i)
        following = known.get(words[i + 1]) if i + 1 < len(words) else None
        if sense == Sense("layer", "rainbow") and following and following.kind == "layer":
            slot = snippets()[following.value].slot
            if slot in ("backdrop", "pattern", "thing", "warp"):
                sense = Sense("palette", "rainbow")  # "a rainbow spiral"
        if sense is None and any(c.isalnum() for c in words[i]) and (len(words[i]) > 1 or words[i].isdigit()):
            unknown.append(words[i])
        elif sense is not None and sense.kind != "nothing":
            senses.append(sense)
        i += length
    return senses, unknown


def _longest_phrase(words: Sequence[str], i: int) -> tuple[int, Sense | None]:
    """Return the length in words of the longest known phrase at a place, and its sense; 1 and None without one."""
    known = phrases()
    for length in range(min(MAX_PHRASE, len(words) - i), 0, -1):
        phrase = " ".join(words[i : i + length])
        for form in (phrase, phrase.replace("-", " "), phrase.removesuffix("s"), phrase.removesuffix("es")):
            if form in known and len(form) > 1 - (form == phrase):
                return length, known[form]
    word = words[i]
    if word.startswith("#"):
        return 1, Sense("color", word if len(word) == 7 else "#" + "".join(2 * c for c in word[1:]))
    if word in ",;.:!?()":
        return 1, Sense("break")
    if word.isdigit() and len(word) < 4 and 1 < int(word) <= 60:
        return 1, Sense("count", int(word))
    return 1, None


# Sentences


@dataclass
class _State:
    recipe: Recipe = field(default_factory=Recipe)
    current: str = ""
    """Name of the last layer, unless a break came after it."""
    negated: bool = False
    relation: str = ""
    """Relation of the last layer to the one that comes next."""


def read(sentence: str, *, edit: bool = False) -> tuple[Recipe, tuple[str, ...]]:
    """Return the recipe of a sentence, and its unknown words. In an edit, a manner after a thing is always its."""
    senses, unknown = _senses(plain(sentence))
    state = _State()
    i = 0
    while i < len(senses):
        sense = senses[i]
        if sense.kind in MODIFIERS or (sense.kind in ("more", "less") and _is_graded(senses, i + 1)):
            i = _read_manners(state, senses, i, edit)
            continue
        if sense.kind == "layer":
            _take(state, Layer(sense.value))
        elif sense.kind == "palette":
            old = state.recipe.palette
            kept = sense.value in TIMES and old and old not in TIMES  # "a neon night"
            moods = (*state.recipe.moods, sense.value)
            state.recipe = replace(state.recipe, palette=old if kept else sense.value, moods=moods, colors=())
        elif sense.kind == "without":
            state.negated = True
        elif sense.kind == "relation":
            state.relation = sense.value if state.current else ""
            state.current, state.negated = "", False
        elif sense.kind in ("break", "with", "whole"):
            state.current = ""
            state.negated = state.negated and sense.kind == "whole"
        i += 1
    return state.recipe, tuple(dict.fromkeys(unknown))


def _is_graded(senses: Sequence[Sense], i: int) -> bool:
    return i < len(senses) and (senses[i].kind in MODIFIERS or senses[i].kind == "layer")


def _read_manners(state: _State, senses: Sequence[Sense], i: int, edit: bool) -> int:
    """Read manners in a row, joined by "and" or commas, and return the place after them.

    They are of the thing right after them, of that before, or of all.
    """
    begin, manner, strong = i, _PLAIN, 0.0 if state.negated else 1.0
    while i < len(senses):
        sense, after = senses[i], senses[i + 1] if i + 1 < len(senses) else Sense("break")
        if sense.kind in ("more", "less") and _is_graded(senses, i + 1):
            if after.kind == "layer":
                manner = merged(manner, Manner(density=1.8 if sense.kind == "more" else 0.5))
            else:
                manner = _with_sense(state, after, manner, 1.4 if sense.kind == "more" else -1.0)
                i += 1
        elif sense.kind == "shade" and after.kind == "color":
            dark = shaded(after.value, DARKER.get(sense.value) or sense.value)
            manner = replace(manner, colors=(*manner.colors, dark))
            i += 1
        elif sense.kind in MODIFIERS:
            manner = _with_sense(state, sense, manner, strong)
        elif not (sense.kind == "article" and not state.current) and (
            sense.kind not in ("and", "break") or after.kind not in MODIFIERS
        ):
            break
        i += 1

    kinds = {sense.kind for sense in senses[begin:i]}
    trailing = state.current and "heading" in kinds and not kinds & {"color", "size", "count"}  # "clouds drifting left"
    if i < len(senses) and senses[i].kind == "layer" and not trailing:
        _take(state, Layer(senses[i].value, manner))
        return i + 1
    _apply_to_previous(state, manner, its=edit or any(s.kind == "layer" for s in senses[i:]))
    return i


def _with_sense(state: _State, sense: Sense, manner: Manner, strong: float) -> Manner:
    """Return a manner with one more sense.

    `strong` is 1 for the sense as it is, more for more of it, 0 for none of it, -1 for the opposite.
    """
    kind, value = sense.kind, sense.value
    if kind == "finish":
        rest = tuple(name for name in state.recipe.finish if name != value)
        state.recipe = replace(state.recipe, finish=(*rest, value) if strong > 0 else rest)
        return manner
    on = strong > 0
    if kind == "color":
        change: dict[str, Any] = {"colors": (*manner.colors, value)}
    elif kind in FACTORS:
        change = {kind: getattr(manner, kind) * (value**strong if value else 1.0 if strong <= 0 else 0.0)}
    elif kind != "flag":
        change = {kind: value}
    elif value == "drift":
        change = {"heading": manner.heading or (1.0, 0.0)} if on else {"speed": 0.0}
    elif value in ("pulse", "flicker"):
        change = {value: on}
    else:
        change = {"spin": (-1.0 if value == "spin back" else 1.0) if on else 0.0}
    return replace(manner, **change)


def _take(state: _State, layer: Layer) -> None:
    """Add a thing that is named, remove it where it is negated, or merge it with the one of its name."""
    if layer.name == "stars" and layer.manner.count:
        layer = replace(layer, name="star")  # so many stars are shapes; a sky has no number of them
    if state.negated:
        state.recipe, state.current = state.recipe.without_layer(layer.name), ""
        return
    if old := state.recipe.get(layer.name):
        layer = replace(layer, manner=merged(old.manner, layer.manner))
    state.recipe = state.recipe.with_layer(layer, below=state.relation == "over")
    state.current, state.relation = layer.name, ""


def _apply_to_previous(state: _State, manner: Manner, *, its: bool) -> None:
    """Apply manners with no thing right after them: to the thing before, or to all."""
    recipe = state.recipe
    if old := recipe.get(state.current):
        its = its or snippets()[old.name].slot in ("thing", "pattern")
        own = manner if its else replace(manner, colors=())
        recipe = recipe.with_layer(replace(old, manner=merged(old.manner, own)))
        manner = Manner(colors=() if its else manner.colors)
    scenic = any(snippets()[la.name].slot not in ("pattern", "thing", "lens", "air") for la in recipe.layers)
    if manner.colors and state.relation and not scenic:
        ground = manner.colors * 3 if len(manner.colors) == 1 else manner.colors
        recipe = recipe.with_layer(Layer("gradient", Manner(colors=ground)))  # "dots on pink"
    elif manner.colors:
        recipe = replace(recipe, colors=manner.colors, palette="")
    every = merged(recipe.every, replace(manner, colors=(), shade=1.0, place=None, count=None))
    state.recipe = replace(recipe, light=recipe.light * manner.shade, every=every)


def with_manners(instruction: str, manners: Sequence[str]) -> str:
    """Return the sentence, and in another one the colors, pace and finish of an idea that the sentence leaves open."""
    recipe, _ = read(instruction)
    colored = bool(recipe.colors or recipe.palette or any(layer.manner.colors for layer in recipe.layers))
    offered = list(dict.fromkeys(pair for text in manners for pair in _manner_words(text)))
    colors = [word for kind, word in offered if kind == "color"][:3]
    added = [f"in {' and '.join(colors)}"] if colors and not colored else []
    own = {kind for kind, _ in _manner_words(instruction)}
    added += [word for kind, word in offered if kind != "color" and kind not in own][:2]
    return f"{instruction.rstrip(' .')}. All {', '.join(added)}." if added else instruction


def _manner_words(text: str) -> Iterator[tuple[str, str]]:
    """Yield kind and word of each word of a text that stands for a color, a pace or a finish."""
    for word in re.findall(r"[a-z]+", text.lower()):
        form = next((form for form in (word, word.removesuffix("s")) if form in phrases()), "")
        if form and phrases()[form].kind in ("color", "speed", "finish"):
            yield phrases()[form].kind, form
