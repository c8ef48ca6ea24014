"""Whether choosing ideas blind makes a person's images more varied at equal alignment: redraft's selection against
others, on one fixed pool of candidates.

    python benchmarks/idea_selection.py [--data DIR] [--sessions 24] [--repeats 3] [--seed 0]

DIR holds samples of `geneval/` (djghosh13/geneval, MIT) and `prompts/` with PartiPrompts (Apache-2.0); their licences
lie beside them in `data/`. In a session one person has twenty images made one after the other, of different
briefs; the history is what the selector chose before. All selectors choose from the same cards, scores and final
prompts.

Variety is the Vendi score of a session's final prompts, without the words of their own briefs and cut to equal
numbers of words: of twenty, how many different ones in effect. `content` is the same over words of content alone: the
offline model begins its sentences alike. No selector uses it, though MMR counts words in a like way. Alignment is the
share of what GenEval's prompts state (class, count, colour, position) that a reader of the benchmark's own finds in the
final prompt, and the share of the content words of PartiPrompts. Intervals are over sessions (bootstrap, paired). The
last line chooses by the measure itself: it is no selector but what the pool holds.

Cards, scores and prompts come from redraft's offline model, which is rules and a lexicon. What is measured is the
selection, not how well a language model writes or judges. Exits with 1 when the aim is missed or a choice is not the
same again, with 2 without data.
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from idea_figures import Figures, common_lengths, compared, mean, measured, room, run
from idea_pool import Session, pool, with_faults
from idea_selectors import DEFAULT, SELECTORS, TOP, WINDOW, Redraft
from redraft.ideas.history import COLUMNS, read_recent
from redraft.ideas.novelty import penalty, recent_motifs
from redraft.ideas.selection import select
from resampling import resampled

DATA = Path(__file__).parent / "data"
MMR = "MMR, 0.5 score"
EQUAL = 0.02
"""Of the facts: less than that is no difference in alignment."""
ROWS = 10_000
"""Of the history that reading is timed on."""


def variety_table(found: Mapping[str, Sequence[Figures]], draws: Sequence[list[int]]) -> None:
    print(f"{'':27}{'variety':>8}  {'against top score':26}{'content':>8}  {'against top score':26}distinct-2")
    for name, several in found.items():
        one = mean(several)
        cells = [
            f"{getattr(one, figure):8.2f}  {'' if name == TOP else as_ratio(several, found[TOP], figure, draws):26}"
            for figure in ("variety", "content")
        ]
        print(f"{name:27}{''.join(cells)}{one.distinct_2:10.3f}")


def as_ratio(ours: Sequence[Figures], base: Sequence[Figures], figure: str, draws: Sequence[list[int]]) -> str:
    factor, low, high = compared(ours, base, figure, draws, ratio=True)
    return f"× {factor:.3f} ({low:.3f} to {high:.3f})"


def alignment_table(found: Mapping[str, Sequence[Figures]], draws: Sequence[list[int]]) -> None:
    print(f"\n{'':27}{'facts kept':>10}  {'against top score, points':28}{'words kept':>10}  judge's score")
    for name, several in found.items():
        one = mean(several)
        by, low, high = compared(several, found[TOP], "facts", draws, ratio=False)
        beside = "" if name == TOP else f"{100 * by:+.2f} ({100 * low:+.2f} to {100 * high:+.2f})"
        print(f"{name:27}{one.facts:10.2%}  {beside:28}{one.words:10.2%}  {one.score:13.1f}")


def taste_table(sessions: Sequence[Session], found: Mapping[str, Sequence[Figures]]) -> None:
    """Where a judge favours what somebody likes, the best score is the same thing again and again."""
    names = ("random", TOP, MMR, DEFAULT)
    print(f"\n{'content, by taste':27}" + "".join(f"{name:>26}" for name in names))
    for profile in dict.fromkeys(session.profile for session in sessions):
        places = [n for n, session in enumerate(sessions) if session.profile == profile]
        cells = [statistics.fmean(found[name][n].content for n in places) for name in names]
        print(f"  {profile:25}" + "".join(f"{cell:26.2f}" for cell in cells))


def verdict(found: Mapping[str, Sequence[Figures]], draws: Sequence[list[int]]) -> bool:
    """Whether redraft's default is more varied than the best score, by both measures, and as well aligned."""
    by, low, high = compared(found[DEFAULT], found[TOP], "facts", draws, ratio=False)
    equal = f"{100 * by:+.2f} points ({100 * low:+.2f} to {100 * high:+.2f}), {-100 * EQUAL:g} allowed"
    print(f"\naim, more variety at equal alignment: {DEFAULT} against {TOP}, interval above × 1; alignment {equal}")
    met = [low > -EQUAL]
    for figure, said in (("variety", "all words"), ("content", "content words")):
        factor, least, most = compared(found[DEFAULT], found[TOP], figure, draws, ratio=True)
        met.append(least > 1)
        word = "met" if met[0] and met[-1] else "MISSED"
        print(f"  by {said:14} × {factor:.3f} ({least:.3f} to {most:.3f}): {word}")
    return all(met)


