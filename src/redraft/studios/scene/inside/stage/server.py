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
    found: Callable[[str, str], Any] = module._bpy_ops_submodule__getattr__

    def find(group: str, name: str) -> Any:
        operator = found(group, name)
        if (group, name) in LEFT_OUT:
            return _LeftOut(operator, f"{group}.{name}", notes)
        return _Quit(operator, f"{group}.{name}", notes) if (group, name) == QUIT else operator

    module._bpy_ops_submodule__getattr__ = find


GREY = 0.050876
"""Linear brightness of the world in a new file."""
MOST_BLEND = 64 << 20
"""Bytes of a scene's file."""
MOST_PRINTED = 2_000
"""Characters, the last ones."""


def main() -> None:
    """Serve until there are no more jobs."""
    serve(open_stage)


def open_stage() -> Handler:
    """What does the jobs: Blender is started and in the state that every script begins with."""
    foreign = _descriptors()
    folder = scratch()
    adopt()
    import bpy

    from redraft.studios.scene.inside.advice.lookup import advise, advise_on_look

    _empty_scene()
    notes: list[str] = []
    take_over(notes)
    site = Site(folder, foreign, handlers_now(), advise, advise_on_look, notes)
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
        ended, made = self._run(job)
        if ended.crashed:
            ended, made = self._run(job)
        if ended.crashed:
            raise self._error(messages.crashed(ended, job.code))
        if ended.killed:
            raise RuntimeError(f"the process of the script {signal_in_words(ended.code)}, which redraft did not send")
        if ended.stopped:
            raise self._error(messages.stopped(ended, job.code, seconds=job.seconds, memory=job.memory))
        report: Any = _report(ended)
        match report:
            case {"failed": str(), "patches": list()} if all(map(_is_patch, report["patches"])):
                if report.get("fault"):
                    sys.stderr.write(f"{report['fault']}\n")
                raise self._error(report["failed"], report["patches"])
            case {"done": {"notes": list()}} if made is not None and _are_notes(report["done"]["notes"]):
                return {
                    "blender": self._version,
                    "printed": self._clean(ended.printed.decode("utf-8", "replace"))[-MOST_PRINTED:],
                    "notes": [self._clean(note) for note in report["done"]["notes"]],
                    "seconds": round(ended.seconds, 3),
                }, made
            case _:
                raise self._error(messages.no_report(ended))

    def _run(self, job: Job) -> tuple[Ended, bytes | None]:
        """One process for a script, from the fork until nothing of it is left; and the file that it made."""
        folder = self._site.folder
        empty(folder)
        ctypes.CDLL(None).fflush(None)
        inputs, outputs = zip(*(os.pipe() for _ in range(3)), strict=True)
        try:
            child = os.fork()
            if child == 0:
                run(job, Ends(*outputs), _beside(self._site, inputs))
            for end in outputs:
                os.close(end)
            pipes = Pipes(*inputs)
            ended = watch(child, pipes, folder, seconds=job.seconds, memory=job.memory, alone=job.confined)
        finally:
            for end in inputs:
                os.close(end)
        try:
            return ended, self._made(folder / MADE)
        finally:
            empty(folder)

    def _made(self, path: Path) -> bytes | None:
        """The file of a scene; None where there is none. A script may have put anything in its place."""
        try:
            descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError:
            return None
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a descriptor: what was there cannot be exchanged
            found = os.fstat(descriptor)
            if not stat.S_ISREG(found.st_mode):
                return None
            if found.st_size > MOST_BLEND:
                raise self._error(messages.too_large(found.st_size, MOST_BLEND))
            return file.read(MOST_BLEND)

    def _clean(self, text: str) -> str:
        return messages.clean(text, str(self._site.folder))

    def _error(self, text: str, patches: Sequence[Data] = ()) -> ExecutionError:
        clean = [{key: self._clean(v) if isinstance(v, str) else v for key, v in each.items()} for each in patches]
        return ExecutionError(self._clean(text), by=self.by, patches=clean)


def _report(ended: Ended) -> Data:
    """What the child said of its end; nothing where it said none, or where a script wrote in its place.

    Raises:
        RuntimeError: the process was not ready for the script, in its words.
    """
    ready, _, text = bytes(ended.report).partition(READY)
    try:
        report = json.loads(text or ready)
    except (ValueError, RecursionError):
        report = {}
    found = cast("Data", report) if isinstance(report, dict) else {}
    if ready:
        raise RuntimeError(str(found.get("broken", "the process of the script said nothing before it began")))
    ended.report[:] = text
    return found


def _are_notes(found: list[object]) -> bool:
    return all(isinstance(note, str) for note in found)


def _is_patch(found: object) -> bool:
    """Whether an entry has the fields of `result.CodePatch`."""
    if not isinstance(found, dict):
        return False
    kinds: dict[str, type] = {key: type(value) for key, value in cast("Data", found).items()}
    return {"line": int, "before": str, "after": str}.items() <= kinds.items() and set(kinds.values()) <= {int, str}


def _beside(site: Site, more: tuple[int, ...]) -> Site:
    return replace(site, foreign=(*site.foreign, *more))


def _descriptors() -> tuple[int, ...]:
    """Those that are open, but for the standard ones."""
    most = os.sysconf("SC_OPEN_MAX")
    found: list[int] = []
    for descriptor in range(3, min(most, 1024)):
        try:
            os.fstat(descriptor)
        except OSError:
            continue
        found.append(descriptor)
    return tuple(found)


def _empty_scene() -> None:
    import bpy

    bpy.ops.wm.read_factory_settings(use_empty=True)
    world = bpy.data.worlds.new("World")
    world.use_nodes = True
    world.color = (GREY, GREY, GREY)
    world.node_tree.nodes["Background"].inputs["Color"].default_value = (GREY, GREY, GREY, 1.0)
    bpy.context.scene.world = world


if __name__ == "__main__":
    main()
