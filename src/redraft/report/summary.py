"""Many runs in a few figures: how varied prompts and pictures are, how often a choice explored, what is repeated.

Figures of variety come from `redraft.metrics.variety`; what cannot be computed here is left out with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from redraft.errors import MissingPartError
from redraft.ideas.selection import NoveltyUsed, Scoring
from redraft.limits import PICTURE, read_file
from redraft.record.transcript import Record, Transcript
from redraft.report.html import Values, figure, money
from redraft.report.ideas import IdeasView, along, ideas_in
from redraft.report.page import Painting, painting_of, status_of
from redraft.report.pictures import inside
from redraft.text import plural

MOTIFS = 10
PICTURES = 200
"""Pictures that are compared with each other; the newest of more."""


@dataclass(frozen=True)
class Figure:
    """A number, what it is of, and what it means."""

    name: str
    value: str
    of: str
    """Beside the number: `of 12`."""
    meaning: str


@dataclass(frozen=True)
class Made:
    """One run."""

    run: Record
    title: str
    """Its concepts, else what was asked."""
    prompt: str
    """The final prompt for an image model; empty in other studios, and until there is one."""
    painting: Painting | None
    ideas: IdeasView | None
    trouble: str
    """The reason that the choice of an idea cannot be shown."""
    status: str
    """`valid`, `invalid`, `incomplete`, `unchecked`, `ended` or `unfinished`."""
    anchor: str = ""
    """On a page of several."""

    @property
    def transcript(self) -> Transcript:
        return self.run.transcript

    @property
    def text(self) -> str:
        """Return the text of a run to compare with others: its prompt, else its chosen idea."""
        if self.prompt or self.ideas is None:
            return self.prompt
        return f"{self.ideas.chosen.hook.text} {self.ideas.chosen.narrative.text}"

    @property
    def pictures(self) -> tuple[str, ...]:
        """Names of what may stand for it in the run folder, the best first."""
        files = self.transcript.files
        looked_at = [v.picture for turn in self.transcript.turns for v in turn.validations]
        painted = self.painting.picture if self.painting else ""
        return tuple(filter(None, (files.get("png", ""), files.get("svg", ""), painted, *reversed(looked_at))))


def made_of(run: Record, anchor: str = "") -> Made:
    """Return the view of one run at this anchor of a page."""
    transcript = run.transcript
    listed = transcript.brief.get("concepts")
    concepts = tuple(map(str, listed)) if isinstance(listed, list) else ()
    painting = painting_of(transcript, run.events)
    ideas, trouble = ideas_in(transcript.blackbox_scoring)
    return Made(
        run=run,
        title=", ".join(concepts) or str(transcript.brief.get("instruction", "")) or transcript.run,
        prompt=painting.prompt if painting else "",
        painting=painting,
        ideas=ideas,
        trouble=trouble,
        status=status_of(transcript),
        anchor=anchor,
    )


def summary_of(runs: Sequence[Made]) -> Values:
    """The summary of runs, newest first: `lead`, `figures`, what they are `about`, `rolls`, `motifs`, and what is
    `missing`, with the reason."""
    texts = [made.text for made in runs if made.text]
    figures, missing = _variety_figures(texts)
    alike, without = _pictures_figure(runs)
    chosen = [made.ideas.scoring for made in runs if made.ideas]
    counted = next((choice.novelty for choice in chosen if choice.novelty.motifs), NoveltyUsed(enabled=False))
    motifs = [
        {"term": one.term, "prompts": one.prompts, "share": _share(one.prompts, counted.prompts)}
        for one in counted.motifs[:MOTIFS]
    ]
    return {
        "lead": _lead(runs, chosen),
        "figures": (*figures, *alike, *_explored(chosen), *_cost(runs)),
        "about": _about(runs, texts),
        "rolls": _rolls(runs),
        "motifs": motifs,
        "motifs_of": counted.prompts,
        "missing": [reason for reason in (missing, without) if reason],
    }


def _lead(runs: Sequence[Made], chosen: Sequence[Scoring]) -> str:
    pictures = sum(bool(made.pictures) for made in runs)
    ended = sum(made.status == "ended" for made in runs)
    unfinished = sum(made.status == "unfinished" for made in runs)
    parts = [plural(pictures, "picture")]
    parts += [f"{plural(ended, 'run')} ended early"] if ended else []
    parts += [f"{plural(unfinished, 'run')} {'is' if unfinished == 1 else 'are'} not finished"] if unfinished else []
    said = f"{'; '.join(parts)}."
    if not chosen:
        return f"{said} No ideas were made beforehand."
    explored = sum(choice.selection_mode == "explore" for choice in chosen)
    how = f"the best was taken {_times(len(chosen) - explored)}, the top quartile was drawn from {_times(explored)}"
    return f"{said} In {plural(len(chosen), 'run')} an idea was chosen blind: {how}."


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")


def _variety_figures(texts: Sequence[str]) -> tuple[tuple[Figure, ...], str]:
    """Return the variety of some texts, or the reason that it is unknown; nothing for fewer than two."""
    if len(texts) < 2:
        return (), ""
    try:
        from redraft.metrics.variety import variety_of

        found = variety_of(texts)
    except MissingPartError as error:
        return (), str(error)
    return (
        Figure("Different in effect", f"{found.vendi:.1f}", f"of {found.texts}", "Vendi score: 1 if all were alike"),
        Figure("Different words", f"{found.distinct_1:.2f}", "", "distinct-1: share of all words, less in long texts"),
        Figure("Different pairs", f"{found.distinct_2:.2f}", "", "distinct-2: the same of pairs of words"),
        Figure("Likeness", f"{found.self_bleu:.2f}", "", "self-BLEU: lower is more varied"),
        Figure("Words in each", f"{found.words:.0f}", "", "the mean; sets of other lengths do not compare"),
    ), ""


def _pictures_figure(runs: Sequence[Made]) -> tuple[tuple[Figure, ...], str]:
    found = [_png_of(made) for made in runs[:PICTURES]]
    pngs = [read_file(path, PICTURE) for path in found if path]
    if len(pngs) < 2:
        return (), ""
    try:
        from redraft.metrics.variety import vendi_of_pictures

        value = vendi_of_pictures(pngs)
    except MissingPartError as error:
        return (), str(error)
    except ValueError as error:
        return (), f"The variety of the pictures is not known: {error}"
    meaning = "Vendi score of colors and edges" + ("; the newest alone" if len(runs) > PICTURES else "")
    return (Figure("Pictures, in effect", f"{value:.1f}", f"of {len(pngs)}", meaning),), ""


def _png_of(made: Made) -> Path | None:
    return next((p for n in made.pictures if n.endswith(".png") and (p := inside(made.run.folder, n))), None)


def _explored(chosen: Sequence[Scoring]) -> list[Figure]:
    if not chosen:
        return []
    explored = sum(choice.selection_mode == "explore" for choice in chosen)
    expected = sum(choice.exploration_rate for choice in chosen)
    share = f"{100 * explored / len(chosen):.0f} %"
    meaning = f"expected from the rates: {figure(round(expected, 2))}"
    return [Figure("Explored", share, f"{explored} of {len(chosen)}", meaning)]


def _cost(runs: Sequence[Made]) -> list[Figure]:
    known = [made.transcript.usage.cost for made in runs]
    unknown = sum(cost is None for cost in known)
    total = sum(cost for cost in known if cost is not None)
    if unknown == len(known):
        return [Figure("Cost", "unknown", "", "no run has a known price for everything it used")]
    beside = f"without {plural(unknown, 'run')} whose price is not known" if unknown else "model calls and pictures"
    return [Figure("Cost", money(total), "", beside)]


def _about(runs: Sequence[Made], texts: Sequence[str]) -> str:
    if len(texts) < 2:
        return ""
    prompts = sum(bool(made.prompt) for made in runs)
    if prompts == len(texts):
        return f"Variety is that of {prompts} final prompts."
    if not prompts:
        return f"Variety is that of the {len(texts)} ideas that were chosen."
    return f"Variety is that of {prompts} final prompts and {plural(len(texts) - prompts, 'chosen idea')}."


def _rolls(runs: Sequence[Made]) -> Values | None:
    """All rolls on one scale; None where the rates differ, or there is nothing to compare."""
    rolled = [(made.ideas, made.anchor) for made in runs if made.ideas]
    rates = {ideas.scoring.exploration_rate for ideas, _ in rolled}
    if len(rolled) < 2 or len(rates) > 1:
        return None
    rate = rates.pop()
    marks = [
        {
            "at": ideas.roll.at,
            "explores": ideas.roll.explores,
            "anchor": anchor,
            "words": f"{ideas.roll.roll}: {'explored' if ideas.roll.explores else 'took the best'}, "
            f"card {ideas.chosen.id}",
        }
        for ideas, anchor in rolled
    ]
    below = sum(ideas.roll.explores for ideas, _ in rolled)
    words = f"{len(marks)} rolls between 0 and 1; {below} of them below the exploration rate of {figure(rate)}."
    return {"rate": figure(rate), "band": along(rate), "marks": marks, "words": words}


def _share(part: int, whole: int) -> float:
    return round(min(100.0, 100 * part / whole), 2) if whole > 0 else 0.0


def pair_figures(first: Made, second: Made, alike: float, what: str) -> tuple[Figure, ...]:
    """Return the distance of two runs in figures; `alike` is the share of common words of their texts (`what`)."""
    figures = [Figure("Words in common", f"{100 * alike:.0f} %", "", f"{what.lower()}, in the same order")]
    texts = [made.text for made in (first, second) if made.text]
    if len(texts) == 2:
        found, _ = _variety_figures(texts)
        figures += [one for one in found if one.name in ("Different in effect", "Likeness")]
    alike_pictures, _ = _pictures_figure((first, second))
    return (*figures, *alike_pictures)
