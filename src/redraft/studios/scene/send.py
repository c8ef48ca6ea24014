"""Sending of a delivered scene into an open Blender, where redraft's add-on places it: see docs/blender.md."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redraft.errors import SendError
from redraft.limits import RECORD, SCENE, open_file, read_file
from redraft.text import plural

HOST = "127.0.0.1"
MAX_ANSWER = 1_000_000
"""Bytes of an answer that are read."""
CONNECT_TIMEOUT = 5.0
PLACE_TIMEOUT = 600.0
"""Seconds until the add-on answers: it waits a minute for Blender, which may then work for long."""
TYPES = {"blend": "application/x-blender", "glb": "model/gltf-binary"}
START = "in Blender, open the sidebar of the 3D viewport (N), tab redraft, and press Start Listening"
GET = "If the tab is missing, install the add-on: redraft setup blender-addon"


class Sent(BaseModel):
    """The answer of Blender: where the scene is now."""

    model_config = ConfigDict(frozen=True)

    collection: str
    objects: tuple[str, ...]
    """Names, the first 200."""
    count: int
    """Number of all objects."""
    how: Literal["append", "import"]
    """The `.blend` was appended, or the `.glb` imported."""
    blender: str
    """Version of the open Blender."""
    left_out: tuple[str, ...] = ()
    """Text blocks, and drivers that run Python."""
    reason: str = ""
    """Reason for which the `.glb` was imported; empty where the `.blend` was appended."""

    def line(self) -> str:
        """Return it in words: `4 objects, appended to the collection apple of Blender 5.0.1`."""
        done = "appended" if self.how == "append" else "imported"
        objects = plural(self.count, "object")
        return f"{objects}, {done} into the new collection {self.collection!r} in Blender {self.blender}"

    def notes(self) -> list[str]:
        """Return lines about what was sent otherwise, or left out."""
        imported = [f"sent as .glb: {self.reason}"] if self.reason else []
        return [*imported, *(f"not sent: {thing}, which could run in Blender." for thing in self.left_out)]


class _Connection(BaseModel):
    port: int = Field(ge=1024, le=65535)
    token: str = Field(pattern=r"^[\w-]{16,200}$")


class _Refusal(BaseModel):
    error: str = Field(max_length=2000)
    send: Literal["", "glb"] = ""


def connection_file() -> Path:
    """Return the file in which the add-on keeps its port and token while it listens."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "redraft" / "blender.json"


def send(scene: Path | Mapping[str, Path], name: str = "") -> Sent:
    """Place a scene into the open Blender, in a new collection; its `.glb` where that Blender cannot read its `.blend`.

    Args:
        scene: the folder of a run, or files by role: `blend`, `glb`, or both.
        name: of the collection; by default that of the folder.

    Raises:
        SendError: no Blender listens, it refused, or it was closed before it answered. The files are as they were.
    """
    files = {role: scene / f"scene.{role}" for role in TYPES} if isinstance(scene, Path) else dict(scene)
    files = {role: files[role] for role in TYPES if role in files and files[role].is_file()}
    if not files:
        raise SendError(f"There is no scene to send: {scene} has no scene.blend and no scene.glb.")
    name = name or next(iter(files.values())).resolve().parent.name
    reason = ""
    for role, file in files.items():
        answer = _post(TYPES[role], file, name)
        if isinstance(answer, Sent):
            return answer.model_copy(update={"reason": reason})
        if answer.send not in files:
            raise SendError(f"Blender did not take {file.name}: {answer.error}")
        reason = answer.error
    raise SendError(f"Blender did not take the scene: {reason}")


def _post(kind: str, file: Path, name: str) -> Sent | _Refusal:
    """Send one file to the Blender that listens; return the answer."""
    own = connection_file()
    try:
        to = _Connection.model_validate_json(read_file(own, RECORD))
    except FileNotFoundError as error:
        raise SendError(f"Blender is not listening: {own} is missing. To fix this, {START}. {GET}") from error
    except (OSError, ValidationError) as error:
        problem = error.strerror if isinstance(error, OSError) else "no port and token"
        raise SendError(f"{own} cannot be used: {problem}. Stop and start listening in Blender.") from error

    place = f"{HOST}:{to.port}"
    try:
        size = file.stat().st_size
        if size > SCENE.size:
            raise SendError(f"{file} has {size:,} bytes; Blender takes up to {SCENE.size:,}.")
        with (
            closing(HTTPConnection(HOST, to.port, timeout=CONNECT_TIMEOUT, blocksize=2**20)) as http,
            open_file(file, SCENE) as body,
        ):
            http.connect()
            http.sock.settimeout(PLACE_TIMEOUT)
            headers = {"Authorization": f"Bearer {to.token}", "Content-Type": kind, "Content-Length": str(size)}
            with suppress(BrokenPipeError, ConnectionResetError):  # it may have refused before it took all
                http.request("POST", f"/place?name={quote(name)}", body, headers)
            response = http.getresponse()
            answer = response.read(MAX_ANSWER)
    except ConnectionRefusedError as error:
        raise SendError(f"Blender no longer listens at {place}. To fix this, {START}.") from error
    except (OSError, HTTPException) as error:
        raise SendError(
            f"{file.name} was not placed, as far as is known: the connection to Blender at {place} ended "
            f"({error or type(error).__name__}). If Blender was closed, open it, start listening, and send again."
        ) from error
    try:
        return (Sent if response.status == 200 else _Refusal).model_validate_json(answer)
    except ValidationError as error:
        raise SendError(
            f"What listens at {place} is not redraft's add-on. Start listening in Blender again."
        ) from error
