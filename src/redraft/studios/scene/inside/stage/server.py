"""Server that runs scripts in Blender: it forks a process for each, so that nothing of one survives it.

It imports `bpy` once and sets up the start of every script: Blender's factory settings (metric units) and an empty
scene, with no object, no camera and no light, and with one world, as dark a gray as in a new file of Blender's.

A job is `{"code", "seed", "seconds", "memory"}` (bytes), with `"confined": false` where the system cannot confine.
The answer is `{"blender", "printed", "notes", "seconds"}` and the `.blend`; or the script's error, as `ExecutionError`.
A script that crashes its process is run once more, so an answer may take twice its seconds. A process that was killed
from outside is an error of the stage, as is one that was not ready for its script.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import stat
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from redraft.errors import ExecutionError
from redraft.sandbox.processes import empty, signal_in_words
from redraft.sandbox.protocol import Data, Handler, serve
from redraft.studios.scene.inside.stage import messages
from redraft.studios.scene.inside.stage.child import MADE, READY, Ends, Job, Site, handlers_now, run
from redraft.studios.scene.inside.stage.watch import Ended, Pipes, adopt, scratch, watch

LEFT_OUT = frozenset(
    (("render", "render"), ("render", "opengl"), ("render", "view_show"), ("render", "play_rendered_anim"))
)
LEFT_OUT_NOTE = "bpy.ops.{name} was left out: redraft renders the scene itself."
QUIT = ("wm", "quit_blender")
QUIT_NOTE = "bpy.ops.wm.quit_blender ended the script at that place; what it had made was kept."


class _Instead:
    """An operator that is as Blender's own but for what calling it does."""

    def __init__(self, operator: Any, name: str, notes: list[str]) -> None:
        self._operator, self._name, self._notes = operator, name, notes

    def __getattr__(self, name: str) -> Any:
        return getattr(self._operator, name)

    def _note(self, words: str) -> None:
        if words not in self._notes:
            self._notes.append(words)


class _LeftOut(_Instead):
    def __call__(self, *context: object, **properties: object) -> set[str]:
        del context, properties
        self._note(LEFT_OUT_NOTE.format(name=self._name))
        return {"FINISHED"}


class _Quit(_Instead):
    def __call__(self, *context: object, **properties: object) -> set[str]:
        del context, properties
        self._note(QUIT_NOTE)
        raise SystemExit(0)


def take_over(notes: list[str]) -> None:
    """Disable these operators; each adds one line to `notes`."""
    import bpy

    module: Any = bpy.ops
    find_own: Callable[[str, str], Any] = module._bpy_ops_submodule__getattr__

    def find(group: str, name: str) -> Any:
        operator = find_own(group, name)
        if (group, name) in LEFT_OUT:
            return _LeftOut(operator, f"{group}.{name}", notes)
        return _Quit(operator, f"{group}.{name}", notes) if (group, name) == QUIT else operator

    module._bpy_ops_submodule__getattr__ = find


GRAY = 0.050876
"""Linear brightness of the world in a new file."""
MAX_BLEND = 64 << 20
"""Bytes of a scene's file."""
MAX_PRINTED = 2_000
"""Characters that are kept of what a script prints, the last ones."""


def main() -> None:
    """Serve until there are no more jobs."""
    serve(open_stage)


def open_stage() -> Handler:
    """Start Blender in the state that every script begins with; return what does the jobs."""
    foreign: list[int] = []  # descriptors that are open, but for the standard ones
    for descriptor in range(3, min(os.sysconf("SC_OPEN_MAX"), 1024)):
        with suppress(OSError):
            os.fstat(descriptor)
            foreign.append(descriptor)
    folder = scratch()
    adopt()
    import bpy

    from redraft.studios.scene.inside.advice.lookup import advise, advise_on_look

    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    world.color = (GRAY, GRAY, GRAY)
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (GRAY, GRAY, GRAY, 1.0)
    bpy.context.scene.world = world
    notes: list[str] = []
    take_over(notes)
    site = Site(folder, tuple(foreign), handlers_now(), advise, advise_on_look, notes)
    gc.collect()
    gc.freeze()  # what is there now is never looked at again, so that its memory stays shared
    return Stage(site, bpy.app.version_string).do


