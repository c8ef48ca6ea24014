"""A judge by rule: what a card keeps of the request, what of it would please, and what was made lately."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from redraft.scoring.words import forms, is_stop, words

__all__ = ["scored"]

SPREAD = 8
"""Points of plain taste, by the seed."""
BASE = 62
KEPT = 24
"""What keeping every word of the request is worth."""
LOVED, LIKED, DISLIKED, HATED = 7, 5, 9, 16
MOST_LIKED = 18
"""More likes than these points hold are not worth more: an idea is no list of them."""
REPEATED = {"default": 2, "strict": 2, "novelty_heavy": 6}
"""Off for each motif of late that is in it again."""
MOST_REPEATED = {"default": 12, "strict": 12, "novelty_heavy": 40}
_QUOTED = re.compile(r"[“\"]([^”\"\n]+)[”\"]")


def scored(inputs: Mapping[str, Any], seed: int) -> dict[str, int]:
    """A score from 0 to 100 for each card, no two alike as far as there are numbers."""
    cards = cast("list[dict[str, Any]]", json.loads(str(inputs["cards"]))["ideas"])
    raw = {str(card["id"]): _points(card, inputs, seed) for card in cards}
    return _apart(raw)


def _points(card: Mapping[str, Any], inputs: Mapping[str, Any], seed: int) -> float:
    own = _forms_of(_text(card))
    rubric = str(inputs["rubric"])
    points = BASE - KEPT * (1 - _share([*_listed(inputs, "concepts"), str(inputs["instruction"])], own))
    liked = LOVED * _met(_listed(inputs, "loves"), own) + LIKED * _met(_listed(inputs, "likes"), own)
    points += min(MOST_LIKED, liked)
    points -= DISLIKED * _met(_listed(inputs, "dislikes"), own) + HATED * _met(_listed(inputs, "hates"), own)
    again = _met([term for line in str(inputs["recent"]).splitlines() for term in _QUOTED.findall(line)], own)
    points -= min(MOST_REPEATED[rubric], REPEATED[rubric] * again)
    points += random.Random(f"{seed} {card['id']}").uniform(0, SPREAD)  # noqa: S311  taste, not secrets
    return 20 + (points - 20) * 0.8 if rubric == "strict" else points


def _listed(inputs: Mapping[str, Any], name: str) -> list[str]:
    return [str(entry) for entry in cast("Sequence[object]", inputs[name])]


def _text(card: Mapping[str, Any]) -> str:
    """All that a card proposes; what it avoids is none of it."""
    options = cast("Mapping[str, Sequence[str]]", card["options"])
    return " ".join((str(card["hook"]), str(card["narrative"]), *(t for texts in options.values() for t in texts)))


def _forms_of(text: str) -> frozenset[str]:
    return frozenset(form for word in words(text) for form in forms(word))


def _share(asked: Sequence[str], own: frozenset[str]) -> float:
    """How much of what was asked for stands in it, by words."""
    wanted = [word for text in asked for word in words(text) if not is_stop(word)]
    return sum(1 for word in wanted if forms(word) & own) / len(wanted) if wanted else 1.0


def _met(entries: Sequence[str], own: frozenset[str]) -> float:
    """How many entries stand in it; one of several words counts by the share of them."""
    return sum(_share([entry], own) for entry in entries if any(not is_stop(word) for word in words(entry)))


def _apart(raw: Mapping[str, float]) -> dict[str, int]:
    """Whole numbers in the order of the points, each a little lower than the one before it."""
    found: dict[str, int] = {}
    last = 101
    ranked = sorted(raw, key=lambda id_: (-raw[id_], id_))
    for left, id_ in zip(range(len(ranked) - 1, -1, -1), ranked, strict=True):
        last = max(min(round(raw[id_]), last - 1), min(left, 100), 0)
        found[id_] = min(last, 100)
    return {id_: found[id_] for id_ in raw}
