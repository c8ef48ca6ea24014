"""Runs of a batch on a Ray cluster: one task a run, with the retries and resources that Ray has."""

from __future__ import annotations

import asyncio
import io
import os
import pickle
import secrets
import socket
import tarfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread

from redraft.batch.briefs import PlannedRun
from redraft.batch.rows import Row, begun, failed, row_of
from redraft.batch.shared import SNAPSHOT, Shared
from redraft.batch.worker import carry_out_one
from redraft.errors import ConfigError, MissingPartError, RunError
from redraft.files import temporary, write_atomic
from redraft.limits import SETTINGS, read_text

RETRIES = 3
"""Times that a task is started again if its worker or its node is lost."""
MARK = "mark"
"""The file in a batch's own folder by which a node finds out whether it shares the folder."""


def resources_of(texts: Sequence[str]) -> dict[str, dict[str, float]]:
    """Read the resources of each studio's runs: `shader=gpu` or `scene=blender:0.5`. Raises `ConfigError`."""
    needs: dict[str, dict[str, float]] = {}
    for text in texts:
        studio, _, need = text.partition("=")
        name, colon, number = need.partition(":")
        try:
            amount = float(number) if colon else 1.0
        except ValueError:
            amount = 0.0
        if not studio or not name or not 0 < amount < 1e6:
            raise ConfigError(
                f"resource is {text!r}; give a studio and what it needs, as in shader=gpu or scene=blender:0.5."
            )
        needs.setdefault(studio, {})[name] = amount
    return needs


@asynccontextmanager
async def on_ray(
    address: str, workers: int | None, resources: Mapping[str, Mapping[str, float]], state: Path
) -> AsyncGenerator[Callable[[PlannedRun, Path, Shared], Awaitable[Row]]]:
    """Submit runs to a cluster, or without an address to one that is started on this machine for the batch.

    Raises:
        MissingPartError: Ray is not installed. RunError: no cluster answers.
    """
    ray, started = _connect(address, workers)
    from ray.exceptions import RayError, RayTaskError

    mark = secrets.token_hex()
    write_atomic(state / MARK, mark)
    available = ray.cluster_resources()
    snapshot = ray.put(await anyio.to_thread.run_sync(packed, state, *SNAPSHOT))
    task = ray.remote(num_cpus=1, max_retries=RETRIES)(_task())
    limiter = anyio.CapacityLimiter(workers or 1_000_000)

    async def submit(run: PlannedRun, folder: Path, shared: Shared) -> Row:
        needs = dict(resources.get(run.studio, {}))
        if missing := [name for name in needs if ("GPU" if name == "gpu" else name) not in available]:
            reason = f"no node of the cluster has the resource {missing[0]!r}; it has {', '.join(sorted(available))}"
            return failed(run.id, run.line, reason, run.studio, run.instruction)
        configured = task.options(num_gpus=needs.pop("gpu", 0), resources=needs, name=f"redraft {run.id}")
        before = await anyio.to_thread.run_sync(packed, folder, "*") if begun(folder) else b""
        async with limiter:
            ref = configured.remote(
                version("redraft"), str(Path.cwd()), pickle.dumps((run, folder, shared, mark, before)), snapshot
            )
            try:
                data, files = await asyncio.wrap_future(ref.future())
            except RayError as error:
                line = str(error).strip().splitlines()[-1 if isinstance(error, RayTaskError) else 0].rstrip(".")
                reason = f"lost on the cluster: {line}. Run the batch again to resume it."
                if begun(folder):
                    return row_of(run.id, run.line, folder, error=reason)
                return failed(run.id, run.line, reason)
            except asyncio.CancelledError:
                ray.cancel(ref, force=True)
                raise
        if files:
            try:
                await anyio.to_thread.run_sync(unpack, files, folder)
            except OSError as error:
                raise RunError(f"Its files could not be written to {folder}: {error.strerror or error}.") from error
        if "problem" in data:
            return failed(run.id, run.line, data["problem"], run.studio, run.instruction)
        return Row.model_validate_json(data["row"])

    try:
        yield submit
    finally:
        if started:
            ray.shutdown()