def digest(sessions: Sequence[Session]) -> str:
    """Over the pool and every selector's choices."""
    lines = [f"{c.card.id} {c.score} {c.text}" for s in sessions for slot in s.slots for c in slot.candidates]
    lines += [f"{name} {c.card.id}" for name, choose in SELECTORS.items() for s in sessions for c in run(s, choose, 0)]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def determinism(data: Path, seed: int, times: int = 3) -> bool:
    """The same session made and chosen again in fresh processes with other hash seeds."""
    command = [sys.executable, __file__, "--data", str(data), "--seed", str(seed), "--digest"]
    found = {
        subprocess.run(
            command, env={**os.environ, "PYTHONHASHSEED": str(n)}, check=True, capture_output=True, text=True
        ).stdout
        for n in range(1, times + 1)
    }
    print(f"\ndeterminism: pool and choices of a session, made in {times} processes: {len(found)} different")
    return len(found) == 1


def timed(effect: Callable[[], object], times: int) -> tuple[float, float]:
    """Median and 99th percentile, microseconds."""
    taken: list[float] = []
    for _ in range(times):
        start = time.perf_counter_ns()
        effect()
        taken.append((time.perf_counter_ns() - start) / 1000)
    return statistics.median(taken), statistics.quantiles(taken, n=100)[-1]


def cost(sessions: Sequence[Session]) -> None:
    """Print what the step takes beside two model calls."""
    texts = [candidate.text for session in sessions for slot in session.slots for candidate in slot.candidates[:1]]
    recent, slot = texts[:WINDOW], sessions[-1].slots[-1]
    motifs = recent_motifs(recent, (slot.task.words,))
    scores = {candidate.card.id: candidate.score for candidate in slot.candidates}
    taken = Redraft(novelty=True).weighed(slot, recent).penalties
    rng = random.Random(0)
    with tempfile.TemporaryDirectory() as folder:
        history = Path(folder) / "generations.csv"
        written(history, texts)

        def by_default() -> object:
            now = recent_motifs([row.final_image_prompt for row in read_recent(history, WINDOW)], (slot.task.words,))
            lost = {c.card.id: penalty(c.card, now, 20.0) for c in slot.candidates}
            return select(scores, exploration_rate=0.15, rng=rng, penalties=lost)

        steps: dict[str, tuple[Callable[[], object], int]] = {
            "the step as it is by default": (by_default, 200),
            f"  last {WINDOW} of {ROWS:,} rows": (lambda: read_recent(history, WINDOW), 200),
            f"  motifs of {len(recent)} prompts": (lambda: recent_motifs(recent, (slot.task.words,)), 200),
            "  penalty of 6 cards": (lambda: [penalty(c.card, motifs, 20.0) for c in slot.candidates], 200),
            "  select": (lambda: select(scores, exploration_rate=0.15, rng=rng, penalties=taken), 2000),
        }
        print("\ncost of the selection step, µs       median       p99")
        for name, (effect, times) in steps.items():
            median, late = timed(effect, times)
            print(f"  {name:32}{median:10,.0f}{late:10,.0f}")


def written(path: Path, texts: Sequence[str]) -> None:
    """A history as the image studio keeps it."""
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for n in range(ROWS):
            text = texts[n % len(texts)]
            table.writerow((f"g{n:06}", '["a", "b"]', text, f"{n}/image.png", "2026-11-21T12:00:00+00:00", n))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--sessions", type=int, default=24)
    parser.add_argument("--repeats", type=int, default=3, help="of every choice that has chance in it")
    parser.add_argument("--draws", type=int, default=2000, help="bootstrap draws")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--digest", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    data: Path = options.data
    if not (data / "geneval").is_dir():
        print(f"{data} holds no geneval/ and prompts/", file=sys.stderr)
        return 2
    if options.digest:
        print(digest(pool(data, 1, options.seed)))
        return 0
    start = time.perf_counter()
    sessions = pool(data, options.sessions, options.seed)
    slots = [slot for session in sessions for slot in session.slots]
    assert len(sessions) == options.sessions, f"{len(sessions)} sessions were made, not {options.sessions}"
    assert all(slot.candidates for slot in slots), "a brief has no candidate"
    lengths = common_lengths(sessions)
    briefs = {slot.task.words for slot in slots}
    print(
        f"{len(sessions)} sessions of {len(sessions[0].slots)} images, {len(briefs)} different briefs, "
        f"{sum(len(slot.candidates) for slot in slots):,} candidates; "
        f"final prompts cut to {lengths.all} words ({lengths.content} of content)\n"
        f"cards, scores and prompts: the offline model (rules, no language model); {room(sessions)}\n"
    )
    draws = resampled(len(sessions), options.draws, 0)
    found = measured(sessions, options.repeats, lengths)
    variety_table(found, draws)
    alignment_table(found, draws)
    taste_table(sessions, found)
    forgetful = with_faults(sessions)
    print(f"\nThe same with a stated fact lost in two cards of six; {room(forgetful)}\n")
    found = measured(forgetful, options.repeats, lengths)
    variety_table(found, draws)
    alignment_table(found, draws)
    more = verdict(found, draws)
    same = determinism(data, options.seed)
    cost(sessions)
    print(f"\n{time.perf_counter() - start:.0f} s, seed {options.seed}")
    return 0 if same and more else 1


if __name__ == "__main__":
    sys.exit(main())
