"""A text model and an image backend for tests of whole generations: every request is kept, no network is near."""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from redraft.models.base import ModelInfo, Reply, Request
from redraft.painting.base import ImageReply, ImageRequest, Notify
from redraft.result import Usage

CONCEPTS = ("lighthouse", "storm", "clockwork")
HINTS = "Quiet and unhurried, with room around the subject.\nAvoid: horror"
FINAL = (
    "A lighthouse stands on a bare rock while a storm of torn paper circles it, and behind its lamp room window a "
    "clockwork of bone turns slowly; seen from the sea, low and far off, the sky takes two thirds of the picture, "
    "lit from the left by a single beam, gouache on rough board."
)


def card(id_: str, **changes: object) -> dict[str, object]:
    """A card that is right."""
    return {
        "id": id_,
        "hook": f"The lamp of {id_} keeps its own time.",
        "narrative": f"A lighthouse in a storm, seen from side {id_}. Its clockwork shows through the glass.",
        "options": {
            "composition": [f"low horizon {id_}", f"seen through a window {id_}"],
            "palette": [f"ash and salt {id_}", f"one warm point {id_}"],
            "medium": ["gouache"],
            "mood": ["patient"],
        },
        **changes,
    }


def cards_json(ids: Sequence[str] = "ABCDEF") -> str:
    return json.dumps({"ideas": [card(id_) for id_ in ids]})


def scores_json(scores: Mapping[str, object]) -> str:
    return json.dumps({"scores": [{"id": id_, "score": score} for id_, score in scores.items()]})


SCORES = {"A": 74, "B": 81, "C": 40, "D": 63, "E": 12, "F": 77}
Answer = str | Callable[[Request], str]


@dataclass
class FakeText:
    """Answers by the kind of request. `asked` keeps every request."""

    answers: dict[str, Answer] = field(default_factory=dict[str, Answer])
    asked: list[Request] = field(default_factory=list[Request])
    cost: float = 0.0
    """US dollars of each reply."""

    @property
    def info(self) -> ModelInfo:
        return ModelInfo(name="fake", label="fake: replies written beforehand, no model was asked.")

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        usual: dict[str, Answer] = {
            "ideas.abstraction": HINTS,
            "ideas.cards": cards_json(),
            "ideas.judge": scores_json(SCORES),
            **dict.fromkeys(("image.idea", "image.enclave", "image.composition", "image.final"), "A draft in words."),
            **dict.fromkeys(("image.prompt", "image.edit", "image.repair", "image.fix"), FINAL),
        }
        answer = {**usual, **self.answers}[request.kind]
        text = answer(request) if callable(answer) else answer
        return Reply(text=text, model="fake", usage=Usage(calls=1, input_tokens=10, output_tokens=5, cost=self.cost))

    def sent(self, kind: str) -> list[str]:
        """All that was sent with requests of a kind, one text each."""
        return ["\n".join(m.text for m in request.messages) for request in self.asked if request.kind == kind]


@dataclass
class FakeImages:
    """Writes a dummy picture. `asked` keeps every request; `fails` is raised instead, once for each entry."""

    asked: list[ImageRequest] = field(default_factory=list[ImageRequest])
    fails: list[Exception] = field(default_factory=list[Exception])
    name: str = "dummy"

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        self.asked.append(request)
        if self.fails:
            raise self.fails.pop(0)
        notify("painting")
        return ImageReply(png=flat_png(request.seed), backend=self.name, cost=0.02, params={"tries": 1})


def flat_png(seed: int, size: int = 8) -> bytes:
    """A picture of one colour."""
    rows = (b"\0" + bytes((seed % 251, seed % 241, seed % 239)) * size) * size
    parts = [(b"IHDR", struct.pack(">2I5B", size, size, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    chunks = (struct.pack(">I", len(d)) + n + d + struct.pack(">I", zlib.crc32(n + d)) for n, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
