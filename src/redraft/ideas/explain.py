"""The arithmetic of a finished selection, in lines that a person can check with a pencil.

Every figure is worked out again from what is recorded before it, so that one changed number is one difference.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate

from rich.cells import cell_len, chop_cells, set_cell_size

from redraft.errors import SelectionError
from redraft.ideas.scores import aggregated
from redraft.ideas.selection import Row, Scoring, Selection, pool_of, select, weights_of


def columns(rows: Sequence[Sequence[str]], left: int) -> list[str]:
    """Rows of cells as lines; the first `left` columns are set to the left, the others to the right."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return ["  ".join(_cell(text, widths[at], at < left) for at, text in enumerate(row)) for row in rows]


def _cell(text: str, width: int, to_left: bool) -> str:
    room = " " * (width - cell_len(text))
    return text + room if to_left else room + text


def fitted(line: str, width: int) -> str:
    """A line that takes at most so many columns, with … where it was cut."""
    return line.rstrip() if cell_len(line) <= width else set_cell_size(line, width - 1).rstrip() + "…"


def number(value: float, digits: int = 2) -> str:
    """A figure with at most so many digits behind the point, without zeros that say nothing."""
    text = f"{value:.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def figures(values: Sequence[float]) -> list[str]:
    """A column of figures, all with two digits behind the point or, where all are whole, none."""
    digits = 0 if all(value == round(value) for value in values) else 2
    return [f"{value:.{digits}f}" for value in values]


def plain(text: str) -> str:
    """A text in one line, without control characters."""
    return "".join(c if c.isprintable() else "?" for c in " ".join(text.split()))


def wrapped(text: str, width: int) -> list[str]:
    """A text in lines of at most so many columns, broken at spaces; a word that is longer is cut."""
    lines = [""]
    words = text.split(" ")
    for word in (piece for one in words for piece in ([one] if cell_len(one) <= width else chop_cells(one, width))):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if cell_len(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def differences(scoring: Scoring) -> list[str]:
    """Return recorded values that differ from the arithmetic, with both; empty when all agree."""
    return [
        *_in_cards(scoring),
        *_in_scores(scoring),
        *_in_penalties(scoring),
        *(problem for row in scoring.score_table for problem in _in_row(row)),
        *_in_choice(scoring),
    ]


def _in_cards(scoring: Scoring) -> Iterator[str]:
    cards, rows = [card.id for card in scoring.cards], [row.id for row in scoring.score_table]
    if cards != rows:
        yield f"the cards are {', '.join(cards)}; the table has {', '.join(rows)}"


def _in_scores(scoring: Scoring) -> Iterator[str]:
    try:
        scores = _scores(scoring)
    except SelectionError as error:
        yield str(error)
        return
    for row in scoring.score_table:
        if row.id not in scores:
            yield f"{row.id} is in the table, and no judge scored it"
        elif not _same(row.score, scores[row.id]):
            yield f"the score of {row.id} is recorded as {row.score:g}; the judges' numbers give {scores[row.id]:g}"


def _scores(scoring: Scoring) -> Mapping[str, float]:
    settings = scoring.config_snapshot
    return aggregated(scoring.judges, settings.judges, settings.aggregate)


def _in_penalties(scoring: Scoring) -> Iterator[str]:
    most = scoring.config_snapshot.novelty.max_penalty if scoring.novelty.enabled else 0.0
    for row in scoring.score_table:
        if not 0 <= row.penalty <= most:
            reason = "at most as configured" if scoring.novelty.enabled else "for novelty is off"
            yield f"the penalty of {row.id} is recorded as {row.penalty:g}; it can be {most:g} {reason}"


def _in_row(row: Row) -> Iterator[str]:
    adjusted = max(0.0, row.score - row.penalty)
    if not _same(row.adjusted_score, adjusted):
        yield (
            f"the adjusted score of {row.id} is recorded as {row.adjusted_score:g}; "
            f"{row.score:g} − {row.penalty:g} gives {adjusted:g}"
        )


def _in_choice(scoring: Scoring) -> Iterator[str]:
    rate = scoring.config_snapshot.exploration_rate
    if scoring.exploration_rate != rate:
        yield f"exploration_rate is recorded as {scoring.exploration_rate:g}; the configuration has {rate:g}"
    try:
        again = _chosen_again(scoring)
    except SelectionError as error:
        yield str(error)
        return
    for field in ("exploration_roll", "selection_mode", "pool", "selected_id", "selected_score"):
        recorded, found = getattr(scoring, field), getattr(again, field)
        if recorded != found:
            yield f"{field} is recorded as {_shown(recorded)}; seed {scoring.seed} and the table give {_shown(found)}"


def _chosen_again(scoring: Scoring) -> Selection:
    """The choice, from the adjusted scores as recorded."""
    table = scoring.score_table
    again = select(
        {row.id: row.adjusted_score for row in table},
        exploration_rate=scoring.exploration_rate,
        rng=random.Random(scoring.seed),  # noqa: S311  a choice among ideas, not a secret
    )
    judged = next(row.score for row in table if row.id == again.selected_id)
    return again.model_copy(update={"selected_score": judged})


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=0.0, abs_tol=1e-9)


