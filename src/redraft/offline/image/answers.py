"""What the offline model answers to the image studio's requests: prompts put together by rule, no language model.

A prompt begins with a scene in the drawing grammar, so that the embedded backend can draw it, and goes on with
sentences on layout, colours, light, medium and mood, which name nothing to draw. Every concept stands in its own words.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redraft.models.base import Request
from redraft.models.offline import Answer
from redraft.offline.ideas.cards import idea_cards, theme_sentence
from redraft.offline.ideas.scene import allowed
from redraft.offline.ideas.words import layouts, listed, palettes
from redraft.offline.image.prose import fitted, sentences, without
from redraft.studios.image.facts import asked, changed, missing
from redraft.studios.image.prose import Prose

__all__ = ["ANSWERS"]

_PICTURE = "a picture"
_ADD = re.compile(r"^(?:please )?(?:add|put in|include|give it|with)\s+", re.IGNORECASE)
_MAKE = re.compile(
    r"^(?:please )?(?:make|turn|paint|colou?r)\s+(the .+?)\s+(?:into |to be )?(\S+(?: \S+)?)[.!]?$", re.IGNORECASE
)
_REMOVE = re.compile(
    r"^(?:please )?(?:remove|drop|leave out|no|without|take away)\s+(?:the |all |any )?", re.IGNORECASE
)
_QUOTED = re.compile(r'"([^"]+)"')


def _idea(request: Request) -> str:
    """One card's worth of a picture, as prose."""
    return _pictured(request, _texts(request, "concepts"))


def _pictured(request: Request, concepts: Sequence[str]) -> str:
    avoided = f"Avoid: {', '.join([*_texts(request, 'dislikes'), *_texts(request, 'hates')])}"
    card = idea_cards(concepts, "", _PICTURE, avoided, 1, request.seed)[0]
    return card.narrative


def _composition(request: Request) -> str:
    """The draft, and how it is seen and made; what the draft says of that already stays."""
    rng = _rng(request)
    options = {
        "composition": [says for layout in layouts() for says in layout.says],
        "palette": [palette.says for palette in palettes()],
        "medium": list(listed("mediums")),
        "mood": list(listed("moods")),
    }
    return _told(_text(request, "draft"), options, rng, disliked=())


def _final(request: Request) -> str:
    """The chosen idea with one choice of each of its options, nothing disliked. Likes have counted with the judge."""
    idea = cast("Mapping[str, Any]", request.inputs["idea"])
    options = cast("Mapping[str, Sequence[str]]", idea["options"])
    disliked = [*_texts(request, "dislikes"), *_texts(request, "hates"), *cast("Sequence[str]", idea.get("avoid", ()))]
    return _told(str(idea["narrative"]), options, _rng(request), disliked)


def _told(draft: str, options: Mapping[str, Sequence[str]], rng: random.Random, disliked: Sequence[str]) -> str:
    """A draft, then layout, palette, light, medium and mood, each in a sentence of its own."""
    options = {name: _going_with(draft, entries) if name == "palette" else entries for name, entries in options.items()}
    chosen = {name: _chosen(entries, rng, disliked) for name, entries in options.items() if entries}
    parts = sentences(draft)
    light = [part for part in parts if part.startswith("The light ")]
    rest = [part for part in parts if part not in light]
    named = [
        f"The {name} is {chosen[name].rstrip('.')}."
        for name in ("composition", "palette", "medium", "mood")
        if name in chosen
    ]
    return " ".join([*rest, *named[:2], *(light or [rng.choice(listed("lights"))]), *named[2:]])


def _going_with(draft: str, entries: Sequence[str]) -> Sequence[str]:
    """The palettes whose sky the draft has already; all of them, where there is none."""
    skies = {palette.says: palette.colours["sky"] for palette in palettes()}
    return [e for e in entries if e in skies and re.search(rf"\b{skies[e]} (?:sky|backdrop)", draft)] or entries


def _chosen(entries: Sequence[str], rng: random.Random, disliked: Sequence[str]) -> str:
    """One of the entries by the seed, not what is disliked as long as there is another."""
    return rng.choice([entry for entry in entries if allowed(entry, disliked)] or list(entries))


def _enclave(request: Request) -> str:
    """Three readers by rule: what is said twice is said once, and each concept is there."""
    said = " ".join(dict.fromkeys(sentences(_text(request, "draft"))))
    return _kept(said, _texts(request, "concepts"))


