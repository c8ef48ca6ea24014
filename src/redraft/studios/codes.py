"""Tables of the findings that rules can report: one for each studio, with two severities for each code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.result import Basis, Issue, Mark, Severity

MAX_SUBJECTS = 50
"""Parts that an issue names, and marks that it has: a row or a cluster may have hundreds of each."""
ENOUGH = 2
"""Findings on real drafts from which a heuristic without a single fault among them is kept from models."""


@dataclass(frozen=True)
class Code:
    """One kind of finding: its meaning, and its severity in strict validation and by default."""

    meaning: str
    strict: Severity
    """The specification's."""
    default: Severity = "note"
    """By the precision of a heuristic, measured on real drafts. Defects weigh the same as in strict validation."""
    mild: Severity | None = None
    """The specification's of a slight case; None where all cases weigh the same."""
    basis: Basis = "heuristic"
    faults: tuple[int, int] | None = None
    """Findings on real drafts that are faults, and all of them; None where there are none."""

    @property
    def quiet(self) -> bool:
        """True where notes stay in the report: of two or more on real drafts not one was a fault."""
        return self.faults is not None and self.faults[0] == 0 and self.faults[1] >= ENOUGH


class Codes(dict[str, Code]):
    """The table of one studio. `docs/rules.md` lists each."""

    @property
    def severities(self) -> dict[str, Severity]:
        """Default severities of heuristics by code, for `redraft.result.judged`."""
        return {name: code.default for name, code in self.items() if code.basis == "heuristic"}

    def finding(
        self,
        code: str,
        message: str,
        subjects: tuple[str, ...] = (),
        *,
        numbers: Mapping[str, float] | None = None,
        hint: str = "",
        marks: tuple[Mark, ...] = (),
        phrase: str = "",
        mild: bool = False,
        final: bool = False,
    ) -> Issue:
        """Return a finding of a code of the table, with its strict severity; numbers are rounded to a millionth."""
        rule = self[code]
        return Issue(
            code=code,
            severity=(mild and rule.mild) or rule.strict,
            message=message,
            subjects=subjects[:MAX_SUBJECTS],
            numbers={name: round(float(value), 6) for name, value in (numbers or {}).items()},
            hint=hint,
            marks=marks[:MAX_SUBJECTS],
            phrase=phrase,
            basis=rule.basis,
            final=final,
            quiet=rule.quiet,
        )
