"""The terminal: an observer of events that prints the specification's log lines and the request being waited for.

All output may contain words of a model or a stranger, so it is plain text: no markup, no control characters.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Callable
from types import TracebackType
from typing import TYPE_CHECKING

from redraft.text import plural

if TYPE_CHECKING:
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    from redraft.record.events import EffectStarted, Event

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Characters that a terminal acts on, or that reorder what is read."""

_TASKS = {
    "draft": "drafting",
    "edit": "editing",
    "repair": "repairing",
    "fix": "fixing",
    "critique": "looking at it",
    "audit": "checking it",
    "discover": "sorting the reference",
    "measure": "measuring it",
    "finish": "making the delivery",
    "history": "reading the history",
    "abstraction": "summarizing the taste",
    "cards": "writing idea cards",
    "judge": "scoring the ideas",
    "idea": "finding an idea",
    "composition": "composing it",
    "enclave": "reviewing it",
    "final": "writing it out",
    "prompt": "writing the prompt",
}
_TAGS = (
    (
        re.compile(r"^(\[CANDIDATE \d+\] )?\[(ITERATION|TURN) \d+\]|^\[(CRITIC|IDEAS|MEMORY|PATCHED|TARGET)\]"),
        "cyan",
    ),
    (re.compile(r"\[(ERROR|MUST)\]|Validation FAILED|valid: False"), "red"),
    (re.compile(r"\[(WARNING|MINOR|DISCARDED|WORSENED)\]|^  not measured:|not satisfied"), "yellow"),
    (re.compile(r"Validation PASSED|valid: True|\[IMPROVED\]"), "green"),
)
"""Colors in the lines of the log, which is text alone. Other lines come with their styles."""

Part = str | tuple[str, str]
"""Text, or text with a style."""


def plain(text: str) -> str:
    """Return the text with control characters replaced; line breaks stay."""
    return _CONTROL.sub("\ufffd", text)


class Terminal:
    """Shows a run as it goes. A context manager, and a callable that takes each event.

    It prints to standard output, or with `errors` to standard error. When the reader goes away (`| head`), it stops
    printing and the run continues.
    """

    def __init__(
        self, *, errors: bool = False, quiet: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.console = _console(errors=errors)
        self.quiet = quiet
        self._clock = clock
        self._model = ""
        self._waiting: dict[str, tuple[str, float]] = {}
        self._live: Live | None = None
        self._warned = set[str]()
        self.started = False
        """Whether a run has begun, so that it can be resumed."""

    def __enter__(self) -> Terminal:
        if self.console.is_terminal and not self.quiet:
            from rich.live import Live

            self._live = Live(get_renderable=self._status, console=self.console, transient=True, refresh_per_second=8)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting.clear()
        if self._live is not None:
            self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take one event."""
        from redraft.record.events import EffectFailed, EffectFinished, EffectStarted, RunStarted, Warned
        from redraft.record.log import log_lines

        match event:
            case RunStarted():
                self.started = True
                self._model = str(event.model.get("name", ""))
                count = event.worst_case_calls
                calls = f"at most {plural(count, 'model call')}" if count else "no model call"
                self.say(f"{event.studio} with {self._model}, seed {event.seed}: {calls}")
            case EffectStarted():
                self._ask(event)
            case EffectFinished() | EffectFailed():
                self._waiting.pop(event.key, None)
            case _:
                pass
        if isinstance(event, Warned):
            self.warn(event.message)
            return
        for line in log_lines(event):
            self.say(line)

    def notify(self, line: str) -> None:
        """Print the reason a reply takes long."""
        self.say(line, always=True)

    def warn(self, message: str) -> None:
        """Print a warning, once, even when quiet."""
        if message not in self._warned:
            self._warned.add(message)
            self.say(f"[WARNING] {message}", always=True)

    def say(self, *parts: Part, always: bool = False) -> None:
        """Print one line, colored on a terminal; when quiet, only if `always`."""
        from rich.text import Text

        if self.quiet and not always:
            return
        line = Text.assemble(
            *((plain(part), "") if isinstance(part, str) else (plain(part[0]), part[1]) for part in parts)
        )
        for pattern, style in _TAGS:
            line.highlight_regex(pattern, style)
        try:
            self.console.print(line)
        except OSError as error:  # such as a full disk behind standard output; the run itself continues
            from redraft.cli.failures import say_error

            self.console.on_broken_pipe()
            if not self.console.stderr:
                say_error(f"standard output cannot be written: {error.strerror or error}; the run continues silently.")

    def _ask(self, event: EffectStarted) -> None:
        doing = _doing(event, self._model)
        if doing is None and self._live is not None and event.key.endswith("/execute"):
            doing = "running the draft"  # a scene takes Blender many seconds
        if doing is None:
            return
        self._waiting[event.key] = (doing, self._clock())
        if self._live is None:
            self.say(f"{doing} ({event.key})")

    def _status(self) -> Text:
        from rich.text import Text

        if not self._waiting:
            return Text()
        doing, since = next(iter(self._waiting.values()))
        several = f" {len(self._waiting)} at once" if len(self._waiting) > 1 else ""
        waited = self._clock() - since
        wheel = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"[int(waited * 8) % 10]
        return Text(f"{wheel} {plain(doing)}{several}, {waited:.0f} s", style="dim")


def _doing(event: EffectStarted, model: str) -> str | None:
    """Return the model and its task, `offline is drafting`; None for effects that are quick."""
    inputs = event.inputs if isinstance(event.inputs, dict) else {}
    kind = inputs.get("kind")
    if not isinstance(kind, str):
        return None
    task = kind.rpartition(".")[2]
    return f"{inputs.get('by', model)} is {_TASKS.get(task, task)}"


def _console(*, errors: bool) -> Console:
    from rich.console import Console

    class Unread(Console):
        """A console that stops printing when its reader goes away, where rich would end the process."""

        def on_broken_pipe(self) -> None:
            self.quiet = True
            # The buffers are flushed to nowhere, so that the end of the process does not raise either.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, (sys.stderr if self.stderr else sys.stdout).fileno())
            os.close(nowhere)

    return Unread(stderr=errors, highlight=False, markup=False, emoji=False, soft_wrap=True)
