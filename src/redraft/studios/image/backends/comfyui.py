"""ComfyUI over its HTTP interface: a workflow goes into the queue, is watched, and its first picture is fetched.

A prompt is sent under an id of our own, so that one whose answer was lost on the way is found again instead of being
painted twice. Servers too old for that assign an id themselves; ours is then recognized by its sender. A run that is
canceled or too slow takes back its own prompt and no other.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import anyio
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError
from redraft.limits import parse_json
from redraft.models.messages import as_list, as_object, clipped, ended, said_in, text_of
from redraft.models.network import Failed
from redraft.painting.base import ImageReply, ImageRequest, Notify, received
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.pictures import whole_in_thread
from redraft.studios.image.backends.transport import Server, Sleep, TryError, Wire
from redraft.studios.image.backends.workflow import Filled, read_workflow

COMFYUI_URL = "http://127.0.0.1:8188"
_SHORT = 30.0
"""Seconds for a question that is answered from memory."""
_WITHDRAWAL = 5.0
"""Seconds for taking a prompt back."""
_NEWS = 10.0
"""Seconds between two lines that only say how long it has been."""
_MOST_ERRORS = 4
"""Errors of one response that are quoted; the rest is counted."""


class ComfyUIBackend:
    """A workflow named `comfyui:FILE`, on the user's own server.

    Raises on construction:
        ConfigError: the workflow cannot be used, or a key that the settings name is missing.
    """

    def __init__(
        self, file: str, settings: ImagingSettings, folder: Path, *, sleep: Sleep = anyio.sleep, every: float = 1.0
    ) -> None:
        if not file:
            raise ConfigError("images.backend is 'comfyui:' and names no workflow, as in comfyui:workflow.json.")
        self._file = file
        self._settings = settings
        self._workflow = read_workflow(folder / Path(file).expanduser())
        self._server = _server(self.name, settings)
        self._sleep = sleep
        self._every = every

    @property
    def name(self) -> str:
        return f"comfyui:{self._file}"

    async def paint(self, request: ImageRequest, notify: Notify) -> ImageReply:
        """Paint one picture; `images.timeout` holds from the sending of the prompt to the last byte of the picture.

        Raises:
            ImageBackendError: the server is out of reach, refused the workflow, failed, lost the prompt, was too slow,
                or what came is not a picture.
        """
        filled = self._workflow.filled(request)
        async with Wire(self._server, notify, seed=request.seed, sleep=self._sleep) as wire:
            job = _Job(wire, notify)
            raw = await self._in_time(job, filled)
        picture = await whole_in_thread(raw, self.name)
        params = received(self.name, request, picture.size, picture.came_as, notify) | _params(filled, job)
        return ImageReply(png=picture.png, backend=self.name, cost=self._settings.price, params=params)

    async def _in_time(self, job: _Job, filled: Filled) -> bytes:
        """The picture's bytes; whatever ends the waiting before them takes the prompt back."""
        try:
            with anyio.fail_after(self._settings.timeout):
                return await self._painted(job, filled)
        except TimeoutError:
            await job.take_back()
            raise ImageBackendError(
                f"{self.name} painted nothing within {self._settings.timeout:g} s (images.timeout); the prompt was "
                "taken back. Give it more time, or a smaller picture."
            ) from None
        except BaseException:
            await job.take_back()
            raise

    async def _painted(self, job: _Job, filled: Filled) -> bytes:
        await job.put(filled.graph)
        entry = await job.finished(self._every)
        if failure := _failure_in(entry):
            raise ImageBackendError(f"{self.name} failed to paint: {ended(failure)}")
        files = _files_in(entry)
        if not files:
            raise ImageBackendError(
                f"{self.name} finished without a picture: no output node of the workflow gave one. It needs a Save "
                "Image node; and some servers give nothing new for what they painted just before."
            )
        if len(files) > 1:
            job.notes.append(f"{len(files)} pictures came; the first was taken ({files[0]['filename']}).")
        return await job.fetch(files[0])


def _server(who: str, settings: ImagingSettings) -> Server:
    key = os.environ.get(settings.api_key_env or "", "").strip()
    if settings.api_key_env and not key:
        raise ConfigError(f"The environment variable {settings.api_key_env} is not set (images.api_key_env names it).")
    base_url = (settings.base_url or COMFYUI_URL).rstrip("/")
    not_found = "Is there a ComfyUI at"
    return Server(who, base_url, settings.timeout, settings.retries, key, settings.api_key_env or "", not_found)