def _connect(address: str, workers: int | None) -> tuple[Any, bool]:
    """Return Ray, connected to a cluster, and whether this call connected it. Raises `MissingPartError`, `RunError`."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray as module
    except ImportError as error:
        raise MissingPartError("Batches on Ray need ray, which is not installed: pip install 'redraft[ray]'") from error
    ray: Any = module
    if ray.is_initialized():
        return ray, False
    begin = partial(ray.init, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    try:
        begin(address) if address else begin("local", num_cpus=workers)
    except Exception as error:  # Ray raises plain ones when a node does not come up
        if address:
            raise RunError(f"No Ray cluster at {address!r}: {error}. Start one with: ray start --head") from error
        raise RunError(f"Ray did not start on this machine: {error} Leave --on ray out, or try again.") from error
    return ray, True


def _task() -> Callable[..., Any]:
    """Return the function that nodes run. It is sent by value, so that it can name a node without this redraft."""

    def task(required: str, place: str, payload: bytes, snapshot: bytes) -> tuple[dict[str, str], bytes]:
        import os
        import pickle
        import socket
        from importlib.metadata import PackageNotFoundError, version

        node = socket.gethostname()
        try:
            installed = version("redraft")
        except PackageNotFoundError:
            return {"problem": f"redraft is not installed on the node {node}. Install redraft {required} there."}, b""
        if installed != required:
            problem = f"the node {node} has redraft {installed}, but the batch was started with {required}."
            return {"problem": f"{problem} Install one version."}, b""
        from redraft.batch.cluster import carry_out_here

        if os.path.isdir(place):  # noqa: PTH112
            os.chdir(place)  # paths in settings are relative to where the batch was begun
        run, folder, shared, mark, before = pickle.loads(payload)  # noqa: S301  of our own driver
        return carry_out_here(run, folder, shared, mark, before, snapshot)

    return task


def carry_out_here(
    run: PlannedRun, folder: Path, shared: Shared, mark: str, before: bytes, snapshot: bytes
) -> tuple[dict[str, str], bytes]:
    """Carry out a run on a node, in the batch's own folder where the node shares it.

    Elsewhere it is carried out in a temporary folder, whose files are returned.
    """
    try:
        shares = read_text(shared.state / MARK, SETTINGS) == mark
    except OSError:
        shares = False
    if shares:
        return {"row": _with_node(carry_out_one(run, folder, shared)).model_dump_json()}, b""
    if (shared.limits or shared.capped) and not shared.redis:
        return {"problem": "limits and caps across machines need Redis: set REDIS_URL, or give --redis."}, b""
    try:
        with temporary("batch-") as place:
            unpack(snapshot, place / shared.state.name)
            if before:
                unpack(before, place / run.id)
            row = carry_out_one(run, place / run.id, shared.moved(place / shared.state.name))
            return {"row": _with_node(row).model_dump_json()}, packed(place / run.id, "*")
    except OSError as error:
        reason = error.strerror or error
        return {"problem": f"cannot work in the temporary folder of the node {socket.gethostname()}: {reason}."}, b""


def _with_node(row: Row) -> Row:
    """Return a row that names the node if its run did not begin, or did not end."""
    return row if row.finished else row.model_copy(update={"error": f"on the node {socket.gethostname()}: {row.error}"})


def packed(folder: Path, *patterns: str) -> bytes:
    """Return the files of a folder as a tar file."""
    raw = io.BytesIO()
    with tarfile.open(fileobj=raw, mode="w") as tar:
        for path in sorted({path for pattern in patterns for path in folder.glob(pattern)}):
            tar.add(path, path.name)
    return raw.getvalue()


def unpack(raw: bytes, folder: Path) -> None:
    """Write the files of a tar file into a folder. Raises `OSError`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(raw)) as tar:
        tar.extractall(folder, filter="data")
