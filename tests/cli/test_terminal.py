"""The status line of a run on a terminal."""

from __future__ import annotations

from typing import Any

from redraft.cli.terminal import Terminal
from redraft.record.events import EffectStarted


def test_a_draft_that_runs_is_shown_on_a_terminal_only() -> None:
    started = EffectStarted.model_construct(key="iteration-1/draft/execute", inputs={"draft": {}})
    for live, said in ((object(), "running the draft"), (None, "")):
        terminal: Any = Terminal(quiet=True)
        terminal._live = live
        terminal(started)
        assert said in terminal._status().plain
        assert bool(terminal._status().plain) is bool(said)
