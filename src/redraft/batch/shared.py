"""State that the runs of a batch share: limits, caps, and fix memory and list of generations as at its start."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from redraft.batch.briefs import PlannedRun
from redraft.batch.limits import Limit, LimitedModel, Meter, open_meter, patiently
from redraft.config import BudgetSettings
from redraft.errors import MemoryStoreError, RunFormatError
from redraft.files import digest, write_atomic
from redraft.fixes.base import Fix, Store, open_store
from redraft.fixes.error_cache import stored_shape
from redraft.fixes.sqlite import SqliteStore
from redraft.ideas.history import unreadable_generations
from redraft.limits import JOURNAL, RECORD, read_file, read_json
from redraft.loop.run import Surroundings, generations_of
from redraft.models.base import Model
from redraft.result import Usage
from redraft.studios import open_studio
from redraft.studios.kinds import PaintingStudio, ProgramStudio

SNAPSHOT = ("fixes-*.sqlite", "generations-*.csv")
"""Files of the snapshot."""
MANIFEST = "snapshot.json"
"""Names what the snapshot holds, those lists and memories too that did not exist then."""
NO_CAPS = BudgetSettings(calls=None)


@dataclass(frozen=True)
class Shared:
    """The parts of a batch that every process needs besides the run."""

    state: Path
    live: bool = False
    """Memory and history are read as they are now, not as they were at the start."""
    limits: Mapping[str, Limit] = field(default_factory=dict[str, Limit])
    """By provider."""
    caps: BudgetSettings = NO_CAPS
    """Over the whole batch."""
    redis: str = ""
    """URL of the server that keeps limits and caps, where files of this machine do not."""
    batch: str = ""
    """Name of the batch in that server."""

    @property
    def capped(self) -> bool:
        """True where what is spent counts."""
        return self.caps != NO_CAPS

    def moved(self, state: Path) -> Shared:
        """Return the same with the batch's own files in another folder."""
        return replace(self, state=state)

    def meter(self) -> Meter:
        """Return where limits and caps are kept."""
        return open_meter(self.redis, self.state / "limits", self.batch)

    async def book(self, spent: Mapping[str, Usage], *, anew: bool = False) -> None:
        """Note what runs have spent, by their records, in place of what was counted call by call.

        Raises:
            ModelUnavailableError: the server that keeps the caps is out of reach.
        """
        if self.capped:
            meter = self.meter()
            if anew:
                await patiently(meter, meter.forget)
            if spent:
                await patiently(meter, lambda: meter.spent(lambda _: spent))

    def around(self, run_id: str) -> Surroundings:
        """Return the surroundings of one run."""
        return _Around(self, run_id)


class _Around(Surroundings):
    def __init__(self, shared: Shared, run_id: str) -> None:
        self._shared, self._run = shared, run_id

    def model(self, spec: str, model: Model) -> Model:
        limit = self._shared.limits.get(spec.partition(":")[0], Limit())
        if limit == Limit() and not self._shared.capped:
            return model
        return LimitedModel(spec, model, self._run, self._shared.meter(), limit, self._shared.caps)

    def memory(self, store: Store) -> Store:
        return store if self._shared.live else Frozen(SqliteStore(_fixes(self._shared.state, store.label)), store)

    def history(self, generations: Path) -> Path:
        copy = _generations(self._shared.state, generations)
        if self._shared.live or (not copy.exists() and unreadable_generations(generations)):
            return generations  # a list that cannot be read has no copy; the warning names its own path
        return copy


class Frozen:
    """A store that is read as it was at the start of a batch, and written as it is."""

    def __init__(self, then: Store, now: Store) -> None:
        self._then, self._now = then, now
        self.label = now.label

    def find(self, key: str, shape: str, limit: int, *others: str) -> list[Fix]:
        """Return entries of the start."""
        return self._then.find(key, shape, limit, *others)

    def keys(self) -> dict[str, int]:
        """Return the keys of the start."""
        return self._then.keys()

    def entries(self, key: str | None = None) -> Iterator[Fix]:
        """Return the entries of the start."""
        return self._then.entries(key)

    def add(self, fix: Fix, shape: str) -> None:
        """Keep an entry for later runs."""
        self._now.add(fix, shape)

    def add_all(self, fixes: Iterable[tuple[Fix, str]]) -> int:
        """Keep entries for later runs."""
        return self._now.add_all(fixes)

    def count(self, fix: Fix, *, worked: bool) -> None:
        """Count a use for later runs."""
        self._now.count(fix, worked=worked)

    def forget(self, key: str | None = None) -> int:
        """Delete entries for later runs."""
        return self._now.forget(key)

    def close(self) -> None:
        """Close both."""
        self._then.close()
        self._now.close()


def _fixes(state: Path, label: str) -> Path:
    return state / f"fixes-{digest(label.encode())}.sqlite"


def _generations(state: Path, path: Path) -> Path:
    return state / f"generations-{digest(str(path).encode())}.csv"


def take_snapshot(state: Path, runs: Iterable[PlannedRun]) -> None:
    """Copy the memories and lists that some runs read, each once in the life of a batch.

    Raises:
        RunError: the snapshot cannot be written. RunFormatError: it was changed.
    """
    manifest = state / MANIFEST
    try:
        taken: list[str] = read_json(read_file(manifest, RECORD)) if manifest.exists() else []
    except ValueError as error:
        raise RunFormatError(f"{manifest} was changed. Delete {state} to start from the current memory.") from error
    memories = {run.config.memory for run in runs if isinstance(open_studio(run.studio), ProgramStudio)}
    lists = {
        generations_of(run.config).resolve()
        for run in runs
        if isinstance(open_studio(run.studio), PaintingStudio) or run.config.prompt.generations_path is not None
    }
    for path in sorted(lists):
        if str(path) not in taken:
            if path.exists() and not unreadable_generations(path):
                write_atomic(_generations(state, path), read_file(path, JOURNAL))
            taken.append(str(path))
    for store in filter(None, map(open_store, sorted(memories))):
        if store.label not in taken:
            try:
                _copy(store, _fixes(state, store.label))
                taken.append(store.label)
            except MemoryStoreError as error:
                logging.getLogger("redraft.memory").warning("Fix memory off: %s", error)
        store.close()
    write_atomic(manifest, json.dumps(taken, indent=1))


def _copy(store: Store, path: Path) -> None:
    """Write all entries of a store into a file of its own, whole or not at all."""
    half = path.with_suffix(".half")
    shutil.rmtree(half, ignore_errors=True)
    copy = SqliteStore(half / path.name)
    copy.add_all((fix, stored_shape(fix)) for fix in store.entries())
    copy.close()
    (half / path.name).replace(path)
    half.rmdir()
