"""Answers of the offline model to the shader studio's requests.

Toward a target it shows a grid of the colors in the request; from words it composes by a grammar. It sees no picture
and fixes no compile error, and says so.
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
from redraft.studios.shader.offline.sentences import Composition, edited, from_words
from redraft.studios.shader.offline.target import toward
from redraft.studios.shader.parse import as_reply
from redraft.studios.shader.spec import Draft

ME = "offline model"
MAX_NAMED = 6
"""Words of a reference that are named in each list."""
_WORD = re.compile(r"[A-Za-z][A-Za-z_]{3,}")


def draft(request: Request) -> str | Reply:
    """Return a shader from the words, or toward the target."""
    if grid := _target(request):
        return _reply_toward(grid, None)
    return _reply(_composition(request, request.seed))


def edit(request: Request) -> str | Reply:
    """Return the current shader changed by the words, or a step nearer to the target."""
    code = text_in(request, "current")
    if grid := _target(request):
        return _reply_toward(grid, code)
    loop, seconds = _motion(request)
    instruction = text_in(request, "instruction")
    changed = edited(instruction, code, seed=request.seed, loop=loop, seconds=seconds)
    return _reply(changed or _composition(request, request.seed))


def repair(request: Request) -> Reply:
    """Return a shader from the same words with another seed."""
    return _reply(_composition(request, request.seed + 1))


def fix(request: Request) -> str | Reply:
    """Return a shader from the words in place of one that does not compile: no error is fixed."""
    if "compares" in request.inputs:
        return critique(request)
    return _reply(
        _composition(request, request.seed),
        "; the broken shader was not fixed, this one is made anew from the words",
    )


def critique(request: Request) -> str:
    """Return an answer without a judgment: the model does not see pictures."""
    reply: dict[str, object] = {
        "satisfied": False,
        "score": 0,
        "summary": f"The {ME} cannot see pictures; the frames were not looked at.",
        "differences": [],
    }
    return fenced(reply | {"better": "same"} if request.inputs["compares"] else reply)


def discover(request: Request) -> str:
    """Compare by words alone: what both name is reused, what only the request names is missing."""
    texts = (text_in(request, name) for name in ("instruction", "reference"))
    requested, present = ([word.lower() for word in _WORD.findall(text)] for text in texts)
    names = list(dict.fromkeys(requested))
    reuse = [f"what it calls {name}" for name in names if name in present][:MAX_NAMED]
    bridge = [f"{name}: the reference does not name it" for name in names if name not in present][:MAX_NAMED]
    return fenced({"reuse": reuse, "change": [], "bridge": bridge})


def _composition(request: Request, seed: int) -> Composition:
    loop, seconds = _motion(request)
    sentence = reading.with_manners(text_in(request, "instruction"), palette_and_mood(request))
    return from_words(sentence, seed=seed, loop=loop, seconds=seconds)


def _reply(composition: Composition, note: str = "") -> Reply:
    """Return the shader as a reply, with the things that its sentences name and no snippet paints."""
    unpainted = tuple(dict.fromkeys(thing for text in composition.texts for thing in _unpainted(text)))
    reply = as_reply(Draft(approach=f"{ME}: {composition.approach}{note}", code=composition.code))
    return Reply(text=reply, model=OFFLINE, stand_ins=unpainted)


def _unpainted(text: str) -> Sequence[str]:
    """Return the unknown words of a sentence that name things; all of it where most is unknown and not English."""
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
    """Return whether it is a loop, and its seconds; a fix, which answers anew only when necessary, gets neither."""
    return bool(request.inputs.get("seamless", False)), cast("float", request.inputs.get("seconds", 4.0))


def _target(request: Request) -> Sequence[Sequence[str]]:
    return cast("Sequence[Sequence[str]]", request.inputs.get("target", []))


def _reply_toward(grid: Sequence[Sequence[str]], code: str | None) -> str:
    approach, shader = toward(grid, code)
    return as_reply(Draft(approach=f"{ME}: {approach}", code=shader))


ANSWERS: Mapping[str, FullAnswer] = {
    "shader.draft": draft,
    "shader.edit": edit,
    "shader.repair": repair,
    "shader.fix": fix,
    "shader.critique": critique,
    "shader.discover": discover,
}
