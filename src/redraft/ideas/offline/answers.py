"""Rule-based answers where ideas are proposed and judged: a summary of a taste, cards, scores."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redraft.ideas.abstraction import leaks
from redraft.ideas.cards import IdeaCards
from redraft.ideas.offline.cards import idea_cards, listed
from redraft.ideas.profile import TasteProfile
from redraft.ideas.words import forms, is_stop, words
from redraft.models.base import Request
from redraft.models.offline import Answer

NOTHING = "Anything that comes to you."
"""Words that say nothing, so that it passes whatever is liked."""
MAX_AVOIDED = 8
BASE, KEPT, SPREAD = 62, 24, 8
"""Points of a card, of keeping every word of the request, and of plain taste by the seed."""
TASTE = {"loves": 7, "likes": 5, "dislikes": -9, "hates": -16}
"""Points for each entry of a profile that stands in a card."""
MAX_LIKED = 18
REPEATED = {"default": 2, "strict": 2, "novelty_heavy": 6}
"""Points off for each recent motif that a card repeats."""
_QUOTED = re.compile(r"[“\"]([^”\"\n]+)[”\"]")


def _abstraction(request: Request) -> str:
    """Broad words by the seed, which tell nothing of what is liked, and what to avoid."""
    profile = TasteProfile(**{name: tuple(_texts(request.inputs, name)) for name in TASTE})

    def passes(text: str) -> bool:
        return not leaks(text, profile)

    feels = random.Random(request.seed).sample(listed("feels"), len(listed("feels")))  # noqa: S311  not secrets
    a, b, c = [*filter(passes, feels), "", "", ""][:3]
    avoid: list[str] = []
    for entry in profile.disliked:
        plain = " ".join("".join(c if c.isprintable() and c not in ".!?;,:" else " " for c in entry).split())
        if len(avoid) < MAX_AVOIDED and words(plain) and passes(f"Avoid: {', '.join([*avoid, plain])}."):
            avoid.append(plain)
    lines = [f"Overall {a}, {b} and {c}."] if c else []
    lines += [f"Avoid: {', '.join(avoid)}."] if avoid else []
    return next((text for text in ("\n".join(lines), *lines) if text and passes(text)), NOTHING)


def _cards(request: Request) -> str:
    """Cards, in the strict JSON that is asked for."""
    cards = idea_cards(
        _texts(request.inputs, "concepts"),
        str(request.inputs["instruction"]),
        str(request.inputs["medium"]),
        str(request.inputs["hints"]),
        cast("int", request.inputs["num_ideas"]),
        request.seed,
    )
    return IdeaCards(ideas=tuple(cards)).model_dump_json(indent=1)


def _judge(request: Request) -> str:
    """A score from 0 to 100 for each card, no two alike."""
    cards = cast("list[dict[str, Any]]", json.loads(str(request.inputs["cards"]))["ideas"])
    raw = {str(card["id"]): _points(card, request.inputs, request.seed) for card in cards}
    found: dict[str, int] = {}
    last = 101
    ranked = sorted(raw, key=lambda id_: (-raw[id_], id_))
    for left, id_ in zip(range(len(ranked) - 1, -1, -1), ranked, strict=True):
        last = found[id_] = max(min(round(raw[id_]), last - 1, 100), left)
    return json.dumps({"scores": [{"id": id_, "score": found[id_]} for id_ in raw]})


def _points(card: Mapping[str, Any], inputs: Mapping[str, Any], seed: int) -> float:
    """What a card keeps of the request, what of it would please, and what was made lately."""
    options = [text for texts in cast("Mapping[str, Sequence[str]]", card["options"]).values() for text in texts]
    own = {form for word in words(" ".join((card["hook"], card["narrative"], *options))) for form in forms(word)}
    rubric = str(inputs["rubric"])
    taste = {name: points * _met(_texts(inputs, name), own) for name, points in TASTE.items()}
    recent = [term for line in str(inputs["recent"]).splitlines() for term in _QUOTED.findall(line)]
    points = BASE - KEPT * (1 - _share(" ".join([*_texts(inputs, "concepts"), str(inputs["instruction"])]), own))
    points += min(MAX_LIKED, taste["loves"] + taste["likes"]) + taste["dislikes"] + taste["hates"]
    points -= REPEATED[rubric] * _met(recent, own)
    points += random.Random(f"{seed} {card['id']}").uniform(0, SPREAD)  # noqa: S311  taste, not secrets
    return 20 + (points - 20) * 0.8 if rubric == "strict" else points


def _share(text: str, own: set[str]) -> float:
    """How many of the words of a text stand in a card, 0 to 1."""
    wanted = [word for word in words(text) if not is_stop(word)]
    return sum(bool(forms(word) & own) for word in wanted) / len(wanted) if wanted else 1.0


def _met(entries: Sequence[str], own: set[str]) -> float:
    """How many entries stand in a card; one of several words counts by the share of them."""
    return sum(_share(entry, own) for entry in entries if any(not is_stop(word) for word in words(entry)))


def _texts(inputs: Mapping[str, Any], name: str) -> list[str]:
    return [str(entry) for entry in cast("Sequence[object]", inputs[name])]


ANSWERS: Mapping[str, Answer] = {
    "ideas.abstraction": _abstraction,
    "ideas.cards": _cards,
    "ideas.judge": _judge,
}
