"""What the offline model answers where ideas are had and judged: a summary of a taste, cards, scores, all by rule."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from redraft.models.base import Request
from redraft.models.offline import Answer
from redraft.offline.ideas.cards import idea_cards
from redraft.offline.ideas.scores import scored
from redraft.offline.ideas.taste import summary_of
from redraft.scoring.cards import IdeaCards
from redraft.scoring.profile import TasteProfile

__all__ = ["ANSWERS"]


def _abstraction(request: Request) -> str:
    """Broad words for a taste."""
    taste = {name: tuple(_texts(request, name)) for name in ("loves", "likes", "dislikes", "hates")}
    return summary_of(TasteProfile(**taste), request.seed)


def _cards(request: Request) -> str:
    """Cards, in the strict JSON that is asked for."""
    cards = idea_cards(
        _texts(request, "concepts"),
        str(request.inputs["instruction"]),
        str(request.inputs["medium"]),
        str(request.inputs["hints"]),
        cast("int", request.inputs["num_ideas"]),
        request.seed,
    )
    return IdeaCards(ideas=tuple(cards)).model_dump_json(indent=1)


def _judge(request: Request) -> str:
    """Scores, and nothing else."""
    scores = [{"id": id_, "score": score} for id_, score in scored(request.inputs, request.seed).items()]
    return json.dumps({"scores": scores})


def _texts(request: Request, name: str) -> list[str]:
    return [str(entry) for entry in cast("Sequence[object]", request.inputs[name])]


ANSWERS: Mapping[str, Answer] = {
    "ideas.abstraction": _abstraction,
    "ideas.cards": _cards,
    "ideas.judge": _judge,
}
