"""The window of the button in KiCad. It is wxPython's, which KiCad itself uses and brings along."""

from __future__ import annotations

import io
import os
import threading
from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from redraft.errors import RedraftError
from redraft.studios.board.button.action import Action, Proposal, Selection, shown

T = TypeVar("T")

PICTURE = 420
"""Pixels of a picture's side."""
HINT = 'For example: put them 1 mm right of U1, or align them and space them 1 mm ("them" is the selection)'


class Dialog:
    """One window for one use of the button. Work is done in a thread, and its outcome shown as words or pictures.

    `wx` is wxPython, which has no types.
    """

    def __init__(self, wx: Any, action: Action, selection: Selection) -> None:
        self._wx, self._action = wx, action
        self._thread: threading.Thread | None = None
        self._proposal: Proposal | None = None
        self.frame = wx.Frame(None, title=f"redraft: {shown(selection.live.open.name)}")
        panel = wx.Panel(self.frame)
        self._selected = wx.StaticText(panel, style=wx.ST_ELLIPSIZE_END)
        self._model = action.config().model
        self._words = wx.TextCtrl(panel, style=wx.TE_PROCESS_ENTER)
        self._words.SetHint(HINT)
        self._run, self._apply, cancel = (wx.Button(panel, label=name) for name in ("Run", "Apply", "Cancel"))
        self._progress = wx.StaticText(panel, style=wx.ST_ELLIPSIZE_END)
        self._pictures = tuple(wx.StaticBitmap(panel, size=(PICTURE, PICTURE)) for _ in range(2))
        self._list = wx.TextCtrl(panel, style=wx.TE_MULTILINE | wx.TE_READONLY, size=(-1, 150))
        self._words.Bind(wx.EVT_TEXT_ENTER, self._start)
        self._run.Bind(wx.EVT_BUTTON, self._start)
        self._apply.Bind(wx.EVT_BUTTON, self._carry_over)
        cancel.Bind(wx.EVT_BUTTON, self._cancel)
        self.frame.Bind(wx.EVT_CLOSE, self._close)
        self._lay_out(panel, cancel)
        self._selected.SetLabelText(selection.words)
        self._progress.SetLabelText(f"Model: {self._model}")
        self._apply.Disable()
        self._words.SetFocus()

    def _lay_out(self, panel: Any, cancel: Any) -> None:
        wx = self._wx
        line, pictures, buttons, rows = (
            wx.BoxSizer(way) for way in (wx.HORIZONTAL, wx.HORIZONTAL, wx.HORIZONTAL, wx.VERTICAL)
        )
        line.Add(self._words, 1, wx.RIGHT, 8)
        line.Add(self._run)
        for name, picture in zip(("before", "after"), self._pictures, strict=True):
            column = wx.BoxSizer(wx.VERTICAL)
            column.Add(wx.StaticText(panel, label=name))
            column.Add(picture)
            pictures.Add(column, 0, wx.RIGHT, 8)
        buttons.AddStretchSpacer()
        buttons.Add(cancel, 0, wx.RIGHT, 8)
        buttons.Add(self._apply)
        for row, grows in (
            (self._selected, 0), (line, 0), (self._progress, 0), (pictures, 0), (self._list, 1), (buttons, 0),
        ):  # fmt: skip
            rows.Add(row, grows, wx.EXPAND | wx.ALL, 6)
        panel.SetSizer(rows)
        rows.Fit(self.frame)

    def _start(self, _: Any) -> None:
        words = self._words.GetValue()
        if self._thread is None:
            self._show(None)
            self._work(lambda: self._action.run(words, self._say), self._show)

    def _carry_over(self, _: Any) -> None:
        proposal = self._proposal
        if proposal is not None and self._thread is None:
            self._work(lambda: self._action.apply(proposal), lambda _: self.frame.Close())

    def _work(self, task: Callable[[], T], show: Callable[[T], None]) -> None:
        """Do a task in a thread, and hand its outcome to `show` in this one; an error is shown in words."""

        def work() -> None:
            ended: tuple[Callable[[Any], None], Any] = (self._fail, "redraft failed with an internal error.")
            try:
                ended = show, task()
            except RedraftError as error:
                ended = self._fail, str(error)
            finally:
                self._wx.CallAfter(self._done, *ended)

        for button in (self._run, self._apply):
            button.Disable()
        self._thread = threading.Thread(target=work, name="redraft", daemon=True)
        self._thread.start()

    def _done(self, show: Callable[[Any], None], outcome: Any) -> None:
        self._thread = None
        if self.frame:  # false once it is closed
            self._run.Enable()
            self._apply.Enable(self._proposal is not None and self._proposal.moves)
            show(outcome)

    def _say(self, line: str) -> None:
        self._wx.CallAfter(lambda: self.frame and self._progress.SetLabelText(line))

    def _fail(self, message: str) -> None:
        self._progress.SetLabelText(f"Model: {self._model}. Nothing was changed in KiCad.")
        self._list.SetValue(shown(message))

    def _show(self, proposal: Proposal | None) -> None:
        wx, self._proposal = self._wx, proposal
        pictures = (proposal.before, proposal.after) if proposal else (b"", b"")
        for control, png in zip(self._pictures, pictures, strict=True):
            control.SetBitmap(self._bitmap(png) if png else wx.NullBitmap)
        self._list.SetValue("\n".join(proposal.lines) if proposal else "")
        self._apply.Enable(proposal is not None and proposal.moves)
        if proposal is not None:
            self._selected.SetLabelText(proposal.selection.words)
            self._progress.SetLabelText(f"Model: {self._model}. Nothing is changed in KiCad before Apply.")
            self._apply.SetLabelText("Apply" if proposal.result.valid else "Apply anyway")

    def _bitmap(self, png: bytes) -> Any:
        image = self._wx.Image(io.BytesIO(png))
        return image.Scale(PICTURE, PICTURE, self._wx.IMAGE_QUALITY_HIGH).ConvertToBitmap()

    def _cancel(self, _: Any) -> None:
        self.frame.Close()

    def _close(self, event: Any) -> None:
        """Close the window; a run is stopped, and gets a moment to write down the work that it finished."""
        event.Skip()
        self.frame.Hide()
        self._action.stop()
        if self._thread is not None:
            self._thread.join(10)


def show() -> None:
    """Show the dialog for the board that is open in KiCad, or a message about the reason why it cannot be shown.

    Raises:
        ImportError: wxPython is missing.
    """
    wx: Any = import_module("wx")
    app = wx.App()
    try:
        action = Action()
        selection = action.look()
        os.chdir(selection.live.path.parent)  # for redraft.yaml, run folders and other relative paths
        dialog = Dialog(wx, action, selection)
    except RedraftError as error:
        wx.MessageBox(shown(str(error)), "redraft", wx.OK | wx.ICON_ERROR)
        return
    dialog.frame.Show()
    app.MainLoop()
