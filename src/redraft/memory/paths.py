"""The same change wherever a Python program asks for the same thing by the same words.

An interpreter stops at the first mistake; who wrote `scene.objects.link` once wrote it again further down.
"""

from __future__ import annotations

from collections.abc import Sequence

from redraft.memory.change import Case
from redraft.memory.tokens import Edit

__all__ = ["everywhere"]


def everywhere(case: Case, edits: Sequence[Edit]) -> list[Edit]:
    """Edits within the path that the error is about are made to every path of the same words, the others once."""
    program = case.program
    place = next((i for i in case.here if program.at(i) == case.error.token and program.is_field(i)), -1)
    if not program.python or place < 0:
        return [*edits]
    first = place
    while program.is_field(first) and first > 1 and program.tokens[first - 2].kind == "name":
        first -= 2
    start, end = program.tokens[first].start, program.tokens[place].end
    within = [edit for edit in edits if start <= edit.start and edit.end <= end]
    if program.is_field(first) or not within:
        return [*edits]
    words = [token.text for token in program.tokens[first : place + 1]]
    found: list[Edit] = [*edits]
    for i in range(len(program.tokens) - len(words) + 1):
        shift = program.tokens[i].start - start
        same = [token.text for token in program.tokens[i : i + len(words)]] == words
        if (
            i != first
            and same
            and not program.is_field(i)
            and program.code[start:end] == program.code[start + shift : end + shift]
        ):
            found += [Edit(edit.start + shift, edit.end + shift, edit.text) for edit in within]
    return found
