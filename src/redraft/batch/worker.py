"""One run of a batch, carried out in a process that does nothing else meanwhile."""

from __future__ import annotations

import os
import signal
import tempfile
import time
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from redraft.api import aresume, arun
from redraft.batch.briefs import PlannedRun
from redraft.batch.rows import Row, begun, failed, row_of
from redraft.errors import RedraftError, RunLockedError
from redraft.loop.run import SURROUNDINGS
from redraft.record.journal import is_written
from redraft.sandbox.protocol import die_with

if TYPE_CHECKING:
    from redraft.batch.shared import Shared

SAFE_PATH = "PYTHONSAFEPATH"
"""Set where processes of a batch start, and taken out of their environment: a backend's program has its own path."""
WRITER_TIMEOUT = 60.0
"""Seconds to wait for a process that still writes the run, such as one of a driver that was killed."""


def in_process(run: PlannedRun, folder: Path, shared: Shared, parent: int, scratch: Path) -> Row:
    """Carry out a run in a process of the pool, which ends with its parent.

    Ctrl-C and temporary files are left to the parent.
    """
    os.environ.pop(SAFE_PATH, None)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with(parent)
    tempfile.tempdir = str(scratch)
    return carry_out_one(run, folder, shared)


def carry_out_one(run: PlannedRun, folder: Path, shared: Shared) -> Row:
    """Carry out a run in its folder, or resume it there; a finished one is not repeated. All errors are in the row."""
    began = time.monotonic()
    try:
        error = anyio.run(_carried_out, run, folder, shared)
        if begun(folder):
            return row_of(run.id, run.line, folder, seconds=round(time.monotonic() - began, 3), error=error)
    except RedraftError as failure:
        error = str(failure)
    return failed(run.id, run.line, error, run.studio, run.instruction)


async def _carried_out(run: PlannedRun, folder: Path, shared: Shared) -> str:
    """Carry out a run; return the reason that it has no result, or nothing."""
    token = SURROUNDINGS.set(shared.around(run.id))
    try:
        with anyio.move_on_after(WRITER_TIMEOUT):
            while is_written(folder):  # noqa: ASYNC110  another process writes a file and sends no signal
                await anyio.sleep(0.1)
        if begun(folder):
            if not row_of(run.id, run.line, folder).finished:  # by a process that outlived its driver
                await aresume(folder, caps=run.config.budget.model_dump(), as_recorded=True)
        else:
            await arun(
                run.studio,
                run.instruction,
                config=run.config,
                out=folder,
                described=run.described,
                **run.inputs,
            )
    except RunLockedError:
        return (
            f"another process has been writing {folder} for {WRITER_TIMEOUT:.0f} s; run the batch again when it is done"
        )
    except RedraftError as error:
        return str(error)
    except Exception as error:  # a fault in one run ends no other
        place = traceback.extract_tb(error.__traceback__)[-1]
        return (
            f"Internal error in redraft: {type(error).__name__}: {error} (in {Path(place.filename).name}, line "
            f"{place.lineno}). Please report it."
        )
    finally:
        SURROUNDINGS.reset(token)
    return ""
