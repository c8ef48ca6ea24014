"""The action behind the button in KiCad, without its window: read the selection, run, show what changes, apply it."""

from __future__ import annotations

import base64
import re
import shutil
from collections.abc import Awaitable, Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shlex import quote

from anyio.from_thread import start_blocking_portal

from redraft.api import arun
from redraft.brief import Brief
from redraft.config import Config
from redraft.errors import BoardError, RedraftError, RunError
from redraft.files import dated, remove_unused
from redraft.layout.items import Bounds, Layout
from redraft.options import config_of
from redraft.record.events import Event
from redraft.record.journal import system_clock
from redraft.record.log import issue_line, log_lines, quoted, statements
from redraft.result import Result
from redraft.studios import open_studio
from redraft.studios.board.files import apply_live, moved, snapshot, wires
from redraft.studios.board.live import LiveBoard
from redraft.studios.board.placement import layout_of, placed_anew, placement_of, unmoved

SELECTED = "Selected components: "
"""Begins the line before the instruction; the offline model's grammar reads it too."""
USABLE = re.compile(r"[\w.+-]{1,24}(?:#\d+)?")
"""A reference that can stand in a sentence without being read as words of it."""
MARGIN = 3.0
"""Millimeters that the pictures show around the components that moved."""
MAX_FINDINGS = 12
"""Findings, and stretches that were not measured, that are listed."""


def shown(text: str) -> str:
    """Return the text without characters that a window acts on, or that reorder what is read."""
    return "".join(c if c.isprintable() or c == "\n" else "\ufffd" for c in text)


@dataclass(frozen=True)
class Selection:
    """The board in KiCad with the components that are selected there."""

    live: LiveBoard
    refs: tuple[str, ...]
    left_out: tuple[str, ...]
    """References that are not usable in a sentence."""

    @property
    def words(self) -> str:
        """The selection as the dialog shows it."""
        if not self.refs and not self.left_out:
            return "Nothing is selected: name components in the instruction."
        others = f" (left out, not usable as names: {', '.join(self.left_out)})" if self.left_out else ""
        return shown(f"Selected: {', '.join(self.refs)}{others}")

    def instruction(self, words: str) -> str:
        """Return the instruction with the selection, which "them" and "these" then stand for.

        Raises:
            BriefError: it is empty or too long.
        """
        instruction = Brief.of(words).instruction
        return f"{SELECTED}{', '.join(self.refs)}.\n{instruction}" if self.refs else instruction


@dataclass(frozen=True)
class Proposal:
    """The result of a run, of which nothing is in KiCad before `Action.apply`."""

    result: Result
    selection: Selection
    """The selection and the board when the run began."""
    lines: tuple[str, ...]
    """The outcome, what moved, and the findings."""
    before: bytes = b""
    after: bytes = b""
    """Pictures of the same window; empty if nothing moved."""

    @property
    def moves(self) -> bool:
        """True if there is anything to apply."""
        return bool(self.after)