def _params(filled: Filled, job: _Job) -> dict[str, JsonValue]:
    """Values without a place in the workflow, and the server's notes."""
    params: dict[str, JsonValue] = {
        "seed": filled.seed if filled.seed is not None else "not sent: the workflow has no place for it"
    }
    if not filled.sized:
        params["size"] = "not sent: the workflow has no place for it"
    if job.wire.reasons:
        params["retry_reasons"] = list(job.wire.reasons)
    if job.notes:
        params["notes"] = list(job.notes)
    return params


@dataclass(frozen=True)
class _Position:
    """A prompt's position in the queue."""

    prompt_id: str
    ahead: int | None
    """Number of prompts before it; None while it is being painted."""

    def __str__(self) -> str:
        if self.ahead is None:
            return "painting"
        return "next in the queue" if self.ahead == 0 else f"in the queue behind {self.ahead}"


class _Job:
    """A prompt that is sent once, whatever happens to the answers."""

    def __init__(self, wire: Wire, notify: Notify) -> None:
        self.wire = wire
        self.notes: list[str] = []
        """For the record."""
        self._notify = notify
        self._prompt_id = str(uuid.uuid4())
        self._client_id = uuid.uuid4().hex
        self._on_server = False
        """It is there, or may be."""

    async def put(self, graph: Mapping[str, JsonValue]) -> None:
        """Queue it, trying again what failed on the way; `ImageBackendError` when the server does not take it."""

        async def once() -> None:
            # After a try that failed it may be there all the same.
            if not (self._on_server and await self._is_there()):
                await self._send(graph)

        await self.wire.persist(once)

    async def finished(self, every: float) -> dict[str, JsonValue]:
        """Return its entry in the history, asked for every so many seconds.

        The queue is asked first: what has left it is in the history, or nowhere.
        """
        last: _Position | None = None
        began = reported = anyio.current_time()
        while (position := await self.wire.persist(self._position)) is not None:
            now = anyio.current_time()
            if position != last or now - reported >= _NEWS:
                began = now if position != last else began
                last, reported = position, now
                self._notify(str(position) + (f", {now - began:.0f} s" if position.ahead is None else ""))
            await anyio.sleep(every)
        entry = await self.wire.persist(self._entry)
        self._on_server = False
        if entry is None:
            raise ImageBackendError(
                f"{self.wire.server.who} has lost the prompt: it is neither in the queue nor in the history at "
                f"{self.wire.server.base_url}. The server was restarted, or the prompt was removed. Finished work is "
                "kept; resume the run to paint again."
            )
        return entry

    async def fetch(self, file: Mapping[str, str]) -> bytes:
        """A picture's bytes; `file` as `/view` wants it."""
        fix = f"Was {file['filename']} removed from the server's folder?"

        async def once() -> bytes:
            return (await self.wire.send("GET", "/view", params=file)).checked(what="its own picture", fix=fix).body

        return await self.wire.persist(once)

    async def take_back(self) -> None:
        """Remove it from the queue, or stop it while it is being painted. Errors no longer matter."""
        if not self._on_server:
            return
        with anyio.CancelScope(shield=True), anyio.move_on_after(_WITHDRAWAL):
            try:
                position = await self._position()
                if position is not None and position.ahead is not None:
                    delete: dict[str, JsonValue] = {"delete": [position.prompt_id]}
                    await self.wire.send("POST", "/queue", body=delete, seconds=_WITHDRAWAL)
                    position = await self._position()  # it may have begun between the two
                if position is not None and position.ahead is None:  # old servers stop any running prompt
                    body: dict[str, JsonValue] = {"prompt_id": position.prompt_id}
                    await self.wire.send("POST", "/interrupt", body=body, seconds=_WITHDRAWAL)
            except TryError:
                return

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
        reply = as_object(await answer.checked().json())
        self._prompt_id = text_of(reply, "prompt_id") or self._prompt_id
        if trouble := _node_errors_in(reply):
            self.notes.append(f"The server leaves out some outputs: {ended(trouble)}")
            self._notify(f"{self.wire.server.who} leaves out some outputs: {trouble}")

    async def _is_there(self) -> bool:
        position = await self._position()
        if position is not None:
            self._prompt_id = position.prompt_id
            return True
        return await self._entry() is not None

    async def _position(self) -> _Position | None:
        """Return its position, found by its id or, where the server assigned another, by its sender."""
        queue = await self._get("/queue")
        if not {"queue_running", "queue_pending"} <= set(queue):
            raise TryError(Failed("its answer to /queue is not a queue", again=True))
        running = as_list(queue["queue_running"])
        pending = sorted((as_list(item) for item in as_list(queue["queue_pending"])), key=_number)
        places = [(item, None) for item in running] + [(item, len(running) + n) for n, item in enumerate(pending)]
        found = ((self._own_id(as_list(item)), ahead) for item, ahead in places)
        return next((_Position(own, ahead) for own, ahead in found if own), None)

    def _own_id(self, item: list[JsonValue]) -> str:
        """The id of an item of the queue, `[number, prompt_id, prompt, extra_data, …]`, if it is ours; else empty."""
        found = item[1] if len(item) > 1 and isinstance(item[1], str) else ""
        sender = text_of(as_object(item[3]), "client_id") if len(item) > 3 else ""
        return found if found and (found == self._prompt_id or sender == self._client_id) else ""

    async def _entry(self) -> dict[str, JsonValue] | None:
        found = (await self._get(f"/history/{self._prompt_id}")).get(self._prompt_id)
        return as_object(found) if isinstance(found, dict) else None

    async def _get(self, path: str) -> dict[str, JsonValue]:
        return as_object(await (await self.wire.send("GET", path, seconds=_SHORT)).checked().json())


