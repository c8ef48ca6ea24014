"""One prompt in ComfyUI's hands: put into the queue, watched there, fetched, or taken back."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping

import anyio
from pydantic import JsonValue

from redraft.errors import ImageBackendError
from redraft.imaging.base import Tell
from redraft.imaging.comfyui_words import File, Position, node_errors_in, position_in
from redraft.imaging.transport import TryError, Wire
from redraft.imaging.words import as_object, ended, said_in, text_of
from redraft.models.providers import Failed

__all__ = ["Job"]

_SHORT = 30.0
"""Seconds for a question that is answered from memory."""
_FAREWELL = 5.0
"""Seconds for taking a prompt back."""
_NEWS = 10.0
"""Seconds between two lines that only say how long it has been."""


class Job:
    """A prompt that is sent once, whatever happens to the answers."""

    def __init__(self, wire: Wire, tell: Tell) -> None:
        self.wire = wire
        self.notes: list[str] = []
        """What the record should keep of it."""
        self._tell = tell
        self._prompt_id = str(uuid.uuid4())
        self._client_id = uuid.uuid4().hex
        self._on_server = False
        """It is there, or may be: nobody knows yet."""

    async def put(self, graph: Mapping[str, JsonValue]) -> None:
        """Queue it, trying again what failed on the way; `ImageBackendError` when the server does not take it."""

        async def once() -> None:
            # After a try that failed it may be there all the same.
            if not (self._on_server and await self._is_there()):
                await self._send(graph)

        await self.wire.persist(once)

    async def finished(self, every: float) -> dict[str, JsonValue]:
        """What the history has of it, asked for every so many seconds until it does.

        The queue is asked first: what has left it is in the history, or nowhere.
        """
        news = _News(self._tell)
        while (position := await self.wire.persist(self._position)) is not None:
            news.of(position)
            await anyio.sleep(every)
        entry = await self.wire.persist(self._entry)
        self._on_server = False
        if entry is None:
            raise ImageBackendError(
                f"{self.wire.server.who} has lost the prompt: it is neither in the queue nor in the history at "
                f"{self.wire.server.base_url}. The server was restarted, or somebody removed it. What was made is "
                "kept; resume the run to paint again."
            )
        return entry

    async def fetch(self, file: File) -> bytes:
        """A picture's bytes."""
        params = {"filename": file.filename, "subfolder": file.subfolder, "type": file.kind}

        async def once() -> bytes:
            mends = f"Was {file.filename} removed from the server's folder?"
            return (
                (await self.wire.send("GET", "/view", params=params)).checked(what="its own picture", mends=mends).body
            )

        return await self.wire.persist(once)

    async def take_back(self) -> None:
        """Remove it from the queue, or stop it when it is being painted. Errors do not matter any more."""
        if not self._on_server:
            return
        with anyio.CancelScope(shield=True), anyio.move_on_after(_FAREWELL):
            try:
                await self._withdraw()
            except TryError:
                return

    async def _withdraw(self) -> None:
        position = await self._position()
        if position is not None and position.ahead is not None:
            await self.wire.send("POST", "/queue", body={"delete": [position.prompt_id]}, seconds=_FAREWELL)
            position = await self._position()  # it may have begun between the two
        if position is not None and position.ahead is None:  # old servers stop whatever runs, whosever it is
            await self.wire.send("POST", "/interrupt", body={"prompt_id": position.prompt_id}, seconds=_FAREWELL)

    async def _send(self, graph: Mapping[str, JsonValue]) -> None:
        body: dict[str, JsonValue] = {
            "prompt": dict(graph),
            "client_id": self._client_id,
            "prompt_id": self._prompt_id,
        }
        self._on_server = True
        answer = await self.wire.send("POST", "/prompt", body=body, seconds=_SHORT)
        if answer.status == 400:
            self._on_server = False
            raise _refusal(answer.body)
        reply = as_object(answer.checked().json())
        self._prompt_id = text_of(reply, "prompt_id") or self._prompt_id
        if trouble := node_errors_in(reply):
            self.notes.append(f"The server leaves out some outputs: {ended(trouble)}")
            self._tell(f"{self.wire.server.who} leaves out some outputs: {trouble}")

    async def _is_there(self) -> bool:
        position = await self._position()
        if position is not None:
            self._prompt_id = position.prompt_id
            return True
        return await self._entry() is not None

    async def _position(self) -> Position | None:
        queue = await self._get("/queue")
        if not {"queue_running", "queue_pending"} <= set(queue):
            raise TryError(Failed("its answer to /queue is no queue", again=True))
        return position_in(queue, self._prompt_id, self._client_id)

    async def _entry(self) -> dict[str, JsonValue] | None:
        reply = await self._get(f"/history/{self._prompt_id}")
        found = reply.get(self._prompt_id)
        return as_object(found) if isinstance(found, dict) else None

    async def _get(self, path: str) -> dict[str, JsonValue]:
        answer = await self.wire.send("GET", path, seconds=_SHORT)
        return as_object(answer.checked().json())


class _News:
    """Tells where a prompt is: when that changes, and now and then how long it has been painting."""

    def __init__(self, tell: Tell) -> None:
        self._tell = tell
        self._last: Position | None = None
        self._began = self._told = anyio.current_time()

    def of(self, position: Position) -> None:
        now = anyio.current_time()
        if position == self._last and now - self._told < _NEWS:
            return
        if position != self._last:
            self._began = now
        self._last, self._told = position, now
        self._tell(_in_words(position, now - self._began))


def _in_words(position: Position, seconds: float) -> str:
    if position.ahead is None:
        return f"painting, {seconds:.0f} s"
    return "next in the queue" if position.ahead == 0 else f"in the queue behind {position.ahead}"


def _refusal(body: bytes) -> TryError:
    """The general sentence, and what is wrong with which node: the first alone says nothing."""
    nodes = node_errors_in(_object_in(body))
    said = ended(said_in(body).message)
    reason = f"{said} {nodes}" if nodes and nodes not in said else said
    return TryError(Failed(reason, again=False, status=400), what="the workflow", mends=_mends(reason))


def _object_in(body: bytes) -> dict[str, JsonValue]:
    try:
        return as_object(json.loads(body))
    except ValueError:
        return {}


def _mends(said: str) -> str:
    """What mends the two commonest refusals."""
    if "not in list" in said.lower():
        return "Choose one that the server has, in the workflow, or install it there."
    if "custom node" in said.lower() or "does not exist" in said.lower():
        return "Install that node on the server, or take it out of the workflow."
    return ""
