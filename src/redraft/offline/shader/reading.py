"""From a sentence to a recipe: which layers, in what manner, and which words were not understood.

A manner before a thing is that thing's ("a dark lake"); one after it is its too, unless a comma stands between;
what is left is of the whole picture. A colour or mood of no thing in particular colours everything.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from redraft.offline.shader.lexicon import LONGEST, Sense, phrases
from redraft.offline.shader.palette import TIMES, shaded
from redraft.offline.shader.recipe import Finish, Layer, Manner, Recipe, finished, merged
from redraft.offline.shader.snippets import snippets

__all__ = ["MAX_READ", "plain", "read"]

MAX_READ = 2_000
"""Characters of a sentence that are read."""

WORD = re.compile(r"#[0-9a-fA-F]{6}\b|#[0-9a-fA-F]{3}\b|[^\W_]+(?:['-][^\W_]+)*|[,;.:!?\n()]")
MODIFIERS = ("colour", "shade", "speed", "size", "density", "heading", "place", "finish", "flag", "count")
DYED = ("backdrop", "pattern", "thing", "warp")
DEEPER = {0.68: 0.55, 0.45: 0.4, 1.2: 1.5, 1.5: 1.3}
"""What "dark" (0.68) and its like do to a colour word that follows."""


@dataclass
class _State:
    recipe: Recipe = field(default_factory=Recipe)
    current: str = ""
    """The layer that was named last, unless a break came after it."""
    negated: bool = False
    relation: tuple[str, str] | None = None
    """A layer, and how it lies to the one that comes next."""


def plain(sentence: str) -> str:
    """One line of plain letters, as it is kept in a shader's header: accents dropped, at most `MAX_READ` characters."""
    text = unicodedata.normalize("NFKD", sentence.replace("’", "'"))
    text = "".join(c if " " <= c <= "~" and c != "\\" else " " if c.isspace() else "" for c in text)
    return " ".join(text.split())[:MAX_READ].strip()


def read(sentence: str, *, edit: bool = False) -> tuple[Recipe, tuple[str, ...]]:
    """What a sentence asks for, and its words that are not known. In an edit, a manner after a thing is always its."""
    senses, unknown = _senses(plain(sentence))
    state = _State()
    i = 0
    while i < len(senses):
        i = _step(state, senses, i, edit)
    return state.recipe, tuple(dict.fromkeys(unknown))


def _senses(text: str) -> tuple[list[Sense], list[str]]:
    """The phrases of a sentence, longest first, and what is none."""
    words = [part for word in WORD.findall(text.lower()) for part in _parts(word)]
    found: list[Sense] = []
    unknown: list[str] = []
    i = 0
    while i < len(words):
        length, sense = _longest(words, i)
        if sense is not None:
            found.append(replace(sense, text=" ".join(words[i : i + length])))
        elif any(c.isalnum() for c in words[i]) and (len(words[i]) > 1 or words[i].isdigit()):
            unknown.append(words[i])
        i += length
    found = [s for s in found if s.kind != "nothing"]
    return [_dyed(s, *found[i + 1 : i + 2]) for i, s in enumerate(found)], unknown


def _dyed(sense: Sense, then: Sense | None = None) -> Sense:
    """A rainbow before a pattern or a shape is its colours: "a rainbow spiral"."""
    painted = then is not None and then.kind == "layer" and snippets()[then.value].slot in DYED
    return Sense("palette", "rainbow", sense.text) if painted and sense.value == "rainbow" else sense


def _parts(word: str) -> Sequence[str]:
    """A word with hyphens as it is, where it is known; else its parts."""
    return (word,) if word in phrases() or word.replace("-", " ") in phrases() else word.split("-")


def _longest(words: Sequence[str], i: int) -> tuple[int, Sense | None]:
    known = phrases()
    for length in range(min(LONGEST, len(words) - i), 0, -1):
        phrase = " ".join(words[i : i + length])
        for form in (phrase, phrase.replace("-", " "), *_singulars(phrase)):
            if form in known:
                return length, known[form]
    word = words[i]
    if word.startswith("#"):
        return 1, Sense("colour", word if len(word) == 7 else "#" + "".join(2 * c for c in word[1:]))
    if word in ",;.:!?()":
        return 1, Sense("break")
    if word.isdigit() and 1 < int(word[:4]) <= 60 and len(word) < 4:
        return 1, Sense("count", int(word))
    return 1, None


