"""The deterministic report on a prompt: what was asked for stands in its words, and nothing disliked does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from redraft.result import Issue, Report
from redraft.studios.image.distaste import found_disliked
from redraft.studios.image.facts import Asked, asked, changed, missing
from redraft.studios.image.prose import Prose

__all__ = ["LONG", "check"]

LONG = 3_500
"""Characters beyond which image models begin to leave things out."""


def check(prompt: str, concepts: Sequence[str], disliked: Sequence[str]) -> Report:
    """Errors: a concept's word is missing (`fact.missing`), or its number, colour or side is another (`fact.changed`).

    Warnings: something disliked stands in the prompt (`taste.disliked`), or it is too long (`prompt.long`). What of a
    concept cannot be looked for ("no people", "on", an emoji) is unchecked.
    """
    prose = Prose(prompt)
    facts = [asked(concept) for concept in concepts]
    issues = [issue for fact in facts for issue in _kept(fact, prose)]
    issues += [_disliked(entry, words) for entry, words in found_disliked(disliked, prose, concepts)]
    if len(prompt) > LONG:
        issues.append(_long(prompt))
    unchecked = dict.fromkeys(phrase for fact in facts for phrase in fact.unchecked)
    return Report(issues=tuple(issues), unchecked=tuple(unchecked))


def _kept(fact: Asked, prose: Prose) -> Iterator[Issue]:
    lost = missing(fact, prose)
    if lost:
        named = ", ".join(f'"{word}"' for word in lost)
        said = f"does not say {named} of" if len(lost) < len(fact.words) else "leaves out"
        yield Issue(
            code="fact.missing",
            severity="error",
            message=f'the prompt {said} "{fact.concept}"',
            subjects=(fact.concept,),
            numbers={"missing": len(lost), "words": len(fact.words)},
            mend=f'Say "{fact.concept}" in it, by {"this word" if len(lost) == 1 else "these words"}: {named}.',
            phrase=fact.concept,
        )
        return
    told = list(changed(fact, prose))
    if told:
        wanted, said = (", ".join(f'"{pair[k]}"' for pair in told) for k in (0, 1))
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