def _shown(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)  # pyright: ignore


WIDTH = 96
"""Columns of a terminal that lines may take."""
_HEAD = 10
_KEPT = "\N{NO-BREAK SPACE}"
"""A space at which a line is not broken."""
_LONGEST_NAME = 8
"""Of a judge at the head of a column; longer ones are numbered."""


def explained(scoring: Scoring) -> list[str]:
    """The judges' scores, the aggregate, each penalty, the roll against the rate, the pool with its weights, the draw,
    and the card that won; the arithmetic is done again from what is recorded, and a difference is said."""
    if not scoring.score_table:
        return ["The record has no table of scores, so the choice cannot be explained."]
    return [
        *_winner(scoring),
        "",
        *_table(scoring),
        "",
        *_headed("Score", _of_scores(scoring)),
        *_headed("Penalty", _of_novelty(scoring)),
        *_headed("Adjusted", "score − penalty, at least 0"),
        *_headed("Roll", _of_roll(scoring)),
        *_headed("Pool", _of_pool(scoring)),
        *(_headed("Weights", _of_weights(scoring)) if _explores(scoring) else ()),
        *(_headed("Draw", _of_draw(scoring)) if _explores(scoring) else ()),
        *_headed("Selected", f"{plain(scoring.selected_id)}, {scoring.selection_mode}"),
        "",
        *_verdict(differences(scoring)),
    ]


def _headed(head: str, text: str) -> list[str]:
    first, *more = wrapped(text, WIDTH - _HEAD)
    lines = [f"{head:<{_HEAD}}{first}", *(" " * _HEAD + line for line in more)]
    return [line.replace(_KEPT, " ") for line in lines]


def _winner(scoring: Scoring) -> list[str]:
    hooks = {card.id: card.hook for card in scoring.cards}
    hook = plain(hooks.get(scoring.selected_id, "no such card"))
    first, *more = wrapped(f"Idea {plain(scoring.selected_id)}: {hook}", WIDTH - 2)
    return [first, *(f"  {line}" for line in more)]


def _table(scoring: Scoring) -> list[str]:
    """A line for each card: what the judges said, what was taken off, its place, and the idea."""
    rows = scoring.score_table
    judges = list(scoring.judges) if len(scoring.judges) > 1 else []
    places = {row.id: str(at) for at, row in enumerate(sorted(rows, key=lambda row: -row.adjusted_score), start=1)}
    hooks = {card.id: card.hook for card in scoring.cards}
    filled = {
        "": ["→" if row.id == scoring.selected_id else "" for row in rows],
        "card": [plain(row.id) for row in rows],
        **{
            head: [str(scoring.judges[judge].get(row.id, "–")) for row in rows]
            for head, judge in zip(_judge_heads(judges), judges, strict=True)
        },
        scoring.config_snapshot.aggregate if judges else "score": figures([row.score for row in rows]),
        "penalty": figures([row.penalty for row in rows]),
        "adjusted": figures([row.adjusted_score for row in rows]),
        "place": [places[row.id] for row in rows],
    }
    lines = columns([list(filled), *zip(*filled.values(), strict=True)], left=2)
    said = ["idea", *(plain(hooks.get(row.id, "(no such card)")) for row in rows)]
    return [fitted(f"{line}  {hook}", WIDTH) for line, hook in zip(lines, said, strict=True)]


