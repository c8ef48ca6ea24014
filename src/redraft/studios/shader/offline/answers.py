"""Answers of the offline model to the shader studio's requests.

Toward a target it shows a grid of the colors in the request; from words it composes by a grammar. It
sees no picture and fixes no compile error, and says so.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

from redraft.errors import ContradictionError
from redraft.ideas.offline.chosen import palette_and_mood
from redraft.models.base import Reply, Request
from redraft.models.offline import OFFLINE, FullAnswer, fenced, text_in
from redraft.offline.english.grammar import named_in, read
from redraft.offline.english.words import is_adjective, is_noun, singular
from redraft.studios.shader.offline import reading
from redraft.studios.shader.offline.target import toward
from redraft.studios.shader.offline.words import Words, edited, from_words
from redraft.studios.shader.parse import as_reply
from redraft.studios.shader.spec import Draft

ME = "offline model"
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{3,}")
SORTED = 6
"""Words of a reference that are named."""


def _draft(request: Request) -> str | Reply:
    if grid := _target(request):
        return _said(*toward(grid, None))
    return _words(request, request.seed)


def _edit(request: Request) -> str | Reply:
    code = text_in(request, "current")
    if grid := _target(request):
        return _said(*toward(grid, code))
    loop, seconds = _motion(request)
    words = edited(text_in(request, "instruction"), code, seed=request.seed, loop=loop, seconds=seconds)
    return _words(request, request.seed) if words is None else _reply(_as_draft(words), words)


def _repair(request: Request) -> str | Reply:
    """Draw the same words with another seed."""
    return _words(request, request.seed + 1)


def _fix(request: Request) -> str | Reply:
    """A shader from the words in place of one that does not compile: no error is fixed."""
    if "compares" in request.inputs:
        return _critique(request)
    words = _drawn(request, request.seed)
    drawn = _as_draft(words)
    said = f"{drawn.approach}; the broken shader was not fixed, this one is made anew from the words"
    return _reply(drawn.model_copy(update={"approach": said}), words)


def _critique(request: Request) -> str:
    """An answer without a judgment: the model does not see pictures."""
    reply: dict[str, object] = {
        "satisfied": False,
        "score": 0,
        "summary": f"The {ME} cannot see pictures; the frames were not looked at.",
        "differences": [],
    }
    return fenced(reply | {"better": "same"} if request.inputs["compares"] else reply)


def _discover(request: Request) -> str:
    """By words alone: what both name is reused, what only the request names is missing."""
    wanted, there = (_names(text_in(request, name)) for name in ("instruction", "reference"))
    reuse = [f"what it calls {name}" for name in wanted if name in there][:SORTED]
    bridge = [f"{name}: the reference does not name it" for name in wanted if name not in there][:SORTED]
    return fenced({"reuse": reuse, "change": [], "bridge": bridge})


def _names(text: str) -> list[str]:
    return list(dict.fromkeys(word.lower() for word in _WORD.findall(text)))


def _words(request: Request, seed: int) -> Reply:
    words = _drawn(request, seed)
    return _reply(_as_draft(words), words)


def _drawn(request: Request, seed: int) -> Words:
    loop, seconds = _motion(request)
    asked = reading.with_manners(text_in(request, "instruction"), palette_and_mood(request))
    return from_words(asked, seed=seed, loop=loop, seconds=seconds)


def _as_draft(words: Words) -> Draft:
    return Draft(approach=f"{ME}: {words.approach}", code=words.code)


def _reply(draft: Draft, words: Words) -> Reply:
    """The draft, with the things that its sentences name and no snippet paints."""
    unmade = tuple(dict.fromkeys(thing for text in words.texts for thing in _unmade(text)))
    return Reply(text=as_reply(draft), model=OFFLINE, stand_ins=unmade)


def _unmade(text: str) -> Sequence[str]:
    """The unknown words of a sentence that name things; all of it where most is unknown and it is not English."""
    unknown = reading.read(text)[1]
    try:
        grammar = read(text)
    except ContradictionError:  # a shader has no places that exclude each other
        return unknown
    named = named_in(text, grammar.unchecked)
    if not grammar.mentions and len(unknown) > len(text.split()) / 2 and "only English is read" in "".join(named):
        return named
    things = {*named, *(mention.noun.split()[-1] for mention in grammar.mentions)}
    singulars = {word: singular(word)[0] for word in unknown}
    return [
        word for word, one in singulars.items() if things & {word, one} and (is_noun(one) or not is_adjective(word))
    ]


def _motion(request: Request) -> tuple[bool, float]:
    """Whether it is a loop, and its seconds; a fix, which answers anew only when necessary, gets neither."""
    return bool(request.inputs.get("seamless", False)), cast("float", request.inputs.get("seconds", 4.0))


def _target(request: Request) -> Sequence[Sequence[str]]:
    return cast("Sequence[Sequence[str]]", request.inputs.get("target", []))


def _said(approach: str, code: str) -> str:
    return as_reply(Draft(approach=f"{ME}: {approach}", code=code))


ANSWERS: Mapping[str, FullAnswer] = {
    "shader.draft": _draft,
    "shader.edit": _edit,
    "shader.repair": _repair,
    "shader.fix": _fix,
    "shader.critique": _critique,
    "shader.discover": _discover,
}
