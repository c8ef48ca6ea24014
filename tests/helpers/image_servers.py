"""Image servers on loopback: one that speaks OpenAI's images API, one that speaks ComfyUI's; and how both fail.

Both are told beforehand what to do. What was received is kept in `received`.
"""

from __future__ import annotations

import base64
import io
import json
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from http_loopback import Drop, Hang, OnLoopback, Quiet, cut, send
from PIL import Image

Json = dict[str, Any]


@dataclass(frozen=True)
class Reply:
    """A whole HTTP response."""

    body: Json | list[Any] | str | bytes = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    @property
    def raw(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Half:
    """The headers promise the whole body, and the connection closes after its first half."""

    reply: Reply


Act = Reply | Drop | Half | Hang


@dataclass(frozen=True)
class Received:
    """One HTTP request."""

    method: str
    path: str
    query: dict[str, str]
    headers: dict[str, str]
    body: Json


class HttpServer(OnLoopback):
    """Answers with what `act` says; runs in threads of its own; a context manager."""

    def __init__(self, act: Callable[[Received], Act]) -> None:
        super().__init__(_handler(self))
        self._act = act
        self._lock = threading.Lock()
        self.received: list[Received] = []

    def asked(self, method: str, path: str) -> list[Received]:
        """What was received at a path that begins so."""
        return [each for each in self.received if each.method == method and each.path.startswith(path)]

    def answer(self, received: Received, handler: BaseHTTPRequestHandler) -> None:
        with self._lock:
            self.received.append(received)
            act = self._act(received)
        match act:
            case Reply():
                _send(handler, act, act.raw)
            case Half(reply):
                _send(handler, reply, reply.raw[: len(reply.raw) // 2])
                cut(handler)
            case Drop() | Hang():
                self.leave(act, handler)


def _handler(server: HttpServer) -> type[BaseHTTPRequestHandler]:
    class Handler(Quiet):
        def do_POST(self) -> None:
            self._take(self.rfile.read(int(self.headers.get("content-length", "0"))))

        def do_GET(self) -> None:
            self._take(b"")

        def _take(self, raw: bytes) -> None:
            parts = urlsplit(self.path)
            headers = {name.lower(): value for name, value in self.headers.items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            received = Received(self.command, parts.path, query, headers, json.loads(raw) if raw else {})
            server.answer(received, self)

    return Handler


def _send(handler: BaseHTTPRequestHandler, reply: Reply, raw: bytes) -> None:
    headers = {"content-type": "application/json", **reply.headers}
    send(handler, reply.status, headers, raw, len(reply.raw))


def picture(kind: str = "PNG", size: tuple[int, int] = (64, 48), colour: str = "teal", mode: str = "RGB") -> bytes:
    """A small picture of one colour."""
    buffer = io.BytesIO()
    Image.new(mode, size, colour).save(buffer, format=kind)
    return buffer.getvalue()


# OpenAI's images API


def openai_server(acts: Sequence[Act], files: Mapping[str, Act] | None = None) -> HttpServer:
    """Every POST gets the next of the prepared acts, the last one again and again; `files` are for GET, by path."""
    given = iter(range(len(acts)))

    def act(received: Received) -> Act:
        if received.method == "GET":
            return (files or {}).get(received.path, Reply("no such file", 404))
        return acts[next(given, len(acts) - 1)]

    return HttpServer(act)


def images_reply(png: bytes, **fields: Any) -> Json:
    """A reply with one picture inline."""
    return {"created": 1_700_000_000, "data": [{"b64_json": base64.b64encode(png).decode()}], **fields}


def openai_error(message: str, *, code: str | None = None, kind: str = "invalid_request_error", **fields: Any) -> Json:
    """An error body as OpenAI nests it."""
    return {"error": {"message": message, "type": kind, "param": fields.get("param"), "code": code}}


USAGE: Json = {
    "input_tokens": 50,
    "input_tokens_details": {"image_tokens": 0, "text_tokens": 50},
    "output_tokens": 4160,
    "total_tokens": 4210,
}


# ComfyUI


@dataclass
class Comfy:
    """A stand-in for ComfyUI: a queue, a history, files. One prompt is painted in so many looks at the queue.

    `acts` come first: the next of them answers the next request to its path, whatever the state.
    """

    looks: int = 1
    """How often /queue shows the prompt before the history has it."""
    ahead: int = 0
    """Other people's prompts that are before it: one running, the rest pending."""
    entry: Json | None = None
    """What the history will have of it; None: a success with one file."""
    own_ids: bool = True
    """It takes the ids that clients give, as newer versions do."""
    keeps: bool = False
    """What is to be removed from the queue stays in it."""
    vanishes: bool = False
    """It forgets everything once the prompt was seen: a restart."""
    acts: dict[str, list[Act]] = field(default_factory=dict[str, list[Act]])
    files: dict[str, bytes] = field(default_factory=lambda: {"redraft_00001_.png": picture()})
    prompts: dict[str, Json] = field(default_factory=dict[str, Json])
    """What was queued, by id."""
    stopped: list[str] = field(default_factory=list[str])
    """Ids that were interrupted."""
    deleted: list[str] = field(default_factory=list[str])
    _seen: int = 0

    def server(self) -> HttpServer:
        return HttpServer(self.act)

    def act(self, received: Received) -> Act:
        prepared = self.acts.get(received.path, [])
        if prepared:
            return self._while_doing(prepared.pop(0), received)
        return self._handled(received)

    def _while_doing(self, act: Act, received: Received) -> Act:
        """A prompt whose answer is lost was queued all the same."""
        if isinstance(act, Drop | Half) and received.path == "/prompt":
            self._handled(received)
        return act

    def _handled(self, received: Received) -> Act:
        match received.method, received.path.split("/")[1:]:
            case "POST", ["prompt"]:
                return self._queue(received.body)
            case "GET", ["queue"]:
                return Reply(self._shown_queue())
            case "GET", ["history", name]:
                return Reply({name: self._history(name)} if self._is_done(name) else {})
            case "GET", ["view"]:
                file = self.files.get(received.query["filename"])
                return Reply("", 404) if file is None else Reply(file, headers={"content-type": "image/png"})
            case "POST", ["queue"]:
                self.deleted += received.body["delete"]
                if not self.keeps:
                    for name in received.body["delete"]:
                        self.prompts.pop(name, None)
                return Reply("")
            case "POST", ["interrupt"]:
                self.stopped.append(received.body.get("prompt_id", "whatever runs"))
                return Reply("")
            case _:
                return Reply("404: Not Found", 404)

    def _queue(self, body: Json) -> Act:
        name = str(body["prompt_id"]) if self.own_ids else f"server-{len(self.prompts) + 1}"
        self.prompts[name] = body
        return Reply({"prompt_id": name, "number": 7, "node_errors": {}})

    def _shown_queue(self) -> Json:
        others: list[list[Any]] = [
            [number, f"other-{number}", {}, {"client_id": "somebody"}, []] for number in range(1, self.ahead + 1)
        ]
        ours: list[list[Any]] = [
            [7, name, {}, {"client_id": body["client_id"]}, []] for name, body in self.prompts.items()
        ]
        self._seen += bool(ours)
        if self._seen > self.looks:
            if self.vanishes:
                self.prompts.clear()
            return {"queue_running": [], "queue_pending": []}
        line = [*others, *ours]
        self.ahead = max(0, self.ahead - 1) if ours else self.ahead
        return {"queue_running": line[:1], "queue_pending": line[:0:-1]}  # a heap is in no order

    def _is_done(self, name: str) -> bool:
        return name in self.prompts and self._seen > self.looks

    def _history(self, name: str) -> Json:
        return self.entry or comfy_success()


def comfy_success(*files: tuple[str, str]) -> Json:
    """An entry of the history: (file name, type) in one output node."""
    images = [
        {"filename": name, "subfolder": "", "type": kind} for name, kind in files or [("redraft_00001_.png", "output")]
    ]
    status = {"status_str": "success", "completed": True, "messages": [["execution_success", {"prompt_id": "x"}]]}
    return {"prompt": [], "outputs": {"9": {"images": images}}, "status": status, "meta": {}}


def comfy_failure(event: str, **data: Any) -> Json:
    """An entry of the history that ended with this event."""
    messages = [["execution_start", {"prompt_id": "x"}], [event, {"node_id": "3", "node_type": "KSampler", **data}]]
    return {"prompt": [], "outputs": {}, "status": {"status_str": "error", "completed": False, "messages": messages}}


def comfy_workflow() -> Json:
    """Text to picture as ComfyUI's first example has it, in API format."""
    return {
        "3": {
            "class_type": "KSampler",
            "inputs": {
                "seed": 156680208700286,
                "steps": 20,
                "cfg": 8,
                "sampler_name": "euler",
                "scheduler": "normal",
                "denoise": 1,
                "model": ["4", 0],
                "positive": ["6", 0],
                "negative": ["7", 0],
                "latent_image": ["5", 0],
            },
        },
        "4": {"class_type": "CheckpointLoaderSimple", "inputs": {"ckpt_name": "painter.safetensors"}},
        "5": {"class_type": "EmptyLatentImage", "inputs": {"width": 512, "height": 512, "batch_size": 1}},
        "6": {"class_type": "CLIPTextEncode", "inputs": {"text": "a bottle", "clip": ["4", 1]}},
        "7": {"class_type": "CLIPTextEncode", "inputs": {"text": "text, watermark", "clip": ["4", 1]}},
        "8": {"class_type": "VAEDecode", "inputs": {"samples": ["3", 0], "vae": ["4", 2]}},
        "9": {"class_type": "SaveImage", "inputs": {"filename_prefix": "redraft", "images": ["8", 0]}},
    }
