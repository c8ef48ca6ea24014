"""What things look like: part trees with proportions, as data, for the offline planner.

    entry = find("cottages")            # singular, plural, synonyms, compounds ("wooden bench" is a bench)
    plan, strokes = entry.realise((0.2, 0.3, 0.6, 0.8), prefix="house_1", label="cottage", counts={"window": 4})

The entries are YAML files in `data/`, one a theme; their format is `entry.Entry` and `format.Part`. Nothing here
knows sentences, scenes or layouts.
"""

from __future__ import annotations

from redraft.offline.lexicon.entry import Entry
from redraft.offline.lexicon.format import Part, Repeat, Stroke
from redraft.offline.lexicon.index import find, is_part_of, names, part_nouns
from redraft.offline.lexicon.palette import hex_of
from redraft.offline.lexicon.unknown import unknown

__all__ = [
    "Entry",
    "Part",
    "Repeat",
    "Stroke",
    "find",
    "hex_of",
    "is_part_of",
    "names",
    "part_nouns",
    "unknown",
]
