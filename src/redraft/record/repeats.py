"""Values that a journal has written before: a long run writes a reference in their place.

Every request of a run repeats its instructions, and the request after a refused reply repeats nearly everything. From
`SHARED_FROM` on, a line of the journal names such a value by its digest: its field `again` lists the digest and the
path in `inputs` of each, where the line itself has null. A reader puts the values back, so only the file differs.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any, cast

from pydantic import JsonValue

SHARED_FROM = 1_000_000
"""Bytes of a journal, from which it refers to what it has: most runs are shorter, and can be read line by line."""
MIN_SHARED = 300
"""Characters of JSON of a value; a reference has about 40."""
MAX_DEPTH = 3
"""Levels of `inputs` that are looked at: messages, fields of a request, a schema."""
MAX_EXPANDED = 500_000_000
"""Characters that references may stand for in one journal: a run of 1,100 refused replies has 15 million."""

_STARTED = b'"event":"effect_started"'


def _started(line: bytes) -> dict[str, Any] | None:
    """The event on a line, if an effect starts there; None for other lines, and for damaged ones."""
    try:
        event: Any = json.loads(line) if _STARTED in line else None
    except (ValueError, RecursionError):
        return None
    if not isinstance(event, dict):
        return None
    event = cast("dict[str, Any]", event)
    return event if isinstance(event.get("inputs"), dict) else None


class Repeats:
    """The values of a journal so far. One instance for each journal that is written or read."""

    def __init__(self) -> None:
        self._values: dict[str, JsonValue] = {}
        self._expanded = 0

    def packed(self, line: bytes, *, refer: bool) -> bytes:
        """Return a line to write; if `refer`, with references to what was written before."""
        event = _started(line)
        if event is None:
            return line
        again: list[list[JsonValue]] = []
        for holder, key, digest, path in self._new(event):
            if not refer or digest not in self._values:
                self._values.setdefault(digest, None)
                continue
            holder[key] = None
            again.append([digest, *path])
        return json.dumps({**event, "again": again}, separators=(",", ":")).encode() + b"\n" if again else line

    def unpacked(self, line: bytes) -> bytes:
        """Return a line with the values that it refers to.

        Raises:
            ValueError: a reference is damaged, or the references of this journal stand for too much.
        """
        event = _started(line)
        if event is None:
            return line
        again = event.pop("again", [])
        try:
            for digest, *path, last in again:
                holder = event["inputs"]
                for step in path:
                    holder = holder[step]
                holder[last] = self._values[digest]
                self._expanded += len(json.dumps(holder[last]))
        except (KeyError, IndexError, TypeError, ValueError) as error:
            raise ValueError("it refers to a value that was not written before") from error
        if self._expanded > MAX_EXPANDED:
            raise ValueError(f"its references stand for more than {MAX_EXPANDED:,} characters")
        for holder, key, digest, _ in self._new(event):
            self._values.setdefault(digest, holder[key])
        return json.dumps(event).encode() if again else line

    def _new(self, event: dict[str, Any]) -> Iterator[tuple[Any, str | int, str, list[str | int]]]:
        """Yield where each long value of an event's inputs stands, its digest and its path; not those within a value
        that was replaced meanwhile."""
        waiting: list[tuple[Any, list[str | int]]] = [(event["inputs"], [])]
        while waiting:
            holder, path = waiting.pop()
            keys: list[str | int] = [*holder] if isinstance(holder, dict) else [*range(len(holder))]
            for key in keys:
                text = json.dumps(holder[key], sort_keys=True)
                if len(text) >= MIN_SHARED:
                    at = [*path, key]
                    yield holder, key, hashlib.sha256(text.encode()).hexdigest()[:32], at
                    if isinstance(holder[key], dict | list) and len(at) < MAX_DEPTH:
                        waiting.append((cast("Any", holder[key]), at))