class Stage:
    """Blender with an empty scene, and a fork of it for each job."""

    def __init__(self, site: Site, version: str) -> None:
        self._site, self._version = site, version
        self.by = f"Blender {version}"

    def do(self, data: Data, blob: bytes) -> tuple[Mapping[str, Any], bytes]:
        """Run one script. Raises `ExecutionError` when the script fails."""
        del blob
        job = Job(data["code"], data["seed"], data["seconds"], data["memory"], data.get("confined", True))
        ended, blend = self._run(job)
        if ended.crashed:
            ended, blend = self._run(job)
        if ended.crashed:
            raise self._error(messages.crashed(ended, job.code))
        if ended.killed:
            raise RuntimeError(f"the process of the script {signal_in_words(ended.code)}, which redraft did not send")
        if ended.stopped:
            raise self._error(messages.stopped(ended, job.code, seconds=job.seconds, memory=job.memory))

        # A process that was ready for the script says so before its report; a script may write in its place.
        ready, _, text = bytes(ended.report).partition(READY)
        report: Any = None
        with suppress(ValueError, RecursionError):
            report = json.loads(text or ready)
        if ready:
            broken = cast("Data", report).get("broken") if isinstance(report, dict) else None
            raise RuntimeError(str(broken or "the process of the script said nothing before it began"))
        ended.report[:] = text
        match report:
            case {"failed": str(), "patches": list()} if all(map(_is_patch, report["patches"])):
                if report.get("fault"):
                    sys.stderr.write(f"{report['fault']}\n")
                raise self._error(report["failed"], report["patches"])
            case {"done": {"notes": list()}} if blend is not None and _are_texts(report["done"]["notes"]):
                return {
                    "blender": self._version,
                    "printed": self._clean(ended.printed.decode("utf-8", "replace"))[-MAX_PRINTED:],
                    "notes": [self._clean(note) for note in report["done"]["notes"]],
                    "seconds": round(ended.seconds, 3),
                }, blend
            case _:
                raise self._error(messages.no_report(ended))

    def _run(self, job: Job) -> tuple[Ended, bytes | None]:
        """Run one process for a script, until nothing of it remains; return its end, and the file that it made."""
        folder = self._site.folder
        empty(folder)
        ctypes.CDLL(None).fflush(None)
        inputs, outputs = zip(*(os.pipe() for _ in range(3)), strict=True)
        try:
            child = os.fork()
            if child == 0:
                run(job, Ends(*outputs), replace(self._site, foreign=(*self._site.foreign, *inputs)))
            for end in outputs:
                os.close(end)
            pipes = Pipes(*inputs)
            ended = watch(child, pipes, folder, seconds=job.seconds, memory=job.memory, alone=job.confined)
        finally:
            for end in inputs:
                os.close(end)
        try:
            return ended, self._read_blend(folder / MADE)
        finally:
            empty(folder)

    def _read_blend(self, path: Path) -> bytes | None:
        """Return the file of a scene; None without one. A script may have put anything in its place."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor: what was there cannot be exchanged
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                return None
            if status.st_size > MAX_BLEND:
                raise self._error(messages.too_large(status.st_size, MAX_BLEND))
            return file.read(MAX_BLEND)

    def _clean(self, text: str) -> str:
        return messages.clean(text, str(self._site.folder))

    def _error(self, text: str, patches: Sequence[Data] = ()) -> ExecutionError:
        clean = [{key: self._clean(v) if isinstance(v, str) else v for key, v in each.items()} for each in patches]
        return ExecutionError(self._clean(text), by=self.by, patches=clean)


def _are_texts(entries: list[object]) -> bool:
    return all(isinstance(entry, str) for entry in entries)


def _is_patch(entry: object) -> bool:
    """Whether an entry has the fields of `result.CodePatch`."""
    if not isinstance(entry, dict):
        return False
    kinds: dict[str, type] = {key: type(value) for key, value in cast("Data", entry).items()}
    return {"line": int, "before": str, "after": str}.items() <= kinds.items() and set(kinds.values()) <= {int, str}


if __name__ == "__main__":
    main()
