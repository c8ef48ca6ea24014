"""The offline model for shaders, from words: a grammar, a palette and a shelf of snippets, no language model.

It is deterministic: one sentence, one seed, one shader. It paints what it understands, and says what it did not. Its
shaders begin with the sentences that they were made from, so that a later turn can change them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from redraft.offline.shader.calls import LOOSE
from redraft.offline.shader.compose import composed, ordered, own_colours
from redraft.offline.shader.reading import plain, read
from redraft.offline.shader.recipe import Layer, Recipe, finished, merged
from redraft.offline.shader.resolve import resolved
from redraft.offline.shader.snippets import snippets

__all__ = ["Words", "edited", "from_words"]

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


def from_words(instruction: str, *, seed: int, loop: bool, seconds: float) -> Words:
    """A shader of a sentence. With `loop` all motion repeats after exactly so many seconds."""
    return _made(plain(instruction), (), seed, loop=loop, seconds=seconds)


def edited(instruction: str, code: str, *, seed: int, loop: bool, seconds: float) -> Words | None:
    """One of its own shaders, changed as a sentence says; None when the code is not of its making.

    What the sentence does not speak of stays: the seed is the one that the shader was made with, `seed` is for one
    that names none. Changes made to the code by hand are lost; then the approach says so.
    """
    found = _header(code)
    if found is None:
        return None
    asked, thens, own = found
    kept = seed if own is None else own
    made = _made(asked, (*thens, plain(instruction)), kept, loop=loop, seconds=seconds)
    if not _is_as_written(code, asked, thens, kept):
        return replace(made, approach=f"{made.approach}; what was changed in the code by other hands is not kept")
    return made


def _made(asked: str, thens: Sequence[str], seed: int, *, loop: bool, seconds: float) -> Words:
    recipe, unknown = read(asked)
    before = None
    for then in thens:
        change, unknown = read(then, edit=True)
        if not recipe.palette and not recipe.colours:
            recipe = replace(recipe, palette=resolved(recipe, seed=seed).palette)  # what comes in keeps the mood
        before, recipe = recipe, _changed(recipe, change)
    whole = resolved(recipe, seed=seed)
    idle = before is not None and whole == resolved(before, seed=seed)
    unknown = (*unknown, *_unfit(recipe))
    told = [f"{ASKED} {asked}", *(f"{THEN} {then}" for then in thens)]
    header = [MARK, *(line for text in told for line in _folded(text)), f"{SEED} {seed}"]
    return Words(_approach(whole, unknown, idle=idle), composed(whole, header, loop=loop, seconds=seconds), unknown)


def _changed(recipe: Recipe, change: Recipe) -> Recipe:
    """A recipe after an edit: its things are added or changed, its manners come on top."""
    gone = set(change.without)
    layers = [la for la in recipe.layers if la.name not in gone]
    for layer in change.layers:
        if layer.manner.density < 1 and not recipe.has(layer.name):
            continue  # less of what is not there
        old = next((la for la in layers if la.name == layer.name), None)
        new = Layer(layer.name, merged(old.manner, layer.manner)) if old else layer
        layers = [new if la.name == layer.name else la for la in layers] + ([] if old else [new])
    added = {la.name for la in change.layers}
    recoloured = bool(change.palette or change.colours)
    return Recipe(
        layers=tuple(layers),
        without=tuple(n for n in dict.fromkeys((*recipe.without, *change.without)) if n not in added),
        palette=change.palette if recoloured else recipe.palette,
        moods=(*recipe.moods, *change.moods),
        colours=change.colours if recoloured else recipe.colours,
        every=merged(recipe.every, change.every),
        finish=finished(recipe.finish, change.finish),
    )


def _unfit(recipe: Recipe) -> tuple[str, ...]:
    """What was understood and cannot be done: so many of something that there is one of, a sky that turns."""
    found: list[str] = []
    for layer in recipe.layers:
        snippet = snippets()[layer.name]
        counted = snippet.slot == "thing" or any(n.part == "count" for n in snippet.numbers)
        if layer.manner.count and not counted:
            found.append(f"{layer.manner.count} {layer.name}")
    loose = any(snippets()[layer.name].slot in LOOSE for layer in recipe.layers)
    found += ["rotating a scene"] if recipe.every.spin and not loose and recipe.layers else []
    return tuple(found)


def _approach(recipe: Recipe, unknown: Sequence[str], *, idle: bool) -> str:
    layers = ordered(recipe)
    names = ", ".join(la.name.replace("_", " ") for la in layers if not la.implied) or "colours in motion"
    implied = ", ".join(la.name.replace("_", " ") for la in layers if la.implied)
    colours = " and ".join(recipe.colours or own_colours(layers)) or recipe.palette.removeprefix("~")
    said = f"{'unchanged, no change was understood: ' if idle else ''}{names}"
    said += f" (with {implied})" if implied else ""
    said += f"; colours {colours}"
    return said + (f"; not understood: {', '.join(unknown)[:200]}" if unknown else "")


def _folded(text: str) -> list[str]:
    """A long line as several, at spaces; the further ones are indented."""
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > WIDTH and lines[-1].strip():
            lines.append(MORE)
        lines[-1] += word if lines[-1] in ("", MORE) else f" {word}"
    return lines


def _header(code: str) -> tuple[str, tuple[str, ...], int | None] | None:
    """The sentences in a shader's first comment and its seed; None when it has no such comment."""
    lines = [line[3:] for line in code.splitlines() if line.startswith("// ")]
    if MARK not in lines:
        return None
    told: list[str] = []
    for line in lines[lines.index(MARK) + 1 :]:
        if line.startswith(MORE) and told:
            told[-1] += " " + line.removeprefix(MORE)
        elif line.startswith((ASKED, THEN)):
            told.append(line)
        elif line.startswith(SEED):
            number = line.removeprefix(SEED).strip()
            return _sentences(told, int(number) if number.lstrip("-").isdigit() else None)
        else:
            break
    return _sentences(told, None)


def _sentences(told: Sequence[str], seed: int | None) -> tuple[str, tuple[str, ...], int | None] | None:
    if not told or not told[0].startswith(ASKED):
        return None
    return told[0].removeprefix(ASKED).strip(), tuple(t.removeprefix(THEN).strip() for t in told[1:]), seed


def _is_as_written(code: str, asked: str, thens: Sequence[str], seed: int) -> bool:
    """Whether the code is what these sentences give, whatever its loop."""
    body = _body(code)
    mine = (_made(asked, thens, seed, loop=loop, seconds=_seconds(code)) for loop in (False, True))
    return any(_body(words.code) == body for words in mine)


def _body(code: str) -> list[str]:
    return [line.strip() for line in code.splitlines() if line.strip()]


def _seconds(code: str) -> float:
    """The length of the loop that a shader was written for; any, where it has none."""
    start = "const float SECONDS = "
    line = next((x for x in code.splitlines() if x.startswith(start)), f"{start}4.0;")
    number = line.removeprefix(start).partition(";")[0]
    return float(number) if number.replace(".", "", 1).isdigit() else 4.0
