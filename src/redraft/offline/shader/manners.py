"""What a chosen idea adds to a sentence about a shader: colours and a pace, in the words that the grammar knows."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from redraft.offline.shader.lexicon import phrases
from redraft.offline.shader.reading import read

__all__ = ["with_manners"]

MOST_COLOURS = 3
_KINDS = ("colour", "speed", "finish")
_WORD = re.compile(r"[a-z]+")


def with_manners(instruction: str, manners: Sequence[str]) -> str:
    """The sentence, and in another one the colours, pace and finish that the manners name and it leaves open."""
    recipe, _ = read(instruction)
    coloured = bool(recipe.colours or recipe.palette or any(layer.manner.colours for layer in recipe.layers))
    named = list(dict.fromkeys(pair for text in manners for pair in _named(text)))
    colours = [word for kind, word in named if kind == "colour"][:MOST_COLOURS]
    said = [f"in {' and '.join(colours)}"] if colours and not coloured else []
    own = {kind for kind, _ in _named(instruction)}
    said += [word for kind, word in named if kind != "colour" and kind not in own][:2]
    return f"{instruction.rstrip(' .')}. All {', '.join(said)}." if said else instruction


def _named(text: str) -> Iterator[tuple[str, str]]:
    """The words of a text that stand for a colour, a pace or a finish, with which of these."""
    for word in _WORD.findall(text.lower()):
        forms = [form for form in (word, word.removesuffix("s")) if form in phrases()]
        if forms and phrases()[forms[0]].kind in _KINDS:
            yield phrases()[forms[0]].kind, forms[0]
