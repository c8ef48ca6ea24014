"""Pairwise judging: a model sees two pictures of one brief, without order or names, twice with sides swapped.

The seed draws which side comes first. Only what both looks agree on counts; all else is a tie.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from redraft.bench.arms import LOOP
from redraft.bench.oracles import BLANK, evidence_of
from redraft.bench.result import Judged
from redraft.bench.trials import Trial, at_once
from redraft.errors import FormatError
from redraft.journal import derive_seed
from redraft.models.base import Message, Model, Request
from redraft.replies import reply_as
from redraft.result import Picture

__all__ = ["judge_pairs"]

SYSTEM = (
    "You compare two pictures that were made for the same brief. Judge by the brief first (the right things, their "
    "number, places and proportions), then by how well it is made. The order of the pictures means nothing."
)


class Preference(BaseModel):
    """The judge's answer."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    reason: str = Field(max_length=600)
    better: Literal["1", "2", "same"]


async def judge_pairs(
    trials: Sequence[Trial], briefs: dict[str, str], out: Path, judge: Model, *, seed: int = 0, workers: int = 1
) -> list[Judged]:
    """Have the loop's picture (the last arm's where there is no loop) judged against each other arm's.

    It is also judged against a blank one and against one of another task, which a judge has to refuse.

    Raises:
        ModelError: the judge is out of reach or refuses.
    """
    pairs = list(_pairs(trials, briefs, out))
    said: dict[tuple[int, int], str | None] = {}

    async def look(number: int, turn: int) -> None:
        """See a pair once; in the second turn with sides swapped. What is asked says nothing of arms."""
        pair, *pictures = pairs[number]
        where = derive_seed(seed, f"judge/{pair.task}-{pair.repeat}/{pair.second}")
        swapped = (where + turn) % 2 == 1
        path = f"judge/{derive_seed(where, str(turn)):x}"
        better = await _asked(briefs[pair.task], pictures[::-1] if swapped else pictures, judge, path, seed)
        said[number, turn] = {"1": "2", "2": "1"}.get(better or "", better) if swapped else better

    asked = [n for n, (_, first, second) in enumerate(pairs) if first and second and first != second]
    looks = [(n, turn) for turn in (0, 1) for n in asked]
    looks.sort(key=lambda look: derive_seed(seed, str(look)))  # the two of a pair lie apart
    at_most = max(1, len(looks)) if judge.info.name == "inbox" else workers
    await at_once(at_most, [partial(look, *one) for one in looks])
    return [_judged(*pair, [said[n, turn] for turn in (0, 1) if n in asked]) for n, pair in enumerate(pairs)]


def _pairs(trials: Sequence[Trial], briefs: dict[str, str], out: Path) -> Iterator[tuple[Judged, bytes, bytes]]:
    """The pairs with their pictures; empty for what was not delivered."""
    arms, tasks = list(dict.fromkeys(trial.arm for trial in trials)), list(briefs)
    first = LOOP if LOOP in arms else arms[-1]
    shown = {(t.arm, t.task, t.repeat): (evidence_of(out / t.run) if t.run else BLANK).picture for t in trials}
    for (arm, task, repeat), picture in shown.items():
        if arm != first:
            yield (
                Judged(task=task, repeat=repeat, first=first, second=arm, better="same"),
                shown[first, task, repeat],
                picture,
            )
        elif repeat == 0 and picture:
            other = shown[first, tasks[(tasks.index(task) + 1) % len(tasks)], 0]
            pair = Judged(task=task, repeat=repeat, first=first, second="blank", better="same")
            yield pair, picture, _blank(picture)
            if other and other != picture:
                yield pair.model_copy(update={"second": "unrelated"}), picture, other


def _blank(picture: bytes) -> bytes:
    """A white picture of the same size."""
    from PIL import Image

    with Image.open(io.BytesIO(picture)) as image:
        blank = io.BytesIO()
        Image.new("RGB", image.size, "white").save(blank, "png")
        return blank.getvalue()


def _judged(pair: Judged, first: bytes, second: bytes, said: Sequence[str | None]) -> Judged:
    """The verdict of two looks at a pair, if they agree; without looks, whoever delivered a picture is better."""
    if not said:
        better = "same" if bool(first) == bool(second) else "first" if first else "second"
        return pair.model_copy(update={"asked": False, "better": better})
    agreed = said[0] if said[0] == said[1] else None
    return pair.model_copy(
        update={
            "better": {"1": "first", "2": "second"}.get(agreed or "", "same"),
            "flipped": set(said) == {"1", "2"},
            "unread": said.count(None),
        }
    )


async def _asked(brief: str, pictures: Sequence[bytes], judge: Model, path: str, seed: int) -> str | None:
    """One look at two pictures; None where the reply cannot be read."""
    words = f"The brief:\n\n{brief}\n\nPicture 1 comes first, picture 2 second. Which one is better?"
    request = Request(
        kind="bench.judge",
        path=path,
        inputs={"brief": brief},
        messages=(Message(role="system", text=SYSTEM), Message(role="user", text=words)),
        output_schema=Preference.model_json_schema(),
        pictures=tuple(Picture(name=f"{n}.png", png=png) for n, png in enumerate(pictures, start=1)),
        seed=derive_seed(seed, path),
    )
    reply = await judge.ask(request)
    try:
        return reply_as(Preference, reply.text, "judgement").better
    except FormatError:
        return None
