"""Whether the Vendi score of texts counts meanings: against groups that were made by meaning, in NoveltyBench.

    python benchmarks/variety.py [--data DIR] [--draws 2000]

DIR holds `prompts/noveltybench*.jsonl` (or is that folder): a prompt a line with ten generations and `partition`, the
group of each (a sample of NoveltyBench, Zhang et al. 2025, MIT; see `data/prompts/noveltybench.LICENSE`). Printed is,
for each measure, the Spearman correlation with the number of groups over all prompts, its bootstrap interval over
prompts, and the correlation that is left when length (mean words) is taken out: longer answers have more words *and*
more groups. The only parameter, how far a text's later words count, is also chosen on one random half of the prompts
and tried on the other. Exits with 1 when the aim is missed, with 2 without data.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from redraft.metrics.variety import REACH, distinct_n, effective_number, likeness_of_texts, self_bleu, vendi_of_texts
from resampling import Floats, halves, interval, partial, resampled, spearman

DATA = Path(__file__).parent / "data"
AIM = 0.734
"""The best of the simple measures on this sample."""
REACHES = (10.0, 20.0, 50.0, 100.0, 200.0, float("inf"))

Measure = Callable[[Sequence[str]], float]


@dataclass(frozen=True)
class Answers:
    """One prompt: what was answered, and how many meanings that was."""

    prompt: str
    texts: tuple[str, ...]
    groups: int


def answers(lines: Iterable[str]) -> list[Answers]:
    """The prompts of a NoveltyBench file."""
    cases = [json.loads(line) for line in lines if line.strip()]
    return [Answers(case["prompt"], tuple(case["generations"]), len(set(case["partition"]))) for case in cases]


def found(data: Path) -> list[Answers]:
    """All prompts below a folder, in the order of file names."""
    files = sorted({*data.glob("noveltybench*.jsonl"), *data.glob("prompts/noveltybench*.jsonl")})
    return [case for file in files for case in answers(file.read_text(encoding="utf-8").splitlines())]


def counted_cosine(counts: Sequence[Mapping[str, int]]) -> Floats:
    """Plain cosine of counts; a text of nothing is like nothing."""
    columns = {key: place for place, key in enumerate(dict.fromkeys(key for counted in counts for key in counted))}
    rows = np.zeros((len(counts), len(columns)))
    for row, counted in enumerate(counts):
        for key, count in counted.items():
            rows[row, columns[key]] = count
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    alike = rows @ rows.T
    np.fill_diagonal(alike, 1.0)
    return alike


def plain_words(text: str) -> list[str]:
    """Of the simple measures: lower case, runs of letters and digits, signs where there are none."""
    return re.findall(r"\w+", text.lower()) or re.findall(r"\S", text)


def plain_vendi(texts: Sequence[str]) -> float:
    """On word unigrams, as others have it."""
    return effective_number(counted_cosine([Counter(plain_words(text)) for text in texts]))


def letters_vendi(texts: Sequence[str]) -> float:
    """On runs of four characters."""
    return effective_number(counted_cosine([Counter(t[i : i + 4] for i in range(max(1, len(t) - 3))) for t in texts]))


def mean_words(texts: Sequence[str]) -> float:
    return statistics.fmean(len(text.split()) for text in texts)


MEASURES: dict[str, Measure] = {
    "redraft: vendi_of_texts": vendi_of_texts,
    "Vendi, word unigrams": plain_vendi,
    "Vendi, character 4-grams": letters_vendi,
    "distinct-1": lambda texts: distinct_n(texts, 1),
    "distinct-2": lambda texts: distinct_n(texts, 2),
    "1 − self-BLEU": lambda texts: 1 - self_bleu(texts),
    "length alone (words)": mean_words,
}
OURS, PLAIN, LENGTH = "redraft: vendi_of_texts", "Vendi, word unigrams", "length alone (words)"


def table(cases: Sequence[Answers], draws: Sequence[list[int]]) -> float:
    """Print a line for each measure; ours is handed back."""
    groups = np.array([case.groups for case in cases], dtype=np.float64)
    figures = {name: np.array([measure(case.texts) for case in cases]) for name, measure in MEASURES.items()}
    length = figures[LENGTH]
    plain = [spearman(figures[PLAIN][draw], groups[draw]) for draw in draws]
    print(f"{'':26}  Spearman   95 % interval    given length   with length   above unigrams in")
    for name, values in figures.items():
        low, high = interval(lambda draw, v=values: spearman(v[draw], groups[draw]), draws)
        better = [spearman(values[draw], groups[draw]) > base for draw, base in zip(draws, plain, strict=True)]
        left = "        " if name == LENGTH else f"{partial(values, groups, length):8.3f}"
        against = "" if name in (PLAIN, LENGTH) else f"{statistics.fmean(better):4.0%} of draws"
        print(
            f"{name:26}  {spearman(values, groups):8.3f}   {low:.3f} to {high:.3f}   {left}"
            f"       {spearman(values, length):8.3f}   {against:>18}"
        )
    return spearman(figures[OURS], groups)


def reached(cases: Sequence[Answers], reach: float) -> Floats:
    """Our measure with another reach."""
    return np.array([effective_number(likeness_of_texts(case.texts, reach)) for case in cases])


def generalisation(cases: Sequence[Answers], times: int) -> None:
    """Print how the parameter fares when it is chosen on other prompts than it is tried on."""
    groups = np.array([case.groups for case in cases], dtype=np.float64)
    by_reach = {reach: reached(cases, reach) for reach in REACHES}
    plain = np.array([plain_vendi(case.texts) for case in cases])
    print("\nreach (words)   " + "  ".join(f"{reach:>6g}" for reach in REACHES))
    print("Spearman        " + "  ".join(f"{spearman(values, groups):6.3f}" for values in by_reach.values()))
    splits = halves(len(cases), times, 1)
    both = [(a, b) for one, other in splits for a, b in ((one, other), (other, one))]
    best = [max(REACHES, key=lambda r, a=a: spearman(by_reach[r][a], groups[a])) for a, _ in both]
    tried = statistics.fmean(spearman(by_reach[r][b], groups[b]) for r, (_, b) in zip(best, both, strict=True))
    fixed = statistics.fmean(spearman(by_reach[REACH][b], groups[b]) for _, b in both)
    base = statistics.fmean(spearman(plain[b], groups[b]) for _, b in both)
    chosen = ", ".join(f"{reach:g} in {count / len(best):.0%}" for reach, count in Counter(best).most_common(3))
    print(
        f"on the other half, mean of {len(both)} trials: chosen by the one half {tried:.3f} ({chosen}); "
        f"as set ({REACH:g}) {fixed:.3f}; word unigrams {base:.3f}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA, help="folder of the data sets")
    parser.add_argument("--draws", type=int, default=2000, help="bootstrap draws")
    options = parser.parse_args()
    cases = found(options.data)
    if not cases:
        print(f"{options.data} holds no prompts/noveltybench*.jsonl", file=sys.stderr)
        return 2
    assert all(len(case.texts) == len(cases[0].texts) > 1 for case in cases), "prompts have unequal generations"
    sizes = Counter(case.groups for case in cases)
    print(
        f"{len(cases)} prompts, {len(cases[0].texts)} generations each; groups by meaning: "
        + ", ".join(f"{groups} ({count})" for groups, count in sorted(sizes.items()))
    )
    ours = table(cases, resampled(len(cases), options.draws, 0))
    generalisation(cases, max(1, options.draws // 10))
    print(f"\naim, above {AIM}: {ours:.3f}, {'met' if ours > AIM else 'MISSED'}")
    return 0 if ours > AIM else 1


if __name__ == "__main__":
    sys.exit(main())
