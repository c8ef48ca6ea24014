"""Choices of ideas made by hand, and image runs around them, written event by event as the loop writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lighthouse import painted
from pydantic import JsonValue
from run_writer import RunWriter

from redraft.files import write_atomic
from redraft.ideas.cards import IdeaCard
from redraft.ideas.novelty import Motif
from redraft.ideas.selection import NoveltyUsed, Row, Scoring
from redraft.ideas.settings import JudgeSettings, ScoringSettings
from redraft.record.events import EffectFinished, EffectStarted, Noted
from redraft.result import Report

Given = Mapping[str, tuple[float, float]]
"""Score and penalty by card."""

LETTERS = "ABCDEF"
HOOKS = (
    "A clock tower keeps the light, and the storm keeps the time.",
    "The lamp room is a watch opened at the back, and rain runs through the works.",
    "A keeper winds the lighthouse up by hand before the squall comes.",
    "Waves are gears; one tooth is missing, and the sea limps.",
    "The beam is the second hand of a sunken clock.",
    "A toy lighthouse on a workbench, the storm in a jar beside it.",
)
LAYOUTS = (
    ("wide, low horizon", "tower off-centre left"),
    ("close, from inside", "seen through the glass"),
    ("small figure at the foot", "diagonal of the rope"),
    ("flat frieze", "repeating bands"),
    ("from above", "circular, the light at its centre"),
    ("still life, eye level", "two objects, a gap between"),
)
PALETTES = (
    ("slate and pale gold", "navy against cream"),
    ("brass, deep teal", "sepia with one cold blue"),
    ("rust and bone white", "dark blue, lamp yellow"),
    ("sea green, black", "two inks: indigo and orange"),
    ("midnight blue, white", "grey, one amber point"),
    ("wood and mint", "chalk colours"),
)
MEDIA = ("gouache", "cyanotype", "woodcut", "screen print", "etching", "oil on board")
MOODS = ("watchful", "tense, dry", "patient", "wry", "still", "tender")
SCORES: Given = {"A": (74, 0.0), "B": (81, 6.5), "C": (78, 0.0), "D": (52, 0.0), "E": (66, 12.0), "F": (70, 1.5)}


def card(letter: str, **changes: object) -> IdeaCard:
    """One of the six cards about a lighthouse."""
    n = LETTERS.index(letter)
    fields: dict[str, object] = {
        "id": letter,
        "hook": HOOKS[n],
        "narrative": f"{HOOKS[n]} What turns in the picture turns for a reason: the wheel, the lamp, the weather. "
        "The eye arrives at the light last, by way of the machinery that feeds it.",
        "options": {
            "composition": LAYOUTS[n],
            "palette": PALETTES[n],
            "medium": (MEDIA[n],),
            "mood": (MOODS[n], "unsentimental"),
        },
        "avoid": ("sunset glow",) if n % 2 else (),
    }
    return IdeaCard.model_validate({**fields, **changes})


def scoring(
    given: Given = SCORES,
    *,
    selected: str = "C",
    roll: float = 0.6213,
    rate: float = 0.15,
    mode: str = "exploit",
    pool: Sequence[str] = ("C",),
    **changes: Any,
) -> Scoring:
    """A choice that holds together: C has the best adjusted score, for novelty takes from B."""
    rows = [
        Row(id=letter, score=score, penalty=lost, adjusted_score=max(0.0, score - lost))
        for letter, (score, lost) in given.items()
    ]
    fields: dict[str, object] = {
        "selected_id": selected,
        "selected_score": given[selected][0],
        "exploration_rate": rate,
        "exploration_roll": roll,
        "selection_mode": mode,
        "score_table": tuple(rows),
        "pool": tuple(pool),
        "seed": 1_403_117,
        "config_snapshot": ScoringSettings(enabled=True, exploration_rate=rate),
        "judges": {"judge": {letter: round(score) for letter, (score, _) in given.items()}},
        "novelty": NoveltyUsed(
            enabled=True,
            prompts=25,
            motifs=tuple(Motif(term=term, prompts=n) for term, n in (("golden hour", 11), ("storm", 9), ("gears", 4))),
        ),
        "generator_profile_hints": "Prefers quiet, handmade-looking work with one clear idea; avoid horror and gloss.",
        "cards": tuple(card(letter) for letter in given),
    }
    return Scoring.model_validate({**fields, **changes})


def explored(**changes: Any) -> Scoring:
    """The roll fell below the rate: B and C are the top quartile, and B was drawn."""
    return scoring(selected="B", roll=0.0713, mode="explore", pool=("C", "B"), **changes)


def jury(given: Given = SCORES, **changes: Any) -> Scoring:
    """Three judges with weights; the mean counts."""
    names = (("taste", 2.0), ("strict", 1.0), ("novelty_heavy", 1.0))
    opinions = {
        "taste": {"A": 72, "B": 88, "C": 84, "D": 48, "E": 70, "F": 78},
        "strict": {"A": 70, "B": 74, "C": 70, "D": 45, "E": 52, "F": 60},
        "novelty_heavy": {"A": 82, "B": 74, "C": 74, "D": 67, "E": 72, "F": 64},
    }
    snapshot = ScoringSettings(
        enabled=True,
        judges=tuple(JudgeSettings(name=name, weight=weight) for name, weight in names),
    )
    return scoring(given, judges=opinions, config_snapshot=snapshot, **changes)


PROMPT = (
    "A keeper in an oilskin winds a lighthouse by a brass crank before the squall; woodcut, rust and bone white, a "
    "small figure at the foot of the tower, the rope a long diagonal, gears showing through the stonework, patient."
)


def image_run(
    writer: RunWriter,
    *,
    concepts: Sequence[str] = ("lighthouse", "storm", "clockwork"),
    prompt: str = PROMPT,
    chosen: Scoring | JsonValue = None,
    picture: bytes | None = None,
    backend: str = "sketch",
    cost: float | None = 0.0,
    seed: int = 7,
    **changes: Any,
) -> None:
    """A finished run of the image studio, with or without a choice of ideas."""
    begin(writer, concepts, chosen=chosen, seed=seed, **changes)
    path = "iteration-1/draft"
    writer.call(f"{path}/prompt_pipeline/dalle_prompt_creation", "Write the prompt.", prompt, kind="image.prompt")
    effect(writer, f"{path}/execute", {"prompt": prompt})
    writer.attempted(path, approach="One idea, one light", summary=f"{len(prompt.split())} words")
    writer.validated("iteration-1/validate-0", Report(), "", picture="", overlay="")
    raw = painted() if picture is None else picture
    write_atomic(writer.folder / "image.png", raw)
    made: dict[str, JsonValue] = {
        "prompt": prompt,
        "picture": "image.png",
        "width": 768,
        "height": 768,
        "backend": backend,
        "cost": cost,
    }
    effect(writer, "iteration-1/finish", made)
    about: dict[str, JsonValue] = {name: made[name] for name in ("backend", "cost", "width", "height")}
    writer.journal.write(Noted(key="iteration-1/finish", at=writer.journal.now, topic="picture", data=about))
    writer.finish(files={"png": "image.png"}, delivered="iteration-1")


def begin(
    writer: RunWriter, concepts: Sequence[str], *, chosen: Scoring | JsonValue = None, seed: int = 7, **changes: Any
) -> None:
    """The start of a run of the image studio, up to the choice of an idea."""
    fields: dict[str, Any] = {
        "studio": "image",
        "brief": {"instruction": ", ".join(concepts), "on": None, "concepts": list(concepts)},
        "config": {"model": "offline", "seed": seed, "prompt": {"scoring": {"enabled": chosen is not None}}},
        "seed": seed,
    }
    writer.start(**{**fields, **changes})
    if chosen is not None:
        note_choice(writer, chosen)


def note_choice(writer: RunWriter, chosen: Scoring | JsonValue) -> None:
    """Record a choice, or what claims to be one."""
    data = chosen.model_dump(mode="json") if isinstance(chosen, Scoring) else chosen
    topic = "blackbox_scoring"
    writer.journal.write(Noted(key=topic, at=writer.journal.now, topic=topic, data=data))


def effect(writer: RunWriter, key: str, result: JsonValue) -> None:
    """An effect that no model is asked for, with its result."""
    at = writer.journal.now
    writer.journal.write(EffectStarted(key=key, at=at, digest="0" * 16, inputs={"kind": "image.finish"}))
    writer.journal.write(EffectFinished(key=key, at=writer.journal.now, digest="0" * 16, result=result))