def _judge_heads(judges: Sequence[str]) -> list[str]:
    if all(len(name) <= _LONGEST_NAME for name in judges) and len(judges) <= 4:
        return list(judges)
    return [f"j{at}" for at in range(1, len(judges) + 1)]


def _of_scores(scoring: Scoring) -> str:
    settings = scoring.config_snapshot
    if not settings.judges:
        return "the numbers of the one judge"
    heads = dict(zip(scoring.judges, _judge_heads(list(scoring.judges)), strict=True))
    weighs = settings.aggregate == "mean"
    terms = [
        (f"{heads[judge.name]} = {judge.name}" if heads.get(judge.name, judge.name) != judge.name else judge.name)
        + (f" × {number(judge.weight)}" if weighs else "")
        for judge in settings.judges
    ]
    terms = [one.replace(" ", _KEPT) for one in terms]
    total = f", divided by {number(math.fsum(judge.weight for judge in settings.judges))}" if weighs else ""
    return f"the {settings.aggregate} of {', '.join(terms)}{total}"


def _of_novelty(scoring: Scoring) -> str:
    novelty, settings = scoring.novelty, scoring.config_snapshot.novelty
    if not novelty.enabled:
        return f"none: {plain(novelty.off_because) or 'novelty is off'}"
    many = f"{novelty.prompts} recent prompt{'' if novelty.prompts == 1 else 's'}"
    motifs = ", ".join(f"{plain(motif.term)} in {motif.prompts}" for motif in novelty.motifs[:6])
    more = f" and {len(novelty.motifs) - 6} more" if len(novelty.motifs) > 6 else ""
    seen = f"overused in {many}: {motifs}{more}" if motifs else f"no words are overused in {many}"
    return f"0 to {number(settings.max_penalty)} points; {seen}"


def _of_roll(scoring: Scoring) -> str:
    roll, rate = random.Random(scoring.seed).random(), scoring.exploration_rate  # noqa: S311  an idea, not a secret
    sign, mode = ("<", "explore: draw from the top quartile") if roll < rate else ("≥", "exploit: take the best")
    return f"{roll:.6f} with seed {scoring.seed}, {sign} {number(rate)} (exploration_rate), so {mode}"


def _of_pool(scoring: Scoring) -> str:
    explores = _explores(scoring)
    ids = ", ".join(plain(row.id) for row in pool_of(scoring.score_table, explores=explores))
    if not explores:
        return f"{ids}, the best adjusted score, the earliest of equals"
    many = len(scoring.score_table)
    return f"{ids}: the first max(2, ⌈{many} / 4⌉) of {many} by adjusted score"


def _of_weights(scoring: Scoring) -> str:
    pool = pool_of(scoring.score_table, explores=True)
    total = math.fsum(row.adjusted_score for row in pool)
    if not total:
        return f"all adjusted scores are 0, so {number(1 / len(pool), 4)} each"
    shares = zip(pool, weights_of(pool), strict=True)
    return ", ".join(
        f"{plain(row.id)} {number(row.adjusted_score)} / {number(total)} = {number(weight, 4)}"
        for row, weight in shares
    )


def _of_draw(scoring: Scoring) -> str:
    rng = random.Random(scoring.seed)  # noqa: S311
    rng.random()
    draw = rng.random()
    pool = pool_of(scoring.score_table, explores=True)
    start = 0.0
    for row, end in zip(pool, accumulate(weights_of(pool)), strict=True):
        if draw < end or row is pool[-1]:
            share = f"[{number(start, 4)}, {number(end, 4)})"
            return f"{draw:.6f}, the next number of the same seed, is in {share}, the share of {plain(row.id)}"
        start = end
    raise AssertionError("a pool is never empty")


def _verdict(problems: Sequence[str]) -> list[str]:
    if not problems:
        return ["Recomputed from the record: the same choice."]
    listed = [(at, line) for problem in problems for at, line in enumerate(wrapped(plain(problem), WIDTH - 4))]
    return ["The record is inconsistent:", *(("    " if at else "  - ") + line for at, line in listed)]


def _explores(scoring: Scoring) -> bool:
    return scoring.exploration_roll < scoring.exploration_rate
