"""Shaders from sentences: made anew, or changed by a further sentence, without a language model.

One sentence and one seed give one shader. It paints what is understood, and lists the rest. Each shader begins with the
sentences that it was made from, so that a later turn can change it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from redraft.studios.shader.offline.compose import composed, ordered, own_colors, resolved
from redraft.studios.shader.offline.reading import Layer, Recipe, merged, plain, read
from redraft.studios.shader.offline.snippets import snippets

MARK = "Made by redraft's rule-based offline model: snippets put together by rules, no language model."
FIRST, EDIT, SEED, MORE = "asked:", "then:", "seed:", "  "
"""Marks of the lines of the comment that a shader begins with."""
WIDTH = 100
"""Characters of a line of that comment."""
_SECONDS = re.compile(r"^const float SECONDS = (\d+(?:\.\d*)?|\.\d+);", re.MULTILINE)


@dataclass(frozen=True)
class Composition:
    """A shader made from sentences."""

    approach: str
    """One line: its layers and colors, and the words that were not understood."""
    code: str
    unknown: tuple[str, ...]
    """Words that were not understood, in the order of the sentence; in lower case."""
    texts: tuple[str, ...]
    """The sentences that it was made from: the first one and its changes."""


def from_words(instruction: str, *, seed: int, loop: bool, seconds: float) -> Composition:
    """Make a shader of a sentence. With `loop` all motion repeats after exactly so many seconds."""
    return _composed(plain(instruction), (), seed, loop=loop, seconds=seconds)


def edited(instruction: str, code: str, *, seed: int, loop: bool, seconds: float) -> Composition | None:
    """Change one of the model's own shaders as a sentence says; return None for another's.

    Everything else stays: the seed is the one that the shader was made with, `seed` is for a shader that names none.
    Changes made to the code by hand are lost; then the approach says so.
    """
    header = _header(code)
    if header is None:
        return None
    first, edits, own = header
    seed = seed if own is None else own
    composition = _composed(first, (*edits, plain(instruction)), seed, loop=loop, seconds=seconds)

    # The length of the loop that the shader was written for; any, where it has none.
    match = _SECONDS.search(code)
    length = float(match[1]) if match else 4.0
    before = (_composed(first, edits, seed, loop=each, seconds=length).code for each in (False, True))
    if _lines(code) not in map(_lines, before):
        return replace(composition, approach=f"{composition.approach}; other changes to the code are not kept")
    return composition


def _composed(first: str, edits: Sequence[str], seed: int, *, loop: bool, seconds: float) -> Composition:
    """Compose the shader of a sentence and the edits of it."""
    recipe, unknown = read(first)
    before = None
    for text in edits:
        change, unknown = read(text, edit=True)
        if not recipe.palette and not recipe.colors:
            recipe = replace(recipe, palette=resolved(recipe, seed=seed).palette)  # what comes in keeps the mood
        before, recipe = recipe, _changed(recipe, change)
    whole = resolved(recipe, seed=seed)

    # A number of what cannot be counted was not understood.
    for layer in recipe.layers:
        snippet = snippets()[layer.name]
        countable = snippet.slot == "thing" or any(number.part == "count" for number in snippet.numbers)
        if layer.manner.count and not countable:
            unknown = (*unknown, f"{layer.manner.count} {layer.name}")

    layers = ordered(whole)
    names = ", ".join(la.name.replace("_", " ") for la in layers if not la.implied) or "colors in motion"
    implied = ", ".join(la.name.replace("_", " ") for la in layers if la.implied)
    colors = " and ".join(whole.colors or own_colors(layers)) or whole.palette.removeprefix("~")
    idle = before is not None and whole == resolved(before, seed=seed)
    approach = f"{'unchanged, no change was understood: ' if idle else ''}{names}"
    approach += f" (with {implied})" if implied else ""
    approach += f"; colors {colors}"
    approach += f"; not understood: {', '.join(unknown)[:200]}" if unknown else ""

    # Long sentences are folded at spaces, with the further lines indented.
    fold = partial(textwrap.wrap, width=WIDTH, subsequent_indent=MORE, break_long_words=False, break_on_hyphens=False)
    texts = (f"{FIRST} {first}", *(f"{EDIT} {text}" for text in edits))
    header = [MARK, *(line for text in texts for line in fold(text)), f"{SEED} {seed}"]
    return Composition(approach, composed(whole, header, loop=loop, seconds=seconds), unknown, (first, *edits))


def _changed(recipe: Recipe, change: Recipe) -> Recipe:
    """Return a recipe after an edit: its things are added or changed, its manners come on top."""
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


def _header(code: str) -> tuple[str, tuple[str, ...], int | None] | None:
    """Return first sentence, edits and seed from the comment that a shader begins with; None without such a comment."""
    lines = [line[3:] for line in code.splitlines() if line.startswith("// ")]
    if MARK not in lines:
        return None
    texts: list[str] = []
    seed = None
    for line in lines[lines.index(MARK) + 1 :]:
        if line.startswith(MORE) and texts:
            texts[-1] += " " + line.removeprefix(MORE)
        elif line.startswith((FIRST, EDIT)):
            texts.append(line)
        else:
            number = line.removeprefix(SEED).strip() if line.startswith(SEED) else ""
            seed = int(number) if number.lstrip("-").isdecimal() else None
            break
    if not texts or not texts[0].startswith(FIRST):
        return None
    return texts[0].removeprefix(FIRST).strip(), tuple(text.removeprefix(EDIT).strip() for text in texts[1:]), seed


def _lines(code: str) -> list[str]:
    return [line.strip() for line in code.splitlines() if line.strip()]
