"""Cross-run memory of fixes: what an error is, which fix fits it, and what a model is shown of the past.

A store that cannot be used raises; the stage that asked turns that into one warning and continues without. What comes
out of it is untrusted: data in a prompt, run only in the sandbox.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC
from itertools import zip_longest
from typing import TypeVar

from redraft.errors import MemoryStoreError
from redraft.fixes.base import Diagnostic, Fix, Replay, Store, open_store
from redraft.fixes.examples import format_examples
from redraft.fixes.hunks import hunk_of, likeness, patched, shape_of
from redraft.fixes.normalize import diagnostics, key_of
from redraft.record.journal import Clock, digest_of, system_clock

T = TypeVar("T")

CANDIDATES = 20
"""Entries fetched and compared for one complaint; a key may have thousands."""
COMPLAINTS = 6
"""Complaints of one message for which a fix is sought; later ones mostly follow from the first."""
LINES_ABOVE = 3
"""Lines above the error at which a fix may begin: a compiler names the line where it noticed the error."""
SNIPPET_LIMIT = 4_000
"""Characters of one side of a hunk; more is a rewrite, and no fix."""
MESSAGE_LIMIT = 500


class ErrorCache:
    """A memory of fixes by normalized error. Without a store it remembers nothing (`memory: none`).

    Args:
        redis_url: URL of a Redis server, another name that `open_store` knows, or a store. A store given by name warns
            once when it cannot be used, and from then on the memory is off. With a store object every method that uses
            it raises `MemoryStoreError` instead.
        clock: Source of the time of a fix.

    Raises:
        ConfigError: unknown name, or not a URL.
    """

    def __init__(self, redis_url: Store | str | None = None, *, clock: Clock = system_clock) -> None:
        opened = open_store(redis_url) if isinstance(redis_url, str) else redis_url
        self.kept = _Optional(opened) if isinstance(redis_url, str) and opened is not None else opened
        self._clock = clock

    @property
    def label(self) -> str:
        return "none" if self.kept is None else self.kept.label

    def normalize_error(self, error_msg: str, broken: str = "") -> str:
        """The key of an error: what it is, without line numbers and names (`glsl:undeclared_identifier`).

        Empty where it is of no kind that is known.
        """
        return key_of(error_msg, broken)

    def keys(self, error_msg: str, broken: str = "") -> list[str]:
        """The key of every complaint of a message, in its order."""
        return [error.key for error in diagnostics(error_msg, broken)]

    def lookup(self, error_msg: str, broken: str = "", limit: int = 20) -> list[dict[str, str | int]]:
        """Past fixes for this kind of error as plain data, in the order of `fixes`: the fields of `Fix`."""
        return [fix.model_dump() for fix in self.fixes(error_msg, broken, limit)]

    def fixes(self, error_msg: str, broken: str = "", limit: int = 20) -> list[Fix]:
        """Past fixes for this kind of error, the likeliest first. `broken` is the whole program, where there is one.

        Fixes that failed more often than they worked come last. A message with several kinds of error gets the fixes of
        the first kind first.
        """
        found: list[Fix] = []
        for error in _kinds(diagnostics(error_msg, broken)):
            found += self._ranked(error, broken, limit - len(found)) if len(found) < limit else []
        return found

    def store(
        self, error_msg: str, broken_shader: str, fixed_shader: str, *, compiler: str = "", key: str = ""
    ) -> Fix | None:
        """Remember a fix, once the whole text has finally worked: the hunk, not the text.

        Of a message with several complaints it is the fix of the first, or of the first with this `key`. None when
        nothing is kept: no store is open, the error is of an unknown kind, or the two texts are equal or too different
        for a hunk.
        """
        found = [error for error in diagnostics(error_msg, broken_shader) if key in ("", error.key)]
        if self.kept is None or not found:
            return None
        hunk = hunk_of(broken_shader, fixed_shader, found[0])
        if hunk is None or max(len(hunk.broken), len(hunk.fixed)) > SNIPPET_LIMIT:
            return None
        fix = Fix(
            key=found[0].key,
            error_msg=_storable(_line_with(error_msg, found[0].text)),
            broken_snippet=_storable(hunk.broken),
            fixed_snippet=_storable(hunk.fixed),
            timestamp=self.now,
            compiler=_storable(compiler),
        )
        self.kept.add(fix, stored_shape(fix))
        return fix

    def get_few_shot_examples(self, error_msg: str, limit: int = 3, broken: str = "") -> str:
        """Past fixes as a block for the prompt; empty when there are none::

        PAST FIXES FOR SIMILAR ERRORS:
        Example 1: "Incompatible types" was fixed by changing vec3(x.xy, y.xy) → vec3(x.xy, y.z)

        A message with several kinds of error gets the best of each before the second best of any.
        """
        ranked = [self._ranked(error, broken, CANDIDATES) for error in _kinds(diagnostics(error_msg, broken))]
        fixes = [fix for row in zip_longest(*ranked) for fix in row if fix is not None]
        return format_examples([fix for fix in fixes if fix.trusted] or fixes, limit)

    def replay(self, error_msg: str, broken: str, tried: Sequence[str] = ()) -> Replay | None:
        """The likeliest known fix that fits the broken lines, applied to the whole program; None when there is none.

        `tried` are the keys for which a fix was replayed already: those get no second one.
        """
        if self.kept is None:
            return None
        for error in _different(diagnostics(error_msg, broken), tried):
            for fix in self._ranked(error, broken, CANDIDATES):
                code = patched(broken, error, fix) if fix.trusted else None
                if code is not None:
                    return Replay(fix, code)
        return None

    def confirm(self, fix: Fix) -> None:
        """A replayed fix worked."""
        if self.kept is not None:
            self.kept.count(fix, worked=True)

    def reject(self, fix: Fix) -> None:
        """A replayed fix did not work."""
        if self.kept is not None:
            self.kept.count(fix, worked=False)

    def close(self) -> None:
        if self.kept is not None:
            self.kept.close()

    @property
    def now(self) -> str:
        return self._clock().astimezone(UTC).isoformat(timespec="seconds")

    def _ranked(self, error: Diagnostic, broken: str, limit: int) -> list[Fix]:
        """Entries under the key of a complaint: trusted, of the same lines, alike, often right."""
        if self.kept is None:
            return []
        place = _Place(error, broken)

        def rank(fix: Fix) -> tuple[bool, bool, float, int, float, str]:
            alike = place.likeness(fix)
            same = stored_shape(fix) in place.shapes
            worth = 2 * fix.times_worked - fix.times_used
            return (not fix.trusted, not same, -round(alike, 1), -worth, -alike, fix.id)

        return sorted(self.kept.find(error.key, place.shapes[0], max(CANDIDATES, limit), *place.shapes[1:]), key=rank)[
            :limit
        ]


def open_error_cache(name: str, *, clock: Clock = system_clock) -> ErrorCache:
    """Open a fix memory by name; raises as `open_store` does."""
    return ErrorCache(open_store(name), clock=clock)


class _Optional:
    """A store that warns once when it cannot be used, and from then on holds nothing."""

    def __init__(self, store: Store) -> None:
        self._store: Store | None = store
        self.label = store.label

    def _use(self, ask: Callable[[Store], T], otherwise: T) -> T:
        try:
            return otherwise if self._store is None else ask(self._store)
        except MemoryStoreError as error:
            self._store = None
            logging.getLogger("redraft.memory").warning("Fix memory off: %s", error)
            return otherwise

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        return self._use(lambda store: store.find(key, shape, limit, *others), [])

    def add(self, fix: Fix, shape: str) -> None:
        self._use(lambda store: store.add(fix, shape), None)

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        return self._use(lambda store: store.add_all(fixes), 0)

    def count(self, fix: Fix, *, worked: bool) -> None:
        self._use(lambda store: store.count(fix, worked=worked), None)

    def keys(self) -> dict[str, int]:
        return self._use(lambda store: store.keys(), {})

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        return iter(self._use(lambda store: list(store.entries(key)), []))

    def forget(self, key: str | None = None) -> int:
        return self._use(lambda store: store.forget(key), 0)

    def close(self) -> None:
        self._use(lambda store: store.close(), None)


class _Place:
    """The place of an error in a program, and the likeness of known fixes to it."""

    def __init__(self, error: Diagnostic, broken: str) -> None:
        self._error = error
        self._lines = broken.splitlines()
        self._at = self._found()
        above = [] if self._at is None else self._lines[max(0, self._at - LINES_ABOVE) : self._at + 1]
        self.shapes = list(
            dict.fromkeys([*(shape_of(line) for line in reversed(above) if line.strip()), _named(error)])
        )
        """That the stored hunk may have: it begins at the line itself or above it, or only adds lines."""

    def likeness(self, fix: Fix) -> float:
        """Of message and of the broken lines, 0 to 1; what only adds lines, or meets no program, by message."""
        message = likeness(fix.error_msg, self._error.text)
        if self._at is None or not fix.broken_snippet:
            return message
        return (message + likeness(fix.broken_snippet, self._around(fix.broken_snippet.count("\n") + 1))) / 2

    def _found(self) -> int | None:
        """The line, from 0: by its number, else the first that holds what the complaint is about."""
        if self._error.line is not None:
            return min(max(self._error.line, 1), len(self._lines)) - 1 if self._lines else None
        token = self._error.token
        return next((n for n, line in enumerate(self._lines) if token and token in line), None)

    def _around(self, count: int) -> str:
        """So many lines of the program, the complaint's in the middle or, of two, the last."""
        if self._at is None:
            return ""
        first = max(0, self._at - count // 2)
        return "\n".join(self._lines[first : first + count])


def stored_shape(fix: Fix) -> str:
    """Return what an entry is found by besides its key: its first broken line, or what lines were added for."""
    if fix.broken_snippet:
        return shape_of(fix.broken_snippet)
    found = diagnostics(fix.error_msg)
    return _named(found[0]) if found else ""


def _named(error: Diagnostic) -> str:
    return digest_of([error.token or error.text])


def _kinds(found: Sequence[Diagnostic]) -> list[Diagnostic]:
    """The first complaint of each kind."""
    first: dict[str, Diagnostic] = {}
    for error in found[:COMPLAINTS]:
        first.setdefault(error.key, error)
    return list(first.values())


def _different(found: Iterable[Diagnostic], tried: Sequence[str]) -> list[Diagnostic]:
    """The complaints to fix: of keys not tried, each place once."""
    places = {(error.key, error.line, error.token): error for error in found if error.key not in tried}
    return list(places.values())[:COMPLAINTS]


def _line_with(message: str, text: str) -> str:
    """The line of a message that holds a complaint, as it was written."""
    lines = (line.strip() for line in message.splitlines())
    return next((line for line in lines if text and text in line), text)[:MESSAGE_LIMIT]


def _storable(text: str) -> str:
    """Text that every store can hold: half characters of a broken decoding become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")
