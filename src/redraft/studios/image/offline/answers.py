"""Rule-based answers to the requests of the image studio: prompts put together from sentences.

A prompt begins with what was asked for, in words that the embedded backend can draw, and goes on with sentences on
layout, colors, light, medium and mood.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redraft.ideas.offline.cards import allowed, asked_sentences, idea_cards, listed
from redraft.models.base import Request
from redraft.models.offline import Answer, text_in
from redraft.studios.image.check import changed, found_disliked, missing, parsed_concept
from redraft.studios.image.prose import Prose

MOST = 120
"""Words of a prompt."""
_END = re.compile(r"(?<=[.!?])\s+(?=[\"“A-Z0-9])")
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
    avoided = f"Avoid: {', '.join([*_texts(request, 'dislikes'), *_texts(request, 'hates')])}"
    return idea_cards(_texts(request, "concepts"), "", "a picture", avoided, 1, request.seed)[0].narrative


def _composition(request: Request) -> str:
    """The draft, and how it is laid out, colored and made."""
    options = {
        "composition": listed("layouts"),
        "palette": listed("palettes"),
        "medium": listed("mediums"),
        "mood": listed("moods"),
    }
    return _told(request, text_in(request, "draft"), options, [])


def _final(request: Request) -> str:
    """The chosen idea with one of each of its options, nothing disliked. Likes have counted with the judge."""
    idea = cast("Mapping[str, Any]", request.inputs["idea"])
    disliked = [*_texts(request, "dislikes"), *_texts(request, "hates"), *idea.get("avoid", ())]
    return _told(request, str(idea["narrative"]), idea["options"], disliked)


def _told(request: Request, draft: str, options: Mapping[str, Sequence[str]], disliked: Sequence[str]) -> str:
    rng = _rng(request)
    parts = _sentences(draft)
    for name in ("composition", "palette", "medium", "mood"):
        if entries := options.get(name):
            free = [entry for entry in entries if allowed(entry, disliked)] or list(entries)
            parts.append(f"The {name} is {rng.choice(free).rstrip('.')}.")
    return " ".join(parts)


def _enclave(request: Request) -> str:
    """The draft, with what is said twice said once, and each concept there."""
    said = " ".join(dict.fromkeys(_sentences(text_in(request, "draft"))))
    return _kept(said, _texts(request, "concepts"))


def _prompt(request: Request) -> str:
    """The draft without what is disliked, with every concept, at a length that models read."""
    concepts = _texts(request, "concepts")
    return _fitted(_kept(_without(text_in(request, "draft"), _texts(request, "disliked"), concepts), concepts), request)


def _fix(request: Request) -> str:
    """A new prompt, from the concepts alone."""
    return _fitted(_kept(_idea(request), _texts(request, "concepts")), request)


def _edit(request: Request) -> str:
    """The prompt, with what was found wrong fixed and the change made."""
    concepts, said = _texts(request, "concepts"), _fixed(request)
    return _kept(said if concepts else _changed(said, text_in(request, "instruction").strip(" .!")), concepts)


def _changed(said: str, change: str) -> str:
    """ "add a moon" adds it, "make the sky red" says so, "remove the birds" leaves them out; else it is added."""
    if _REMOVE.match(change):
        return _without(said, [_REMOVE.sub("", change)], ())
    if _ADD.match(change):
        return f"{said} There is {_ADD.sub('', change)}."
    made = _MAKE.match(change)
    change = f"{made[1]} is {made[2]}" if made is not None else change
    return f"{said} {change[:1].upper()}{change[1:]}."


def _repair(request: Request) -> str:
    """Return the prompt with what the findings report fixed."""
    return _kept(_fixed(request), _texts(request, "concepts"))


def _fixed(request: Request) -> str:
    """The prompt without the words that findings name as disliked or changed."""
    said = text_in(request, "current")
    for issue in cast("Sequence[Mapping[str, Any]]", request.inputs["findings"]):
        named = _QUOTED.findall(str(issue["hint"]))
        if issue["code"] == "taste.disliked" and named:
            said = _without(said, named[:1], _texts(request, "concepts"))
        elif issue["code"] == "fact.changed":
            said = _without(said, named[1 + len(named) // 2 :], ())  # the concept, what is wanted, what is said
    return said


def _kept(said: str, concepts: Sequence[str]) -> str:
    """The text, with a sentence in front for the concepts whose words it lacks, or changes."""
    prose = Prose(said)
    facts = [parsed_concept(concept) for concept in concepts]
    lost = [fact.text for fact in facts if missing(fact, prose) or any(changed(fact, prose))]
    if not lost:
        return said
    first, *theme = asked_sentences(lost, random.Random(0))  # noqa: S311  taste, not secrets
    fresh = " ".join((first, *theme))
    if any(missing(parsed_concept(concept), Prose(fresh)) for concept in lost):
        fresh = f"{first} It shows {', '.join(lost)}."
    return f"{fresh} {said}".strip()


def _fitted(said: str, request: Request) -> str:
    """40 to 120 words: what is short gets sentences on how it is seen, what is long loses the last ones that no concept
    needs."""
    facts = [parsed_concept(concept) for concept in _texts(request, "concepts")]
    if len(said.split()) < 40:
        views = [f"The framing is {view}." for view in listed("views")]
        more = [text for text in (*views, *listed("lights")) if text not in said]
        said = " ".join((said, *_rng(request).sample(more, 3)))
    parts = _sentences(said)
    for at in range(len(parts) - 1, 0, -1):
        shorter = parts[:at] + parts[at + 1 :]
        if sum(len(part.split()) for part in parts) > MOST and not any(
            missing(fact, Prose(" ".join(shorter))) for fact in facts
        ):
            parts = shorter
    return " ".join(parts)


def _sentences(text: str) -> list[str]:
    found = [part.strip() for part in _END.split(" ".join(text.split())) if part.strip()]
    return [part if part[-1] in '.!?"”' else f"{part}." for part in found]


def _without(text: str, disliked: Sequence[str], concepts: Sequence[str]) -> str:
    """The text without what is disliked and was not asked for: a list loses entries, a sentence goes whole if its
    beginning does."""
    kept: list[str] = []
    for sentence in _sentences(text):
        parts = re.split(r",\s+(?:and\s+)?", sentence.rstrip("."))
        left = [part for part in parts if not found_disliked(disliked, Prose(part), concepts)]
        if not found_disliked(disliked, Prose(sentence), concepts):
            kept.append(sentence)
        elif left and left[0] == parts[0]:
            kept.append((", ".join(left[:-1]) + ", and " + left[-1] if len(left) > 1 else left[0]) + ".")
    return " ".join(kept)


def _rng(request: Request) -> random.Random:
    return random.Random(request.seed)  # noqa: S311  taste, not secrets


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
