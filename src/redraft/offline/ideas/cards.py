"""Idea cards by rule: each with a layout, a palette, a medium and a mood of its own, and with other company."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from string import ascii_uppercase
from typing import TypeVar

from redraft.offline.ideas.request import Wanted, read_nouns, read_wanted
from redraft.offline.ideas.scene import Scene, allowed, scene
from redraft.offline.ideas.words import Layout, Palette, layouts, listed, listed_for, palettes
from redraft.scoring.cards import IdeaCard

__all__ = ["avoided_in", "idea_cards", "theme_sentence"]

T = TypeVar("T")

LONGEST = 1_000
"""Characters of a request that a card repeats."""
SUBJECT = 110
AGAIN = 5
"""So often another scene is sought, when two cards would show the same."""
_AVOID = re.compile(r"\b(?:avoid|no|without|nothing)\b:?\s*(.*)", re.IGNORECASE)


def idea_cards(
    concepts: Sequence[str], instruction: str, made: str, hints: str, number: int, seed: int
) -> list[IdeaCard]:
    """So many cards. The same arguments give the same cards, another seed gives others."""
    rng = random.Random(seed)  # noqa: S311  taste, not secrets
    wanted = read_wanted([_clean(concept) for concept in concepts], _clean(instruction), made)
    avoided = avoided_in(hints)
    cards: list[IdeaCard] = []
    deals = _Deals(made, number, rng, avoided, hints)
    for k in range(number):
        cards.append(_card(ascii_uppercase[k], wanted, deals, k, cards))
    return cards


class _Deals:
    """For each card its own layout, palettes, view, mediums, moods and light, as far as there are enough of them."""

    def __init__(self, made: str, number: int, rng: random.Random, avoided: Sequence[str], hints: str) -> None:
        self.rng, self.avoided, self.board = rng, avoided, "board" in made.lower().split()
        plain = [(layout, says) for layout in layouts() for says in layout.says if allowed(says, avoided)]
        self.layouts: list[tuple[Layout, str]] = _dealt(plain, number, rng)
        hues = [palette for palette in palettes() if allowed(palette.says, avoided)] or palettes()
        self.palettes: list[tuple[Palette, Palette]] = _paired(hues, number, rng)
        self.views = _dealt(_free(listed("views"), avoided), number, rng)
        self.mediums = _paired(_free(listed_for("mediums", made), avoided), number, rng)
        self.moods = _paired(_fitting(_free(listed_for("moods", made), avoided), hints), number, rng)
        self.lights = _dealt(_free(listed("lights"), avoided), number, rng)
        self.spoils = _dealt(listed("spoils"), number, rng)


def _free(entries: Sequence[str], avoided: Sequence[str]) -> Sequence[str]:
    """Those in which nothing to be avoided stands; all, when none is left."""
    return [entry for entry in entries if allowed(entry, avoided)] or entries


def _fitting(moods: Sequence[str], hints: str) -> list[str]:
    """Those that the summary of a taste speaks of twice over, so that they come up more often."""
    said = {word for word in re.findall(r"[a-z]+", hints.lower()) if len(word) > 3}
    return [*moods, *(mood for mood in moods if said & set(re.findall(r"[a-z]+", mood)))]


def _dealt(entries: Sequence[T], number: int, rng: random.Random) -> list[T]:
    """So many, shuffled; each once before any comes twice."""
    found: list[T] = []
    while len(found) < number:
        found += rng.sample(list(entries), len(entries))
    return found[:number]


def _paired(entries: Sequence[T], number: int, rng: random.Random) -> list[tuple[T, T]]:
    """Two for each, unlike; the second ones are the first ones of nobody, as far as there are enough."""
    dealt = _dealt(entries, 2 * number, rng)
    firsts, seconds = dealt[:number], dealt[number:]
    other = [
        next(one for one in (second, *entries) if one != first) for first, second in zip(firsts, seconds, strict=True)
    ]
    return list(zip(firsts, other, strict=True))


def _card(id_: str, wanted: Wanted, deals: _Deals, k: int, others: Sequence[IdeaCard]) -> IdeaCard:
    layout, says = deals.layouts[k]
    seen = _scene(wanted, layout, deals, k, others)
    moods = list(dict.fromkeys((*_own_mood(wanted, deals), *deals.moods[k])))[:3]
    options = {
        "composition": (says, deals.views[k]),
        "palette": tuple(palette.says for palette in deals.palettes[k]),
        "medium": deals.mediums[k],
        "mood": tuple(moods),
    }
    if deals.board:
        options |= _of_board(deals)
    told = [seen.sentence, theme_sentence(wanted.themes), *([] if deals.board else [deals.lights[k]])]
    return IdeaCard(
        id=id_,
        hook=_hook(wanted, seen, options["mood"][0], options["composition"][0], deals),
        narrative=" ".join(part for part in told if part),
        options=options,
        avoid=() if deals.board else tuple(dict.fromkeys((deals.spoils[k], *deals.avoided)))[:12],
    )


def _scene(wanted: Wanted, layout: Layout, deals: _Deals, k: int, others: Sequence[IdeaCard]) -> Scene:
    """A scene that no other card shows, as far as there is one."""
    seen = scene(wanted, layout, deals.palettes[k][0], deals.rng, deals.avoided)
    for _ in range(AGAIN):
        if not any(card.narrative.startswith(seen.sentence) for card in others):
            break
        seen = scene(wanted, layout, deals.rng.choice(palettes()), deals.rng, deals.avoided)
    return seen


def _of_board(deals: _Deals) -> dict[str, tuple[str, ...]]:
    return {name: tuple(deals.rng.sample(listed("board", name), 2)) for name in ("composition", "palette", "mood")}


def _own_mood(wanted: Wanted, deals: _Deals) -> list[str]:
    """A mood that the words of the request bring, every other time."""
    moods = [mood for theme in wanted.known for mood in theme.moods if allowed(mood, deals.avoided)]
    return [deals.rng.choice(moods)] if moods and deals.rng.random() < 0.5 else []


def _hook(wanted: Wanted, seen: Scene, mood: str, says: str, deals: _Deals) -> str:
    subject = _subject(wanted) or seen.sentence.rstrip(".")
    company = _joined(seen.companions)
    if wanted.fixed:
        said = f"{subject}, {says}"
    else:
        template = deals.rng.choice(listed("hooks" if company else "hooks_alone"))
        said = template.format(subject=subject, company=company, mood=mood)
    return f"{said[:1].upper()}{said[1:]}."


def _subject(wanted: Wanted) -> str:
    """What it is about, short, as one piece of a sentence."""
    weather = "".join(f" in {theme.article} {theme.word}" for theme in wanted.weather)
    said = _joined((*wanted.things, *wanted.scenery)) + weather
    whole = wanted.instruction or _joined([part for part in (said.strip(), *wanted.themes) if part])
    plain = re.sub(r"[.!?:;]+(?=\s|$)", ",", whole).strip(" ,")
    plain = plain if len(plain) <= SUBJECT else f"{plain[:SUBJECT].rsplit(' ', 1)[0]} …"
    return plain[:1].lower() + plain[1:] if plain[1:2].islower() or plain[1:2] == " " else plain


def _joined(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), *parts[-1:])))


def theme_sentence(themes: Sequence[str]) -> str:
    """What the picture is about and cannot be drawn, in a sentence that names nothing to draw."""
    said = [theme if _is_plain(theme) else f'"{theme.replace(chr(34), "")}"' for theme in themes]
    return f"The theme is {_joined(said)}." if said else ""


def _is_plain(theme: str) -> bool:
    """A word that no drawing would take for a thing; others stand in quotation marks."""
    return re.fullmatch(r"[a-z-]+", theme) is not None and not read_nouns(f"The theme is {theme}.")


def avoided_in(hints: str) -> list[str]:
    """What a summary of a taste says to avoid."""
    found: list[str] = []
    for line in hints.splitlines():
        told = _AVOID.search(line) or re.match(r"Dislikes (.*)", line)
        if told:
            found += [" ".join(part.split())[:120] for part in re.split(r"[,;.]", told.group(1)) if part.strip()]
    return list(dict.fromkeys(found))[:10]


def _clean(text: str) -> str:
    """Printable, on one line, and no longer than a card can repeat."""
    plain = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return plain if len(plain) <= LONGEST else plain[:LONGEST].rsplit(" ", 1)[0] + " …"
