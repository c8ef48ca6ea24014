"""Which net class a net belongs to, by the patterns of a KiCad project."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Callable
from typing import NamedTuple

__all__ = ["DEFAULT", "LAST", "NetClass", "Pattern", "is_costly"]

DEFAULT = "Default"
LAST = 2**31 - 1
"""The priority of the class `Default`, and of one that states none."""
LONGEST = 200
"""Characters of a pattern that is taken as a regular expression, and of a name that it is tried on."""

_REPEATED = re.compile(r"[*+{]")
_COSTLY = re.compile(r"\)[*+{?]|\\[1-9]|\[\[|\(\?")


class NetClass(NamedTuple):
    """A class of nets; where a net is in several, the lowest priority that states a clearance (mm) decides."""

    name: str
    clearance: float | None = None
    priority: int = LAST


class Pattern(NamedTuple):
    """Nets that belong to a class: those whose whole name the text fits as wildcards or as a regular expression.

    KiCad tries both, and letters count as they are written.
    """

    text: str
    netclass: str

    def matcher(self) -> Callable[[str], bool]:
        """A test for net names. Of a costly expression only the wildcards are tried, so that no name takes long."""
        wild = re.compile(fnmatch.translate(self.text.replace("[", "[[]")))
        regular = None if is_costly(self.text) else _compiled(self.text)
        return lambda net: bool(wild.match(net) or (regular and len(net) <= LONGEST and regular.search(net)))


def is_costly(text: str) -> bool:
    """Whether a pattern is an expression that could take very long on some name: only KiCad evaluates such."""
    if _compiled(text) is None:
        return False
    return len(text) > LONGEST or len(_REPEATED.findall(text)) > 3 or bool(_COSTLY.search(text))


def _compiled(text: str) -> re.Pattern[str] | None:
    """As KiCad anchors it; None for what is no expression, such as `*clk`."""
    if len(text) > 10 * LONGEST or "[[" in text:
        return None
    try:
        return re.compile(f"^{text}$")
    except (re.error, OverflowError):
        return None