def _number(item: list[JsonValue]) -> float:
    first = item[0] if item else 0
    return float(first) if isinstance(first, int | float) else 0.0


def _refusal(body: bytes) -> TryError:
    """The general sentence, what is wrong with which node, and how to fix the two most common errors."""
    try:
        nodes = _node_errors_in(as_object(parse_json(body)))
    except ValueError:
        nodes = ""
    said = ended(said_in(body).message)
    reason = f"{said} {nodes}" if nodes and nodes not in said else said
    fix = ""
    if "not in list" in reason.lower():
        fix = "Choose one that the server has, in the workflow, or install it there."
    elif "custom node" in reason.lower() or "does not exist" in reason.lower():
        fix = "Install that node on the server, or take it out of the workflow."
    return TryError(Failed(reason, again=False, status=400), what="the workflow", fix=fix)


def _node_errors_in(reply: Mapping[str, JsonValue]) -> str:
    """Return the server's errors by node, as `node 4 (CheckpointLoaderSimple): Value not in list: …`."""
    found = list(_node_errors(as_object(reply.get("node_errors"))))
    rest = f"; and {len(found) - _MOST_ERRORS} more" if len(found) > _MOST_ERRORS else ""
    return clipped("; ".join(found[:_MOST_ERRORS]) + rest)


def _node_errors(nodes: Mapping[str, JsonValue]) -> Iterator[str]:
    for name, node in nodes.items():
        fields = as_object(node)
        for error in map(as_object, as_list(fields.get("errors"))):
            message = ": ".join(filter(None, (text_of(error, "message"), text_of(error, "details"))))
            yield f"{_node(name, text_of(fields, 'class_type'))}: {message or 'an error without a message'}"


def _node(name: str, kind: str) -> str:
    return f"node {name or '?'}{f' ({kind})' if kind else ''}"


def _failure_in(entry: Mapping[str, JsonValue]) -> str | None:
    """Return the server's reason for a failed prompt; None when it did not fail. Old servers keep no status."""
    status = as_object(entry.get("status"))
    for event in map(as_list, as_list(status.get("messages"))):
        data = as_object(event[1]) if len(event) > 1 else {}
        node = _node(text_of(data, "node_id"), text_of(data, "node_type"))
        if event[:1] == ["execution_error"]:
            said = text_of(data, "exception_message") or "an error without a message"
            return clipped(f"{node}: {text_of(data, 'exception_type')}: {said}")
        if event[:1] == ["execution_interrupted"]:
            return f"it was stopped on the server, at {node}"
    return "it ended with an error without a message" if text_of(status, "status_str") == "error" else None


def _files_in(entry: Mapping[str, JsonValue]) -> list[dict[str, str]]:
    """The pictures of all output nodes, as `/view` takes them; saved ones before previews, else in the server's
    order."""
    nodes = map(as_object, as_object(entry.get("outputs")).values())
    images = (as_object(image) for node in nodes for image in as_list(node.get("images")))
    files = [{name: text_of(image, name) for name in ("filename", "subfolder", "type")} for image in images]
    files = [{**file, "type": file["type"] or "output"} for file in files if file["filename"]]
    return sorted(files, key=lambda file: file["type"] != "output")
