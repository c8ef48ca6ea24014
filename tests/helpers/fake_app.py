"""Stands for `redraft.api` in tests of the command line: it writes a real run folder and needs no studio."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue
from run_writer import RunWriter, full_run

from redraft import api
from redraft import options as settings
from redraft.config import Config
from redraft.ideas.profile import TasteProfile
from redraft.record.events import Event
from redraft.record.journal import Journal
from redraft.result import Report, Result, Usage, Verdict

CONFIG_OF = settings.config_of


@dataclass
class FakeApp:
    """Records what it was called with, plays `story`, and gives a result with `changes`."""

    story: Callable[[RunWriter], None] = full_run
    changes: dict[str, Any] = field(default_factory=dict[str, Any])
    raises: BaseException | None = None
    notes: tuple[str, ...] = ()
    calls: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def run(
        self,
        studio: str,
        instruction: str,
        *,
        config: Config,
        on: Path | str | None = None,
        source: Path | None = None,
        target: Path | None = None,
        reference: Path | None = None,
        concepts: Sequence[str] = (),
        profile: TasteProfile | None = None,
        out: Path,
        observer: Callable[[Event], None],
        notify: Callable[[str], None],
    ) -> Result:
        self.calls.append({"studio": studio, "instruction": instruction, "config": config, "on": on, "out": out})
        given = {"source": source, "target": target, "reference": reference, "profile": profile}
        self.calls[-1] |= {name: value for name, value in given.items() if value is not None}
        if concepts:
            self.calls[-1]["concepts"] = tuple(concepts)
        return self._play(out, observer, notify)

    def resume(
        self,
        run: Path,
        *,
        model: str | None = None,
        backend: str | None = None,
        caps: Mapping[str, JsonValue],
        as_recorded: bool = False,
        observer: Callable[[Event], None],
        notify: Callable[[str], None],
    ) -> Result:
        self.calls.append({"run": run, "caps": dict(caps)})
        return self._play(run, observer, notify)

    def undo(
        self,
        run: Path,
        steps: int,
        *,
        out: Path | None = None,
        as_recorded: bool = False,
        observer: Callable[[Event], None] | None = None,
    ) -> Result:
        self.calls.append({"run": run, "steps": steps, "out": out})
        return self._result(run)

    def config_of(self, studio: Any, given: Mapping[str, Any], *, file: Path | None, how: str) -> Config:
        self.calls.append({"file": file, "overrides": settings.overrides_of(studio, given)})
        return CONFIG_OF(studio, given, file=file, how=how)

    def _play(self, folder: Path, observer: Callable[[Event], None], notify: Callable[[str], None]) -> Result:
        writer = RunWriter(folder)
        writer.journal = Journal(folder, clock=writer.clock, observer=observer)
        with writer.journal:
            for note in self.notes:
                notify(note)
            self.story(writer)
        if self.raises is not None:
            raise self.raises
        return self._result(folder)

    def _result(self, folder: Path) -> Result:
        fields: dict[str, Any] = {
            "run": folder,
            "studio": "sketch",
            "valid": True,
            "score": 1.0,
            "report": Report(heuristics="strict", unchecked=("in a wistful mood",)),
            "verdict": Verdict(by="none", satisfied=None),
            "usage": Usage(calls=4, input_tokens=103, output_tokens=252, cost=0.0),
            "iterations": (),
            "files": {"svg": folder / "drawing.svg", "report": folder / "report.html"},
        }
        return Result.model_validate({**fields, **self.changes})


def install(fake: FakeApp, monkeypatch: pytest.MonkeyPatch) -> FakeApp:
    for name in ("run", "resume", "undo"):
        monkeypatch.setattr(api, name, getattr(fake, name))
    monkeypatch.setattr(settings, "config_of", fake.config_of)
    return fake
