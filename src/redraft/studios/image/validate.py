"""The deterministic report on a prompt: what was asked for stands in its words, and nothing disliked does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.result import Heuristics, Issue, Measured, Report
from redraft.studios.image.distaste import found_disliked
from redraft.studios.image.facts import Asked, asked, changed, missing
from redraft.studios.image.prose import Prose

__all__ = ["LONG", "check"]

LONG = 3_500
"""Characters beyond which image models begin to leave things out."""


def check(prompt: str, concepts: Sequence[str], disliked: Sequence[str], heuristics: Heuristics = "ask") -> Report:
    """Each concept is a requirement: its words stand in the prompt, or it is an error (`fact.missing`).

    Rules of thumb ask, or judge where they are strict: a number, color or side is another than asked for
    (`fact.changed`, an error), something disliked stands in the prompt (`taste.disliked`), or it is too long
    (`prompt.long`; both warnings). What of a concept cannot be looked for ("no people", "on", an emoji) is unchecked.
    """
    prose = Prose(prompt)
    facts = [asked(concept) for concept in concepts]
    lost = [missing(fact, prose) for fact in facts]
    issues = [_missing(fact, words) for fact, words in zip(facts, lost, strict=True) if words]
    if heuristics != "off":
        thumb = [issue for fact, words in zip(facts, lost, strict=True) if not words for issue in _changed(fact, prose)]
        thumb += [_disliked(entry, words) for entry, words in found_disliked(disliked, prose, concepts)]
        if len(prompt) > LONG:
            thumb.append(_long(prompt))
        status = {} if heuristics == "strict" else {"severity": "question", "status": "open"}
        issues += [issue.model_copy(update={"basis": "heuristic", **status}) for issue in thumb]
    unchecked = dict.fromkeys(phrase for fact in facts for phrase in fact.unchecked)
    measured = (_measured(n, fact, words) for n, (fact, words) in enumerate(zip(facts, lost, strict=True), start=1))
    return Report(
        issues=tuple(issues),
        requirements=tuple(m for m, fact in zip(measured, facts, strict=True) if fact.words),
        unchecked=tuple(unchecked),
        heuristics=heuristics,
    )


def _measured(number: int, fact: Asked, lost: Sequence[str]) -> Measured:
    return Measured(
        id=f"c{number}",
        kind="concept",
        quote=fact.concept,
        words=f'the words of "{fact.concept}" stand in the prompt',
        outcome="broken" if lost else "met",
        found=f"missing: {_quoted(lost)}" if lost else "",
        deviation=1.0 + len(lost) if lost else 0.0,
        numbers={"found": len(fact.words) - len(lost), "expected": len(fact.words)},
    )


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)


def _missing(fact: Asked, lost: Sequence[str]) -> Issue:
    said = f"does not say {_quoted(lost)} of" if len(lost) < len(fact.words) else "leaves out"
    return Issue(
        code="fact.missing",
        severity="error",
        message=f'the prompt {said} "{fact.concept}"',
        subjects=(fact.concept,),
        numbers={"missing": len(lost), "words": len(fact.words)},
        mend=f'Say "{fact.concept}" in it, by {"this word" if len(lost) == 1 else "these words"}: {_quoted(lost)}.',
        phrase=fact.concept,
        basis="requirement",
    )


def _changed(fact: Asked, prose: Prose) -> Iterator[Issue]:
    told = list(changed(fact, prose))
    if told:
        wanted, said = (_quoted([pair[k] for pair in told]) for k in (0, 1))
        yield Issue(
            code="fact.changed",
            severity="error",
            message=f'the prompt says {said} and not {wanted} of "{fact.concept}"',
            subjects=(fact.concept,),
            numbers={"changed": len(told)},
            mend=f'Say "{fact.concept}" as it stands: {wanted}, not {said}.',
            phrase=fact.concept,
        )


def _disliked(entry: str, words: str) -> Issue:
    return Issue(
        code="taste.disliked",
        severity="warning",
        message=f'"{words}" stands in the prompt, and "{entry}" is disliked',
        subjects=(entry,),
        mend=f'Leave "{words}" out.',
        phrase=entry,
    )


def _long(prompt: str) -> Issue:
    return Issue(
        code="prompt.long",
        severity="warning",
        message=f"the prompt has {len(prompt):,} characters; image models begin to skip beyond {LONG:,}",
        numbers={"found": len(prompt), "expected": LONG},
        mend="Say the same in 40 to 120 words.",
    )
