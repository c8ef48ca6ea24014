"""ComfyUI over its HTTP interface: a workflow goes into the queue, is watched, and its first picture is fetched.

A prompt is sent under an id of our own, so that one whose answer was lost on the way is found again instead of being
painted twice; servers that are too old for that give an id, and ours is then known by its sender. A run that is
cancelled, or too slow, takes back its own prompt and nobody else's.
"""

from __future__ import annotations

import os
from pathlib import Path

import anyio
from pydantic import JsonValue

from redraft.errors import ConfigError, ImageBackendError
from redraft.imaging.base import ImageReply, ImageRequest, Tell
from redraft.imaging.comfyui_job import Job
from redraft.imaging.comfyui_words import failure_in, files_in
from redraft.imaging.pictures import whole_in_thread
from redraft.imaging.received import received
from redraft.imaging.settings import ImagingSettings
from redraft.imaging.transport import Server, Sleep, Wire
from redraft.imaging.words import ended
from redraft.imaging.workflow import Filled, read_workflow

__all__ = ["COMFYUI_URL", "ComfyUIBackend"]

COMFYUI_URL = "http://127.0.0.1:8188"


class ComfyUIBackend:
    """A workflow named `comfyui:FILE`, on a server of the person's own.

    Raises on construction:
        ConfigError: the workflow is no use, or a key that the settings name is missing.
    """

    def __init__(
        self, file: str, settings: ImagingSettings, folder: Path, *, sleep: Sleep = anyio.sleep, every: float = 1.0
    ) -> None:
        if not file:
            raise ConfigError("images.backend is 'comfyui:', and names no workflow, as in comfyui:workflow.json.")
        self._file = file
        self._settings = settings
        self._workflow = read_workflow(folder / Path(file).expanduser())
        self._server = _server(self.name, settings)
        self._sleep = sleep
        self._every = every

    @property
    def name(self) -> str:
        return f"comfyui:{self._file}"

    async def paint(self, request: ImageRequest, tell: Tell) -> ImageReply:
        """Paint one picture; `images.timeout` holds from the sending of the prompt to the last byte of the picture.

        Raises:
            ImageBackendError: the server is out of reach, refused the workflow, failed, lost the prompt, was too slow,
                or what came is no picture.
        """
        filled = self._workflow.filled(request)
        async with Wire(self._server, tell, seed=request.seed, sleep=self._sleep) as wire:
            job = Job(wire, tell)
            raw = await self._in_time(job, filled)
        picture = await whole_in_thread(raw, self.name)
        params = received(self.name, request, picture, tell) | _params(filled, job)
        return ImageReply(png=picture.png, backend=self.name, cost=self._settings.price, params=params)

    async def _in_time(self, job: Job, filled: Filled) -> bytes:
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

    async def _painted(self, job: Job, filled: Filled) -> bytes:
        await job.put(filled.graph)
        entry = await job.finished(self._every)
        if failure := failure_in(entry):
            raise ImageBackendError(f"{self.name} failed to paint: {ended(failure)}")
        files = files_in(entry)
        if not files:
            raise ImageBackendError(
                f"{self.name} finished without a picture: no output node of the workflow gave one. It needs a Save "
                "Image node; and some servers give nothing new for what they painted just before."
            )
        if len(files) > 1:
            job.notes.append(f"{len(files)} pictures came; the first was taken ({files[0].filename}).")
        return await job.fetch(files[0])


def _server(who: str, settings: ImagingSettings) -> Server:
    key = ""
    if settings.api_key_env is not None:
        key = os.environ.get(settings.api_key_env, "").strip()
        if not key:
            raise ConfigError(
                f"The environment variable {settings.api_key_env} is not set (images.api_key_env names it)."
            )
    base_url = (settings.base_url or COMFYUI_URL).rstrip("/")
    return Server(
        who, base_url, settings.timeout, settings.retries, key, settings.api_key_env or "", "Is there a ComfyUI at"
    )


def _params(filled: Filled, job: Job) -> dict[str, JsonValue]:
    """What the workflow has no place for is said; what the server said on the way is kept."""
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
