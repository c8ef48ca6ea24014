"""`replay:RUN`: the replies of an earlier run, given again to the same requests.

There are two sources: a run's folder, and a recording, one small file that tests and benchmarks can ship. Nothing is
guessed: a request that was not recorded, or with another prompt, picture, schema, temperature or seed, is a miss.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal, cast

import anyio.lowlevel
from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from redraft.errors import ConfigError, ReplayMissError, RunFormatError
from redraft.files import write_atomic
from redraft.limits import PICTURE, RECORDING, read_file, read_text
from redraft.models.base import ModelInfo, Reply, Request, digest
from redraft.models.offline import OFFLINE
from redraft.record.events import EffectFinished, EffectStarted, RunStarted
from redraft.record.journal import EVENTS_FILE, read_events
from redraft.result import Picture, Usage


class Header(BaseModel):
    """The first line of a recording."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    recording: Literal[1] = 1
    label: str
    """The request in words, and the reason that it is kept."""
    answered_by: str
    """The model or person that gave the replies."""
    recorded_at: str
    """Date, ISO 8601."""
    redraft: str
    """Version that made the requests."""
    sees: bool = False
    """True if the model or person saw pictures."""
    brief: str = ""
    """The instruction of the run, in full."""


class Recorded(BaseModel):
    """One reply, and the request that it answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    kind: str
    digest: str
    text: str
    model: str
    usage: Usage = Usage(calls=1)
    params: dict[str, JsonValue] = Field(default_factory=dict[str, JsonValue])
    stand_ins: tuple[str, ...] = ()

    def reply(self) -> Reply:
        return Reply.model_validate(self.model_dump(exclude={"path", "kind", "digest"}))


class ReplayModel:
    """Gives recorded replies, with their recorded usage. No model is asked."""

    def __init__(self, header: Header, lines: Mapping[tuple[str, str], Recorded]) -> None:
        """`lines` are the replies by path and digest of their request."""
        self._header = header
        self._lines = lines

    @classmethod
    def open(cls, source: str | Path) -> ReplayModel:
        """Return the model with the replies of a run's folder, or of a recording.

        Raises:
            ConfigError: nothing exists at `source`.
            RunNotFoundError, RunFormatError: it is neither a run nor a recording.
        """
        path = Path(source).expanduser()
        if path.name == EVENTS_FILE:
            path = path.parent
        if not path.exists():
            raise ConfigError(
                f"There is nothing to replay at {str(source)!r}. Give the folder of a run, as in replay:RUN."
            )
        return cls(*(record_run(path) if path.is_dir() else read_recording(path)))

    @property
    def info(self) -> ModelInfo:
        by, at = self._header.answered_by, self._header.recorded_at
        return ModelInfo(
            name="replay",
            sees=self._header.sees,
            rules=by == OFFLINE,
            label=f"replay: replies by {by}, recorded {at}; no model is asked. {self._header.label}".strip(),
        )

    async def ask(self, request: Request) -> Reply:
        """Return the recorded reply.

        Raises:
            ReplayMissError: none was recorded for this request at this path.
        """
        await anyio.lowlevel.checkpoint()
        key = digest(request)
        if line := self._lines.get((request.path, key)):
            return line.reply()
        recorded = [f"{one.kind} (digest {one.digest})" for one in self._lines.values() if one.path == request.path]
        held = f"At this path it holds {', '.join(recorded)}" if recorded else "It holds nothing at this path"
        brief = f" for the brief {self._header.brief[:80]!r}" if self._header.brief else ""
        raise ReplayMissError(
            f"The recording has no reply to {request.kind} at {request.path} (digest {key}). {held}{brief}. The "
            "brief, the seed, a setting, a template or redraft itself has changed since it was recorded."
        )


def read_recording(path: Path) -> tuple[Header, dict[tuple[str, str], Recorded]]:
    """Read a recording: its header, and its lines by path and digest.

    Raises:
        RunFormatError: it is not a recording; the message names the line.
    """
    number = 0
    try:
        first, *rest = read_text(path, RECORDING).splitlines() or [""]
        number = 1
        header = Header.model_validate_json(first)
        lines: dict[tuple[str, str], Recorded] = {}
        for number, text in enumerate(rest, start=2):  # noqa: B007  named in the message
            line = Recorded.model_validate_json(text)
            lines[line.path, line.digest] = line
    except (ValidationError, UnicodeDecodeError) as error:
        raise RunFormatError(f"{path}, line {number}: not a recording that this redraft can read: {error}") from error
    return header, lines


def write_recording(path: Path, header: Header, lines: Iterable[Recorded]) -> Path:
    """Write a recording, one JSON object a line. Raises `RunError` when it cannot be written."""
    text = "\n".join(line.model_dump_json() for line in (header, *lines))
    return write_atomic(path, text + "\n")


def record_run(folder: Path) -> tuple[Header, dict[tuple[str, str], Recorded]]:
    """Return the replies of a run as a recording.

    Raises:
        RunNotFoundError, RunFormatError: the folder is not a run, or is damaged.
    """
    events = read_events(folder)
    if not events or not isinstance(events[0], RunStarted):
        raise RunFormatError(f"{folder}: {EVENTS_FILE} does not begin with the start of a run.")
    calls = {e.key: e for e in events if isinstance(e, EffectStarted) and e.asks_model}
    lines: dict[tuple[str, str], Recorded] = {}
    for event in events:
        if isinstance(event, EffectFinished) and event.key in calls:
            line = _recorded(folder, calls[event.key], event)
            lines[line.path, line.digest] = line
    start = events[0]
    model = ModelInfo.model_validate(start.model)
    header = Header(
        label=f"Run {start.run}.",
        answered_by=model.name,
        recorded_at=f"{start.at:%Y-%m-%d}",
        redraft=start.redraft,
        sees=model.sees,
        brief=str(start.brief.get("instruction", "")),
    )
    return header, lines


def _recorded(folder: Path, started: EffectStarted, finished: EffectFinished) -> Recorded:
    """Return a model call of a run as a line of a recording. Raises `RunFormatError`."""
    assert isinstance(started.inputs, dict)
    try:
        names = cast("list[str]", started.inputs.get("pictures", []))
        pictures = [Picture(name=name, png=read_file(folder / name, PICTURE)) for name in names]
        request = Request.model_validate({**started.inputs, "pictures": pictures})
        reply = Reply.model_validate(finished.result)
    except (ValidationError, OSError) as error:
        raise RunFormatError(f"{folder}: the model call at {started.key} cannot be read: {error}") from error
    return Recorded(path=request.path, kind=request.kind, digest=digest(request), **dict(reply))