@dataclass
class Action:
    """One use of the button. Settings, run folders and relative paths are those of the current folder."""

    socket: str | None = None
    """Address of KiCad's API; by default the one that KiCad names to its plugins."""
    _running: Future[Result] | None = field(default=None, init=False)
    _stopped: bool = field(default=False, init=False)

    def look(self) -> Selection:
        """Read the board and the selection as they are in KiCad now.

        Raises:
            BoardError: KiCad does not answer, or has no board with a file open. MissingPartError.
        """
        live = LiveBoard.connect(self.socket)
        if not live.open.name or not live.path.parent.is_dir():
            raise BoardError("The board in KiCad is not saved in a file yet. Save it, then try again.")
        refs = live.selected()
        usable = tuple(ref for ref in refs if USABLE.fullmatch(ref))
        return Selection(live, usable, tuple(ref for ref in refs if ref not in usable))

    @staticmethod
    def config() -> Config:
        """Return the settings in force here. Raises `ConfigError`."""
        return config_of(open_studio("board"), {})

    def run(self, words: str, say: Callable[[str], None]) -> Proposal:
        """Carry out an instruction on a copy of the board as it is in KiCad now; `say` gets lines on the progress.

        Raises:
            RedraftError: the instruction, a setting, the board or KiCad; nothing was changed. RunError: stopped.
        """
        self._stopped = False
        selection, config = self.look(), self.config()
        instruction = selection.instruction(words)
        folder = dated(Path(config.out), system_clock(), words)
        copy = folder.with_name(f"{folder.name}-kicad")
        try:
            source = snapshot(selection.live, copy)
            say(f"{config.model} is working …")
            result = self._result(partial(arun, "board", instruction, config=config, out=folder, source=source), say)
        except RedraftError:
            remove_unused(folder)
            if not folder.exists():
                shutil.rmtree(copy, ignore_errors=True)
            raise
        except CancelledError:
            raise RunError(
                f"Stopped. Nothing was changed in KiCad. Finished work is kept; continue with: redraft resume "
                f"{quote(str(folder.absolute()))}"
            ) from None
        return _proposal(result, selection)

    def _result(self, work: Callable[..., Awaitable[Result]], say: Callable[[str], None]) -> Result:
        def observe(event: Event) -> None:
            for line in log_lines(event):
                say(shown(line))

        with start_blocking_portal() as portal:
            self._running = running = portal.start_task_soon(partial(work, observer=observe, notify=say))
            if self._stopped:
                running.cancel()
            return running.result()

    def stop(self) -> None:
        """Stop the run, if there is one; finished work stays in its folder."""
        self._stopped = True
        if self._running is not None:
            self._running.cancel()

    def apply(self, proposal: Proposal) -> None:
        """Move the components in KiCad, as one step that one undo takes back.

        Raises:
            BoardError: KiCad was closed, or is busy, or a component was moved there meanwhile.
        """
        try:
            LiveBoard.connect(self.socket)  # says at once that KiCad was closed; the old connection would wait for it
            apply_live(proposal.result, proposal.selection.live, force=True)
        except BoardError as error:
            kept = proposal.result.files["board"].absolute()
            raise type(error)(f"{error}\nThe placed board is saved as {kept}") from error


def _proposal(result: Result, selection: Selection) -> Proposal:
    lines = tuple(shown(re.sub(rf"{SELECTED}[^\n]*\.\n", "", line)) for line in _lines(result))
    if "json" not in result.files or not (placement := placement_of(result)).poses:
        return Proposal(result, selection, (*lines, "Nothing would move."))
    before, after = layout_of(unmoved(placement)), layout_of(placement)
    if placed_anew(placement):
        from redraft.studios.board.views.ratsnest import ratsnest_of

        return Proposal(result, selection, lines, ratsnest_of(before), ratsnest_of(after))

    # The square around all components that moved, where they were and where they will be.
    boxes = [layout.bounds(name) for layout in (before, after) for name in placement.poses]
    x0, y0 = (min(box[axis] for box in boxes) for axis in (0, 1))
    x1, y1 = (max(box[axis] for box in boxes) for axis in (2, 3))
    half = max(x1 - x0, y1 - y0) / 2 + MARGIN
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    window = (x - half, y - half, x + half, y + half)
    return Proposal(result, selection, lines, _picture(before, window), _picture(after, window))


def _lines(result: Result) -> list[str]:
    report = result.report
    findings = (*report.errors, *report.warnings, *report.notes)
    lines = [": ".join(filter(None, (result.outcome, statements(report))))]
    lines += [f"ended early: {result.error['message']}"] if result.error else []
    lines += [*(f"moved: {line}" for line in moved(result)), *wires(result), *map(issue_line, findings[:MAX_FINDINGS])]
    lines += [f"and {len(findings) - MAX_FINDINGS} more findings in the report"] if len(findings) > MAX_FINDINGS else []
    unchecked = [claim for claim in report.unchecked if not claim.startswith(SELECTED)]
    lines += [f"not measured: {quoted(unchecked[:MAX_FINDINGS])}"] if unchecked else []
    return [*lines, *result.warnings, f"report: {result.files['report'].absolute()}"]


def _picture(layout: Layout, window: Bounds) -> bytes:
    from redraft.studios.board.views.microscope import render_png_view

    return base64.b64decode(render_png_view(layout, window))