def _singulars(phrase: str) -> Sequence[str]:
    if len(phrase) < 4 or not phrase.endswith("s"):
        return ()
    return (phrase[:-1], phrase[:-2]) if phrase.endswith("es") else (phrase[:-1],)


def _step(state: _State, senses: Sequence[Sense], i: int, edit: bool) -> int:
    """Take one phrase, or a run of manners; gives the place after it."""
    sense = senses[i]
    if sense.kind in MODIFIERS or (sense.kind in ("more", "less") and _means(senses, i + 1)):
        return _run(state, senses, i, edit)
    match sense.kind:
        case "layer":
            _take(state, Layer(sense.value))
        case "palette":
            state.recipe = _mooded(state.recipe, sense.value)
        case "without":
            state.negated = True
        case "relation":
            state.relation = (state.current, sense.value) if state.current else None
            state.current, state.negated = "", False
        case "replace":
            return _replaced(state, senses, i)
        case "break" | "but" | "whole" | "with":
            state.current = ""
            state.negated = state.negated and sense.kind == "whole"
        case _:
            pass
    return i + 1


def _mooded(recipe: Recipe, name: str) -> Recipe:
    """Of several moods, one that is no time of day colours the picture: "a neon night"."""
    kept = name in TIMES and recipe.palette and recipe.palette not in TIMES
    palette = recipe.palette if kept else name
    return replace(recipe, palette=palette, moods=(*recipe.moods, name), colours=())


def _means(senses: Sequence[Sense], i: int) -> bool:
    return i < len(senses) and (senses[i].kind in MODIFIERS or senses[i].kind == "layer")


def _run(state: _State, senses: Sequence[Sense], i: int, edit: bool) -> int:
    """Manners in a row, joined by "and" or commas: of the thing right after them, of that before, or of all."""
    manner, finish, end = _manners(senses, i, 0.0 if state.negated else 1.0, verb=not state.current)
    follows = end < len(senses) and senses[end].kind == "layer"
    if follows and not (state.current and _only_after(senses[i:end])):
        _take(state, Layer(senses[end].value, manner), finish)
        return end + 1
    _after(state, manner, finish, senses[end:], edit)
    return end


def _manners(senses: Sequence[Sense], i: int, strong: float, *, verb: bool) -> tuple[Manner, Finish, int]:
    """A run of manners as one, and the place after it. It ends at an article, but for a verb: "rotate the heart"."""
    manner, finish = Manner(), Finish()
    while i < len(senses):
        sense, then = senses[i], senses[i + 1] if i + 1 < len(senses) else Sense("break")
        if sense.kind in ("more", "less") and _means(senses, i + 1):
            if then.kind == "layer":
                return merged(manner, Manner(density=1.8 if sense.kind == "more" else 0.5)), finish, i + 1
            manner, finish = _told(then, manner, finish, 1.4 if sense.kind == "more" else -1.0)
            i += 1
        elif sense.kind == "shade" and then.kind == "colour":
            colour = shaded(str(then.value), _deeper(sense.value))
            manner = replace(manner, colours=(*manner.colours, colour))
            i += 1
        elif sense.kind in MODIFIERS:
            manner, finish = _told(sense, manner, finish, strong)
        elif not (sense.kind == "article" and verb) and (
            sense.kind not in ("and", "break") or then.kind not in MODIFIERS
        ):
            break
        i += 1
    return manner, finish, i


def _deeper(shade: float) -> float:
    return DEEPER.get(shade, shade)


def _only_after(run: Sequence[Sense]) -> bool:
    """Whether a run can only speak of what stands before it: "clouds drifting left"."""
    return any(s.kind == "heading" for s in run) and not any(s.kind in ("colour", "size", "count") for s in run)


def _told(sense: Sense, manner: Manner, finish: Finish, strong: float) -> tuple[Manner, Finish]:
    """One more manner. `strong`: 1 as it is, more for more of it, 0 for none of it, -1 for the opposite."""
    kind, value = sense.kind, sense.value
    match kind:
        case "colour":
            return replace(manner, colours=(*manner.colours, value)), finish
        case "shade" | "speed" | "size" | "density":
            factor = value**strong if value else (1.0 if strong <= 0 else 0.0)
            return replace(manner, **{kind: getattr(manner, kind) * factor}), finish
        case "heading" | "place":
            return replace(manner, **{kind: value}), finish
        case "count":
            return replace(manner, count=value), finish
        case "finish":
            name, amount = value
            plainly = 1.0 if name in ("brightness", "contrast", "saturation") else 0.0
            amount = plainly + (amount - plainly) * strong
            return manner, replace(finish, **{name: amount if plainly else max(0.0, amount)})
        case _:
            return _flagged(value, manner, strong), finish


