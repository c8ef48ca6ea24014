"""Rule-based answers where ideas are proposed and judged: a summary of a taste, cards, scores."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from typing import Any, cast

from redraft.models.base import Request
from redraft.models.offline import Answer
from redraft.offline.ideas.cards import idea_cards, listed
from redraft.scoring.abstraction import leaks
from redraft.scoring.cards import IdeaCards
from redraft.scoring.profile import TasteProfile
from redraft.scoring.words import forms, is_stop, words

__all__ = ["ANSWERS", "NOTHING"]

NOTHING = "Anything that comes to you."
"""Words that say nothing, so that it passes whatever is liked."""
MOST_AVOIDED = 8
BASE, KEPT, SPREAD = 62, 24, 8
"""Points of a card, of keeping every word of the request, and of plain taste by the seed."""
TASTE = {"loves": 7, "likes": 5, "dislikes": -9, "hates": -16}
"""Points for each entry of a profile that stands in a card."""
MOST_LIKED = 18
REPEATED = {"default": (2, 12), "strict": (2, 12), "novelty_heavy": (6, 40)}
"""Points off for each recent motif that is in it again, and for all of them at most."""
_QUOTED = re.compile(r"[“\"]([^”\"\n]+)[”\"]")


def _abstraction(request: Request) -> str:
    """A few short lines in broad words; each passes the check that the reply will be put to."""
    profile = TasteProfile(**{name: tuple(_texts(request.inputs, name)) for name in TASTE})

    def passes(text: str) -> bool:
        return not leaks(text, profile)

    def line(head: str, feels: Sequence[str]) -> str:
        """In an order in which no two words stand as they do in a like."""
        orders = (order for size in range(len(feels), 0, -1) for order in permutations(feels[:size]))
        said = (f"{head} {', '.join(order[:-1])}{' and ' * (len(order) > 1)}{order[-1]}." for order in orders)
        return next(filter(passes, said), "")

    feels = [feel for feel in _feels(profile, request.seed) if passes(feel)]
    avoid: list[str] = []
    for entry in profile.disliked:
        plain = " ".join("".join(c if c.isprintable() and c not in ".!?;,:" else " " for c in entry).split())
        if len(avoid) < MOST_AVOIDED and words(plain) and passes(f"Avoid: {', '.join([*avoid, plain])}."):
            avoid.append(plain)
    found: list[str] = []
    for said in (line("Overall", feels[:3]), line("In detail", feels[3:5]), f"Avoid: {', '.join(avoid)}."):
        if said and (avoid or said != "Avoid: .") and passes("\n".join([*found, said])):
            found.append(said)
    return "\n".join(found) or NOTHING


def _feels(profile: TasteProfile, seed: int) -> list[str]:
    """How what is liked feels, most often first, and then what suits anybody."""
    known = {form: entry["feels"] for entry in listed("broad") for word in entry["about"] for form in forms(word)}
    counts: Counter[str] = Counter()
    for weight, likes in ((2, profile.loves), (1, profile.likes)):
        for word in (word for like in likes for word in words(like)):
            for feel in sorted({feel for form in forms(word) for feel in known.get(form, ())}):
                counts[feel] += weight
    ranked = sorted(counts, key=lambda feel: (-counts[feel], feel))
    usual = list(listed("feels"))
    random.Random(seed).shuffle(usual)  # noqa: S311  taste, not secrets
    return list(dict.fromkeys((*ranked[:3], usual[0], *ranked[3:5], *usual)))


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
    each, most = REPEATED[rubric]
    taste = {name: points * _met(_texts(inputs, name), own) for name, points in TASTE.items()}
    recent = [term for line in str(inputs["recent"]).splitlines() for term in _QUOTED.findall(line)]
    points = BASE - KEPT * (1 - _share(" ".join([*_texts(inputs, "concepts"), str(inputs["instruction"])]), own))
    points += min(MOST_LIKED, taste["loves"] + taste["likes"]) + taste["dislikes"] + taste["hates"]
    points -= min(most, each * _met(recent, own))
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
