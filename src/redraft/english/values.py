"""Values of parts as people write them: "100nF", "100 n" and "0.1uF" are one, "4k7" and "4.7k" too."""

from __future__ import annotations

import re

__all__ = ["VALUE", "value_key"]

VALUE = re.compile(r"\d[^\s,;()\"]*(?:,\d[^\s,;()\"]*)?(?: ?[pnuµμmkKMG]?(?:F|H|Ω|\u2126|[Oo]hms?)\b)?")
"""What may be a value in a text: it begins with a digit."""

_PREFIX = {"p": -12, "n": -9, "u": -6, "µ": -6, "μ": -6, "m": -3, "": 0, "R": 0, "k": 3, "K": 3, "M": 6, "G": 9}
_AMOUNT = re.compile(
    r"(?P<whole>\d+)(?:[.,](?P<part>\d+))? ?(?P<prefix>[pnuµμmkKMGR]?)(?P<after>\d*) ?(?P<unit>F|H|Ω|\u2126|[Oo]hms?)?"
)


def value_key(text: str) -> str:
    """Equal for equal values: a decimal number with an exponent of ten, else the text without capitals.

    The unit is left out: "100n" is what many boards write for 100 nF, and a resistor is told from it by its kind.
    """
    written = " ".join(text.split())
    found = _AMOUNT.fullmatch(written)
    if found is None or (found["part"] and found["after"]):
        return written.casefold()
    digits = found["whole"] + (found["part"] or found["after"])
    exponent = _PREFIX[found["prefix"]] - len(found["part"] or found["after"])
    bare = digits.strip("0")
    if not bare:
        return "0"
    return f"{bare}e{exponent + len(digits) - len(digits.rstrip('0'))}"