def _prompt(request: Request) -> str:
    """The final prompt: the draft without what is disliked, with every concept, at a length that models read."""
    concepts = _texts(request, "concepts")
    said = without(_text(request, "draft"), _texts(request, "disliked"), concepts)
    return _long_enough(_kept(said, concepts), concepts, request)


def _long_enough(said: str, concepts: Sequence[str], request: Request) -> str:
    """40 to 120 words: what is short gets sentences on how it is seen."""
    if len(said.split()) < 40:
        views = [f"The framing is {view}." for view in listed("views")]
        more = [sentence for sentence in (*views, *listed("lights")) if sentence not in said]
        said = " ".join((said, *_rng(request).sample(more, 3)))
    return fitted(said, keep=lambda text: not any(missing(asked(concept), Prose(text)) for concept in concepts))


def _kept(said: str, concepts: Sequence[str]) -> str:
    """The text, with a sentence in front for each concept whose words it lacks, or tells otherwise."""
    prose = Prose(said)
    lost: list[str] = []
    for concept in concepts:
        fact = asked(concept)
        if missing(fact, prose) or any(changed(fact, prose)):
            lost.append(concept)
    if not lost:
        return said
    whole = idea_cards(lost, "", _PICTURE, "", 1, 0)[0].narrative
    first = sentences(whole)[0] if asked(lost[0]).words else ""
    fresh = first if not any(missing(asked(c), Prose(first)) for c in lost) else f"{first} {theme_sentence(lost)}"
    return f"{fresh} {said}".strip()


def _edit(request: Request) -> str:
    """The prompt, mended where it was found wrong, and changed as it is told."""
    concepts = _texts(request, "concepts")
    said = _mended(_text(request, "prompt"), request)
    instruction = _text(request, "instruction").strip()
    return _kept(said if concepts else _changed(said, instruction), concepts)


def _changed(said: str, instruction: str) -> str:
    """ "add a moon" adds it, "make the sky red" says so, "remove the birds" leaves them out; else it is added."""
    bare = instruction.rstrip(" .!")
    if _REMOVE.match(bare):
        return without(said, [_REMOVE.sub("", bare)], ())
    if _ADD.match(bare):
        return f"{said} There is {_ADD.sub('', bare)}."
    made = _MAKE.match(bare)
    told = f"{made[1]} is {made[2]}" if made is not None else bare
    return f"{said} {told[:1].upper()}{told[1:]}."


def _repair(request: Request) -> str:
    """The prompt with what is found and asked put right: words that are missing said, what is disliked left out."""
    said = _kept(_mended(_text(request, "prompt"), request), _texts(request, "concepts"))
    asked_ = cast("Sequence[Mapping[str, str]]", request.inputs["questions"])
    rulings = [{"id": each["id"], "ruling": "must", "reason": "It is put right."} for each in asked_]
    return f"{said}\n\n```json\n{json.dumps({'rulings': rulings})}\n```" if rulings else said


def _mended(said: str, request: Request) -> str:
    told = [request.inputs["findings"], request.inputs.get("questions", [])]
    for issue in (each for several in cast("list[Sequence[Mapping[str, Any]]]", told) for each in several):
        named = _QUOTED.findall(str(issue["mend"]))
        if issue["code"] == "taste.disliked" and named:
            said = without(said, named[:1], _texts(request, "concepts"))
        elif issue["code"] == "fact.changed":
            said = without(said, named[1 + len(named) // 2 :], ())  # the concept, what is wanted, what is said
    return said


def _fix(request: Request) -> str:
    """A prompt anew, from the concepts alone."""
    concepts = _texts(request, "concepts")
    return _long_enough(_kept(_pictured(request, concepts), concepts), concepts, request)


def _rng(request: Request) -> random.Random:
    return random.Random(request.seed)  # noqa: S311  taste, not secrets


def _text(request: Request, name: str) -> str:
    return str(request.inputs[name])


def _texts(request: Request, name: str) -> list[str]:
    return [str(entry) for entry in cast("Sequence[object]", request.inputs.get(name, ()))]


ANSWERS: Mapping[str, Answer] = {
    "image.idea": _idea,
    "image.enclave": _enclave,
    "image.composition": _composition,
    "image.final": _final,
    "image.prompt": _prompt,
    "image.edit": _edit,
    "image.repair": _repair,
    "image.fix": _fix,
}
