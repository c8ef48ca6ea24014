"""A model that answers by the kind of request, and small plans of the sketch studio, for tests of benchmarks."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from sketches import reply_of

from redraft.bench.arms import ARMS, Arm
from redraft.bench.tasks import Task, Things
from redraft.bench.trials import Plan
from redraft.models.base import ModelInfo, Reply, Request
from redraft.result import Usage

__all__ = ["BALL", "TASK", "Answering", "ball", "by_name", "plan_of"]

Answer = str | Exception | Callable[[Request], str]


def ball(y: float, *, stated: bool = True) -> str:
    """A drawing of a ball of radius 0.1 at that height over a box whose top is at 0.6."""
    ask = [{"kind": "relation", "parts": ["ball"], "relation": "touches", "of": ["box"], "quote": "on a box"}]
    return reply_of(
        {
            "plan": [{"name": name, "label": name, "parent": None} for name in ("box", "ball")],
            "strokes": [
                {"part": "box", "kind": "rect", "x": 0.3, "y": 0.6, "w": 0.4, "h": 0.3, "fill": "#c9a26b"},
                {"part": "ball", "kind": "ellipse", "cx": 0.5, "cy": y, "rx": 0.1, "ry": 0.1, "fill": "#cc2222"},
            ],
            "requirements": ask if stated else [],
        }
    )


BALL = {"high": ball(0.2), "right": ball(0.5)}
TASK = Task(
    id="ball",
    brief="a ball on a box",
    oracles=(Things(counts={"ball": 1, "box": 1}, relations=(("ball", "on", "box"),)),),
)


class Answering:
    """Answers by the last word of a request's kind; a list is given in turn, its last entry for ever."""

    def __init__(
        self, answers: Mapping[str, Answer | Sequence[Answer]], *, sees: bool = False, tokens: int = 0
    ) -> None:
        self._answers = {
            kind: [a] if isinstance(a, str | Exception) or callable(a) else [*a] for kind, a in answers.items()
        }
        self._tokens = tokens
        self.info = ModelInfo(name="answering", sees=sees)
        self.requests: list[Request] = []

    async def ask(self, request: Request) -> Reply:
        self.requests.append(request)
        answers = self._answers[request.kind.rpartition(".")[2]]
        answer = answers.pop(0) if len(answers) > 1 else answers[0]
        if isinstance(answer, Exception):
            raise answer
        text = answer if isinstance(answer, str) else answer(request)
        return Reply(text=text, model="answering", usage=Usage(calls=1, output_tokens=self._tokens))

    @property
    def kinds(self) -> list[str]:
        return [request.kind.rpartition(".")[2] for request in self.requests]


def by_name(*names: str) -> tuple[Arm, ...]:
    return tuple(arm for name in names for arm in ARMS if arm.name == name)


def plan_of(out: Path, *arms: str, tasks: Sequence[Task] = (TASK,), calls: int = 4, **more: Any) -> Plan:
    return Plan("sketch", tasks, by_name(*arms), out, calls, **more)


def verdict(better: str) -> str:
    return json.dumps({"reason": "By what is seen.", "better": better})
