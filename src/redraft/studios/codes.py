"""Tables of the findings that rules can report: one for each studio, with two severities for each code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from redraft.result import Basis, Issue, Mark, Severity

MAX_SUBJECTS = 50
"""Parts that an issue names, and marks that it has: a row or a cluster may have hundreds of each."""
QUIET_FROM = 2
"""Findings on real drafts, not one of them a fault, from which on a heuristic is kept from models."""


@dataclass(frozen=True)
class Code:
    """One kind of finding: its meaning, and its severity in strict validation and by default."""

    meaning: str
    strict: Severity
    """The severity in the specification."""
    default: Severity = "note"
    """For a heuristic, by its precision on real drafts. Defects weigh the same as in strict validation."""
    mild: Severity | None = None
    """The severity of a slight case in the specification; None if all cases weigh the same."""
    basis: Basis = "heuristic"
    faults: tuple[int, int] | None = None
    """Among the findings on real drafts, the number of faults, and the number of all; None if there are none."""

    @property
    def quiet(self) -> bool:
        """True if notes stay in the report: of two or more on real drafts not one was a fault."""
        return self.faults is not None and self.faults[0] == 0 and self.faults[1] >= QUIET_FROM


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
