"""A studio whose drafts are programs: a toy compiler that complains in Mesa's words, for the memory of fixes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict
from toy import Number, ToyStudio

from redraft.errors import ExecutionError, FormatError, MemoryStoreError
from redraft.fixes.base import Fix
from redraft.fixes.error_cache import ErrorCache
from redraft.fixes.sqlite import SqliteStore
from redraft.studios import kinds
from redraft.studios.base import Resources
from redraft.studios.requests import Kind

DECLARED = frozenset({"float", "x", "y", "color", "alpha", "return"})


class Program(BaseModel):
    model_config = ConfigDict(frozen=True)

    code: str


class ProgramStudio(ToyStudio, kinds.ProgramStudio[Any, Any]):
    """A reply is a program; what runs is worth as much as it has lines. Names that nobody declared do not compile."""

    language = "GLSL"

    def __init__(self) -> None:
        super().__init__()
        self.compiled: list[str] = []

    def parse(self, kind: Kind, text: str, base: Number | None, *, strict: bool = False) -> Any:
        if "return" not in text:
            raise FormatError("a program is expected")
        return Program(code=text)

    async def execute(self, spec: Any, base: Number | None, resources: Resources) -> Number:
        self.compiled.append(spec.code)
        complaints = [
            f"0:{line}({found.start() + 1}): error: `{found.group()}' undeclared"
            for line, text in enumerate(spec.code.splitlines(), start=1)
            for found in re.finditer(r"[a-z_]+", text)
            if found.group() not in DECLARED
        ]
        if complaints:
            raise ExecutionError("\n".join(complaints), by="Mesa 22.3.6")
        return Number(value=len(spec.code.splitlines()))

    def approach(self, spec: Any) -> str:
        return "a program"

    def code(self, spec: Any) -> str:
        return spec.code

    def with_code(self, spec: Any, code: str) -> Any:
        return self.parse("draft", code, None)

    def as_reply(self, spec: Any) -> str:
        return spec.code


class BrokenStore:
    """A store that cannot be reached."""

    label = "a store that is gone"

    def __init__(self) -> None:
        self.asked = 0

    def _gone(self) -> MemoryStoreError:
        self.asked += 1
        return MemoryStoreError("nobody answers at a store that is gone")

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        raise self._gone()

    def add(self, fix: Fix, shape: str) -> None:
        raise self._gone()

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        raise self._gone()

    def count(self, fix: Fix, *, worked: bool) -> None:
        raise self._gone()

    def keys(self) -> dict[str, int]:
        raise self._gone()

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        raise self._gone()

    def forget(self, key: str | None = None) -> int:
        raise self._gone()

    def close(self) -> None:
        pass


def cache_in(folder: Path) -> ErrorCache:
    return ErrorCache(SqliteStore(folder / "fixes.sqlite"))
