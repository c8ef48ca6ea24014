"""A client for agents that have a shell and nothing else: the MCP server's tools as commands, with a log of each call.

    python benchmarks/agent_client.py serve FOLDER [--bare PYTHON]    # keeps the server running, until killed
    python benchmarks/agent_client.py tools FOLDER [NAME …]    # instructions and tools, as a client shows them
    python benchmarks/agent_client.py call FOLDER TOOL JSON    # JSON, or @FILE that holds it; saves pictures

`--bare PYTHON` (an interpreter with `bpy`) serves what the popular Blender server offers instead: `execute_code` in a
Blender that keeps its state, and
`screenshot`. Pictures are written to `FOLDER/seen/` and their paths printed. `FOLDER/calls.jsonl` holds a line for each
call: tool, seconds, whether it failed, characters of arguments and answer, number of pictures.
"""

from __future__ import annotations

import base64
import json
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import anyio
from mcp.client.stdio import StdioServerParameters, stdio_client

from mcp import Client

Answer = tuple[str, list[bytes], bool]
"""Text, pictures, and whether the call failed."""
Call = Callable[[str, dict[str, Any]], Awaitable[Answer]]

BARE = """
import contextlib, io, json, math, os, sys, traceback
out = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
import bpy
from mathutils import Vector

names = {"bpy": bpy, "__name__": "__main__"}

def execute(code):
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        try:
            exec(compile(code, "code", "exec"), names)
        except BaseException:
            return "Error executing code: " + traceback.format_exc(limit=-2)
    return "Code executed successfully: " + said.getvalue()[-4000:]

def screenshot(path):
    scene = bpy.context.scene
    render, own = scene.render, scene.camera
    kept = render.engine, render.filepath, render.resolution_x, render.resolution_y
    camera = None
    if own is None:
        meshes = [o for o in scene.objects if o.type == "MESH"]
        corners = [o.matrix_world @ Vector(c) for o in meshes for c in o.bound_box] or [Vector()]
        middle = sum(corners, Vector()) / len(corners)
        size = max((c - middle).length for c in corners) or 1.0
        camera = bpy.data.objects.new("viewport", bpy.data.cameras.new("viewport"))
        scene.collection.objects.link(camera)
        camera.location = middle + Vector((1.0, -1.0, 0.7)).normalized() * size * 3
        camera.rotation_euler = (middle - camera.location).to_track_quat("-Z", "Y").to_euler()
        scene.camera = camera
    render.engine, render.filepath = "BLENDER_WORKBENCH", path
    render.resolution_x, render.resolution_y = 800, 800
    scene.display.shading.color_type = "MATERIAL"
    bpy.ops.render.render(write_still=True)
    scene.camera = own
    render.engine, render.filepath, render.resolution_x, render.resolution_y = kept
    if camera is not None:
        bpy.data.objects.remove(camera)

for line in sys.stdin:
    asked = json.loads(line)
    said = execute(asked["code"]) if "code" in asked else screenshot(asked["path"]) or ""
    out.write(json.dumps(said) + "\\n")
    out.flush()
"""
BARE_TOOLS = """Tools of the Blender server:

execute_code {"code": "…"}: execute arbitrary Python code in Blender. Do it step by step, in smaller chunks. The scene
  keeps its state between calls; it begins empty. Lengths are meters.
screenshot {}: a picture of the current 3D viewport (through the scene's camera if there is one).
"""


def place(folder: Path) -> str:
    """The socket's address; abstract, so that a long path does no harm."""
    return f"\0redraft-agent-{folder.resolve()}"[:100]


