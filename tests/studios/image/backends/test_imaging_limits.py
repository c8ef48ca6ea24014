"""Image servers and programs that send too much, or something else: an error in words, in bounded memory and time."""

from __future__ import annotations

import base64
import json
import shlex
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest
from image_servers import Reply, openai_server

from redraft.errors import ImageBackendError
from redraft.painting.base import ImageRequest, silent
from redraft.painting.settings import ImagingSettings
from redraft.studios.image.backends.command import CommandBackend
from redraft.studios.image.backends.openai import OpenAIBackend

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

REQUEST = ImageRequest(prompt="a lighthouse", seed=7, width=64, height=48)


async def refused(reply: Reply) -> str:
    """The words of the error at this reply."""
    with openai_server([reply]) as server:
        backend = OpenAIBackend("painter", ImagingSettings(base_url=f"{server.url}/v1", retries=0))
        with pytest.raises(ImageBackendError) as error:
            await backend.paint(REQUEST, silent)
    words = str(error.value)
    assert words.isprintable()
    assert len(words) < 1_500
    return words


async def test_a_compression_bomb_ends_at_the_limit() -> None:
    compressor = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    raw = b"".join(compressor.compress(b"0" * (1 << 20)) for _ in range(200)) + compressor.flush()
    words = await refused(Reply(raw, headers={"content-encoding": "gzip"}))
    assert "a response of an image server may have at most 128 MB. Check images.base_url." in words


async def test_a_body_that_cannot_be_decompressed() -> None:
    words = await refused(Reply(b"plain", headers={"content-encoding": "gzip"}))
    assert "the response cannot be read: its gzip compression is damaged" in words


@pytest.mark.parametrize(
    "data", [None, [], {}, 3, "x", [None], [3], [{"b64_json": 3}], [{"b64_json": []}], [{"url": 7}]]
)
async def test_data_of_another_shape(data: Any) -> None:
    await refused(Reply({"data": data}))


@pytest.mark.parametrize(
    "body",
    [
        "",
        "null",
        "3",
        "[]",
        "[" * 1_000_000,
        "9" * 100_000,
        '{"data": NaN}',
        "[" + "{}," * 1_000_000 + "{}]",
        "\x1b[31m",
    ],
    ids=lambda body: body[:12] or "empty",
)
@pytest.mark.parametrize("status", [200, 500])
async def test_a_body_that_is_no_reply(body: str, status: int) -> None:
    await refused(Reply(body, status))


async def test_a_picture_that_is_a_bomb() -> None:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return len(data).to_bytes(4) + kind + data + zlib.crc32(kind + data).to_bytes(4)

    header = (60_000).to_bytes(4) + (60_000).to_bytes(4) + bytes([8, 6, 0, 0, 0])
    png = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")
    words = await refused(Reply(json.dumps({"data": [{"b64_json": base64.b64encode(png).decode()}]})))
    assert "pixels" in words


@pytest.mark.parametrize("act", ["os.mkfifo(out)", "os.symlink('/dev/zero', out)", "os.mkdir(out)", "grow(out)"])
async def test_a_program_whose_file_cannot_be_read_whole(tmp_path: Path, act: str) -> None:
    program = tmp_path / "paint.py"
    grow = "def grow(out):\n    open(out, 'wb').truncate((128 << 20) + 1)\n"
    program.write_text(f"import os, sys\nout = sys.argv[1]\n{grow}{act}\n")
    line = f"{shlex.quote(sys.executable)} {shlex.quote(str(program))} {{out}}"
    with pytest.raises(ImageBackendError, match=r"wrote no picture: .*(regular file|at most 128 MB|directory)"):
        await CommandBackend(line, ImagingSettings(), tmp_path).paint(REQUEST, silent)