def _flagged(flag: str, manner: Manner, strong: float) -> Manner:
    on = strong > 0
    match flag:
        case "pulse" | "flicker":
            return replace(manner, **{flag: on})
        case "drift":
            if not on:
                return replace(manner, speed=0.0)
            return manner if manner.heading else replace(manner, heading=(1.0, 0.0))
        case _:
            return replace(manner, spin=(-1.0 if flag == "spin back" else 1.0) if on else 0.0)


def _take(state: _State, layer: Layer, finish: Finish | None = None) -> None:
    """A thing is named: asked for, asked not to be there, or named once more."""
    recipe = state.recipe
    if layer.name == "stars" and layer.manner.count:
        layer = replace(layer, name="star")  # so many stars are shapes; a sky has no number of them
    if state.negated:
        rest = tuple(old for old in recipe.layers if old.name != layer.name)
        state.recipe = replace(recipe, layers=rest, without=(*recipe.without, layer.name))
        state.current = ""
        return
    old = next((la for la in recipe.layers if la.name == layer.name), None)
    state.recipe = recipe.with_layer(replace(layer, manner=merged(old.manner, layer.manner)) if old else layer)
    if finish is not None:
        state.recipe = replace(state.recipe, finish=finished(state.recipe.finish, finish))
    if state.relation is not None and state.relation[0] != layer.name:
        _related(state, *state.relation, layer.name)
    state.relation = None
    state.current = layer.name


def _related(state: _State, one: str, relation: str, other: str) -> None:
    """Over and under: two shapes are set above each other; of two patterns one is painted over the other."""
    recipe = state.recipe
    if relation == "over":
        first = next(la for la in recipe.layers if la.name == one)
        rest = tuple(la for la in recipe.layers if la.name != one)
        recipe = replace(recipe, layers=(*rest, first))
    if all(snippets()[name].slot == "thing" for name in (one, other)):
        up = 0.45 if relation == "over" else -0.45
        for name, y in ((one, up), (other, -up)):
            old = next(la for la in recipe.layers if la.name == name)
            small = replace(old.manner, place=old.manner.place or (0.0, y), size=old.manner.size * 0.75)
            recipe = recipe.with_layer(replace(old, manner=small))
    state.recipe = recipe


def _after(state: _State, manner: Manner, finish: Finish, rest: Sequence[Sense], edit: bool) -> None:
    """Manners with no thing right after them: of the thing before, or of all. The finish is always of all."""
    recipe = replace(state.recipe, finish=finished(state.recipe.finish, finish))
    old = next((la for la in recipe.layers if la.name == state.current), None)
    if old is not None:
        its = snippets()[old.name].slot in ("thing", "pattern") or edit or any(s.kind == "layer" for s in rest)
        own = manner if its else replace(manner, colours=())
        recipe = recipe.with_layer(replace(old, manner=merged(old.manner, own)))
        manner = Manner(colours=() if its else manner.colours)
    if manner.colours and state.relation is not None and not _scenic(recipe):
        ground = manner.colours * 3 if len(manner.colours) == 1 else manner.colours
        recipe = recipe.with_layer(Layer("gradient", Manner(colours=ground)))  # "dots on pink"
    elif manner.colours:
        recipe = replace(recipe, colours=manner.colours, palette="")
    light = replace(recipe.finish, brightness=recipe.finish.brightness * manner.shade)
    every = merged(recipe.every, replace(manner, colours=(), shade=1.0, place=None, count=None))
    state.recipe = replace(recipe, finish=light, every=every)


def _scenic(recipe: Recipe) -> bool:
    return any(snippets()[la.name].slot not in ("pattern", "thing", "lens", "air") for la in recipe.layers)


def _replaced(state: _State, senses: Sequence[Sense], i: int) -> int:
    """ "replace A with B": A goes, B comes; with one thing only, it is a change of that."""
    end = next((j for j in range(i, len(senses)) if senses[j].kind in ("break", "but")), len(senses))
    things = [j for j in range(i, end) if senses[j].kind == "layer"]
    if len(things) < 2 or not any(senses[j].kind in ("with", "by", "into", "to", "for") for j in range(*things[:2])):
        return i + 1
    gone = senses[things[0]].value
    rest = tuple(la for la in state.recipe.layers if la.name != gone)
    state.recipe = replace(state.recipe, layers=rest, without=(*state.recipe.without, gone))
    return things[0] + 1