class Bare:
    """A Blender that executes whatever it gets."""

    def __init__(self, folder: Path, python: str) -> None:
        (folder / "bare.py").write_text(BARE)
        self.folder, self.count = folder, 0
        self.process = subprocess.Popen(
            [Path(python).absolute(), folder / "bare.py"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=folder,
            text=True,
        )

    def call(self, tool: str, arguments: dict[str, Any]) -> Answer:
        path = self.folder / f"shot-{self.count}.png"
        self.count += 1
        asked = {"code": arguments["code"]} if tool == "execute_code" else {"path": str(path)}
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        said = json.loads(self.process.stdout.readline())
        return said, [path.read_bytes()] if path.exists() else [], said.startswith("Error")


async def serve(folder: Path, bare: str) -> None:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(place(folder))
    listening.listen()
    (folder / "seen").mkdir(parents=True, exist_ok=True)
    if bare:
        blender = Bare(folder, bare)

        async def bare_call(tool: str, arguments: dict[str, Any]) -> Answer:
            return await anyio.to_thread.run_sync(blender.call, tool, arguments)

        while True:
            await answered(folder, listening, bare_call, None)
    command = StdioServerParameters(command=sys.executable, args=["-m", "redraft", "mcp", str(folder)])
    async with Client(stdio_client(command)) as client:

        async def call(tool: str, arguments: dict[str, Any]) -> Answer:
            result = await client.call_tool(tool, arguments)
            text = "\n".join(block.text for block in result.content if block.type == "text")
            pictures = [base64.b64decode(block.data) for block in result.content if block.type == "image"]
            return text, pictures, bool(result.is_error)

        while True:
            await answered(folder, listening, call, client)


async def answered(folder: Path, listening: socket.socket, call: Call, client: Client | None) -> None:
    """One command from `tools` or `call`, answered and logged."""
    peer, _ = await anyio.to_thread.run_sync(listening.accept)
    with peer, peer.makefile("rw", encoding="utf-8") as stream:
        asked = json.loads(await anyio.to_thread.run_sync(stream.readline))
        if "tool" not in asked:
            said = BARE_TOOLS if client is None else await described(client, asked["names"])
            stream.write(json.dumps({"text": said, "files": []}))
            return
        began = time.monotonic()
        try:
            text, pictures, failed = await call(asked["tool"], asked["arguments"])
        except Exception as error:  # the protocol's own errors are an answer too
            text, pictures, failed = f"{type(error).__name__}: {error}", [], True
        files: list[Path] = []
        for number, png in enumerate(pictures):
            files.append(folder / "seen" / f"{int(time.time() * 10)}-{asked['tool']}-{number}.png")
            files[-1].write_bytes(png)
        line = {
            "tool": asked["tool"],
            "seconds": round(time.monotonic() - began, 1),
            "failed": failed,
            "arguments": len(json.dumps(asked["arguments"])),
            "answer": len(text),
            "pictures": len(pictures),
        }
        with (folder / "calls.jsonl").open("a") as log:
            log.write(json.dumps(line) + "\n")
        stream.write(json.dumps({"text": text, "files": [str(file) for file in files]}))


async def described(client: Client, names: list[str]) -> str:
    """What a client shows its model: the server's instructions, and each tool with its schema."""
    parts = [client.instructions or ""] if not names else []
    tools = [tool for tool in (await client.list_tools()).tools if not names or tool.name in names]
    parts += [f"## {tool.name}\n{tool.description}\narguments: {json.dumps(tool.input_schema)}" for tool in tools]
    return "\n\n".join(parts)


def ask(folder: Path, asked: dict[str, Any]) -> None:
    with socket.socket(socket.AF_UNIX) as peer, peer.makefile("rw", encoding="utf-8") as stream:
        peer.connect(place(folder))
        stream.write(json.dumps(asked) + "\n")
        stream.flush()
        answer = json.loads(stream.read())
    print(answer["text"])
    for file in answer["files"]:
        print(f"picture: {file}")


def main() -> None:
    verb, folder, *more = sys.argv[1:]
    if verb == "serve":
        anyio.run(serve, Path(folder), more[1] if more else "")
    elif verb == "tools":
        ask(Path(folder), {"names": more})
    else:
        text = more[1] if len(more) > 1 else "{}"
        arguments = json.loads(Path(text[1:]).read_text() if text.startswith("@") else text)
        ask(Path(folder), {"tool": more[0], "arguments": arguments})


if __name__ == "__main__":
    main()
