"""Shaders from words: a grammar, palettes and snippets, no language model.

One sentence and one seed give one shader. It paints what it understands, and says what it did not. Each shader begins
with the sentences that it was made from, so that a later turn can change it.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.studios.shader.offline.compose import composed, ordered, own_colors, resolved
from redraft.studios.shader.offline.reading import Layer, Recipe, merged, plain, read
from redraft.studios.shader.offline.snippets import snippets

MARK = "Made by redraft's rule-based offline model: snippets put together by rules, no language model."
ASKED, THEN, SEED, MORE = "asked:", "then:", "seed:", "  "
WIDTH = 100


@dataclass(frozen=True)
class Words:
    """A shader made from words."""

    approach: str
    """One line: what it is, and what was left open."""
    code: str
    unknown: tuple[str, ...]
    """Words that were not understood, in the order of the sentence; in lower case."""
    texts: tuple[str, ...]
    """The sentences that it was made from, the first one and its changes."""


def from_words(instruction: str, *, seed: int, loop: bool, seconds: float) -> Words:
    """Make a shader of a sentence. With `loop` all motion repeats after exactly so many seconds."""
    return _made(plain(instruction), (), seed, loop=loop, seconds=seconds)


def edited(instruction: str, code: str, *, seed: int, loop: bool, seconds: float) -> Words | None:
    """Change one of its own shaders as a sentence says; None when the code is not of its making.

    Everything else stays: the seed is the one that the shader was made with, `seed` is for a shader that names none.
    Changes made to the code by hand are lost; then the approach says so.
    """
    found = _header(code)
    if found is None:
        return None
    asked, thens, own = found
    kept = seed if own is None else own
    made = _made(asked, (*thens, plain(instruction)), kept, loop=loop, seconds=seconds)
    before = (_made(asked, thens, kept, loop=each, seconds=_seconds(code)).code for each in (False, True))
    if _body(code) not in map(_body, before):
        return replace(made, approach=f"{made.approach}; other changes to the code are not kept")
    return made


def _made(asked: str, thens: Sequence[str], seed: int, *, loop: bool, seconds: float) -> Words:
    recipe, unknown = read(asked)
    before = None
    for then in thens:
        change, unknown = read(then, edit=True)
        if not recipe.palette and not recipe.colors:
            recipe = replace(recipe, palette=resolved(recipe, seed=seed).palette)  # what comes in keeps the mood
        before, recipe = recipe, _changed(recipe, change)
    whole = resolved(recipe, seed=seed)
    idle = before is not None and whole == resolved(before, seed=seed)
    counted = (la for la in recipe.layers if la.manner.count)
    unfit = [f"{la.manner.count} {la.name}" for la in counted if not _is_countable(la.name)]
    unknown = (*unknown, *unfit)
    lines = (f"{ASKED} {asked}", *(f"{THEN} {then}" for then in thens))
    header = [MARK, *(line for text in lines for line in _folded(text)), f"{SEED} {seed}"]
    code = composed(whole, header, loop=loop, seconds=seconds)
    return Words(_approach(whole, unknown, idle=idle), code, unknown, (asked, *thens))


def _is_countable(name: str) -> bool:
    snippet = snippets()[name]
    return snippet.slot == "thing" or any(number.part == "count" for number in snippet.numbers)


def _changed(recipe: Recipe, change: Recipe) -> Recipe:
    """A recipe after an edit: its things are added or changed, its manners come on top."""
    for name in change.without:
        recipe = recipe.without_layer(name)
    for layer in change.layers:
        old = recipe.get(layer.name)
        if old is None and layer.manner.density < 1:
            continue  # less of something absent
        recipe = recipe.with_layer(Layer(layer.name, merged(old.manner, layer.manner)) if old else layer)
    added = {layer.name for layer in change.layers}
    recolored = bool(change.palette or change.colors)
    return replace(
        recipe,
        without=tuple(name for name in dict.fromkeys(recipe.without) if name not in added),
        palette=change.palette if recolored else recipe.palette,
        moods=(*recipe.moods, *change.moods),
        colors=change.colors if recolored else recipe.colors,
        every=merged(recipe.every, change.every),
        light=recipe.light * change.light,
        finish=tuple(dict.fromkeys((*recipe.finish, *change.finish))),
    )


def _approach(recipe: Recipe, unknown: Sequence[str], *, idle: bool) -> str:
    layers = ordered(recipe)
    names = ", ".join(la.name.replace("_", " ") for la in layers if not la.implied) or "colors in motion"
    implied = ", ".join(la.name.replace("_", " ") for la in layers if la.implied)
    colors = " and ".join(recipe.colors or own_colors(layers)) or recipe.palette.removeprefix("~")
    said = f"{'unchanged, no change was understood: ' if idle else ''}{names}"
    said += f" (with {implied})" if implied else ""
    said += f"; colors {colors}"
    return said + (f"; not understood: {', '.join(unknown)[:200]}" if unknown else "")


# The comment that a shader begins with


def _folded(text: str) -> list[str]:
    """A long line as several, at spaces; the further ones are indented."""
    return textwrap.wrap(text, WIDTH, subsequent_indent=MORE, break_long_words=False, break_on_hyphens=False)


def _header(code: str) -> tuple[str, tuple[str, ...], int | None] | None:
    """The sentences in a shader's first comment and its seed; None when it has no such comment."""
    lines = [line[3:] for line in code.splitlines() if line.startswith("// ")]
    if MARK not in lines:
        return None
    texts: list[str] = []
    seed = None
    for line in lines[lines.index(MARK) + 1 :]:
        if line.startswith(MORE) and texts:
            texts[-1] += " " + line.removeprefix(MORE)
        elif line.startswith((ASKED, THEN)):
            texts.append(line)
        else:
            number = line.removeprefix(SEED).strip() if line.startswith(SEED) else ""
            seed = int(number) if number.lstrip("-").isdecimal() else None
            break
    if not texts or not texts[0].startswith(ASKED):
        return None
    return texts[0].removeprefix(ASKED).strip(), tuple(t.removeprefix(THEN).strip() for t in texts[1:]), seed


def _body(code: str) -> list[str]:
    return [line.strip() for line in code.splitlines() if line.strip()]


def _seconds(code: str) -> float:
    """The length of the loop that a shader was written for; any, where it has none."""
    start = "const float SECONDS = "
    line = next((x for x in code.splitlines() if x.startswith(start)), f"{start}4.0;")
    number = line.removeprefix(start).partition(";")[0]
    return float(number) if number.replace(".", "", 1).isdecimal() else 4.0
