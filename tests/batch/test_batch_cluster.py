"""Batches on a real Ray cluster: the same files as in processes, a node removed, a killed driver, another redraft."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_batch import Whole, delivered, finished_effects, is_finished, until

from redraft.batch import Row, carry_out, read_briefs
from redraft.batch.briefs import Line, plan
from redraft.batch.cluster import carry_out_here, resources_of, unpack
from redraft.batch.driver import total_of
from redraft.batch.shared import Shared
from redraft.config import BudgetSettings
from redraft.errors import ConfigError, RunError
from redraft.files import BATCH_STATE as STATE

pytestmark = [pytest.mark.timeout(300), pytest.mark.timed]
RING = {"studio": "sketch", "instruction": "a red circle", "id": "ring"}


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A node with a processor."""
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("HOME", str(tmp_path_factory.mktemp("home")))  # Ray writes a token there
        made: Any = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
        yield made
        made.shutdown()


@pytest.mark.slow
def test_a_cluster_that_does_not_answer_is_named(tmp_path: Path) -> None:
    # before one is started here: Ray would find it
    with pytest.raises(RunError, match="No Ray cluster at 'auto'"):
        carry_out([RING], tmp_path, on="ray", address="auto")


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_killed_driver_and_a_removed_node_cost_no_run(cluster: Any, whole: Whole, tmp_path: Path) -> None:
    out = tmp_path / "out"
    runs = [out / row.id for row in whole.rows]
    second = cluster.add_node(num_cpus=1)
    command = [sys.executable, "-m", "redraft", "batch", whole.briefs, "--out", out, "--on", "ray"]
    with subprocess.Popen([*command, "--address", cluster.address], stdout=subprocess.PIPE, text=True) as driver:
        until(lambda: any(map(is_finished, runs)))
        driver.kill()
    left = [run for run in runs if not is_finished(run)]
    assert left

    def removed(row: Row) -> None:
        if second in cluster.list_all_nodes() and out / row.id in left:
            cluster.remove_node(second, allow_graceful=False)

    lines = read_briefs(whole.briefs)
    rows = carry_out(lines, out, on="ray", address=cluster.address, folder=whole.briefs.parent, observer=removed)
    assert second not in cluster.list_all_nodes()
    assert [(row.id, row.outcome, row.error) for row in rows] == [(r.id, r.outcome, r.error) for r in whole.rows]
    assert {count for run in runs for count in finished_effects(run).values()} == {1}
    assert total_of(rows) == total_of(whole.rows)
    assert delivered(out) == delivered(whole.out)


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_node_with_another_redraft_is_named(cluster: Any, tmp_path: Path) -> None:
    other = tmp_path / "redraft-9.9.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: redraft\nVersion: 9.9\n")
    node = cluster.add_node(num_cpus=1, resources={"newer": 1}, env_vars={"PYTHONPATH": str(tmp_path)})
    lines = [RING, RING | {"studio": "board", "source": "no", "id": "no"}, {"studio": "image", "instruction": "a fox"}]
    needs = ["sketch=newer", "image=nowhere"]
    newer, wrong, nowhere = carry_out(lines, tmp_path / "out", on="ray", address=cluster.address, resources=needs)
    cluster.remove_node(node)
    assert "has redraft 9.9, but the batch was started with 0.1.0. Install one version" in newer.error
    assert "'no' is missing" in wrong.error
    assert "no node of the cluster has the resource 'nowhere'; it has CPU" in nowhere.error


@pytest.mark.slow
@pytest.mark.real
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_a_node_that_does_not_share_the_folder_returns_the_files(
    cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("redraft.batch.cluster.write_atomic", _write_nothing)  # so that no node finds the mark
    (row,) = carry_out([RING], tmp_path / "out", on="ray", address=cluster.address, upload=f"file://{tmp_path}/copies")
    assert (row.outcome, row.error) == ("valid", "")
    assert (tmp_path / "out" / "ring" / "drawing.svg").is_file()
    assert row.uploaded == f"file://{tmp_path}/copies/ring"
    copies = {path.name for path in (tmp_path / "copies" / "ring").iterdir()}
    assert copies == {path.name for path in (tmp_path / "out" / "ring").iterdir()} - {".lock"}
    assert (tmp_path / "copies" / "batch.json").is_file()


@pytest.mark.slow
def test_what_was_begun_elsewhere_is_resumed(tmp_path: Path) -> None:
    run = plan(Line(1, RING), tmp_path, {}, None)
    shared = Shared(tmp_path / STATE)
    data, files = carry_out_here(run, tmp_path / "ring", shared, "mark", b"", _empty(tmp_path))
    whole = Row.model_validate_json(data["row"])
    assert whole.outcome == "valid"
    assert not (tmp_path / "ring").exists()
    again, same = carry_out_here(run, tmp_path / "ring", shared, "mark", files, _empty(tmp_path))
    assert Row.model_validate_json(again["row"]).usage == whole.usage
    unpack(files, tmp_path / "one")
    unpack(same, tmp_path / "two")
    assert (tmp_path / "one" / "events.jsonl").read_bytes() == (tmp_path / "two" / "events.jsonl").read_bytes()


def test_limits_without_redis_need_a_shared_folder(tmp_path: Path) -> None:
    run = plan(Line(1, RING), tmp_path, {}, None)
    shared = Shared(tmp_path / STATE, caps=BudgetSettings(calls=3))
    data, _ = carry_out_here(run, tmp_path / "ring", shared, "mark", b"", _empty(tmp_path))
    assert data["problem"].startswith("limits and caps across machines need Redis")


def test_a_studio_that_a_node_lacks_is_an_error_that_names_the_node(tmp_path: Path) -> None:
    run = replace(plan(Line(1, RING), tmp_path, {}, None), studio="pottery")
    data, _ = carry_out_here(run, tmp_path / "ring", Shared(tmp_path / STATE), "mark", b"", _empty(tmp_path))
    row = Row.model_validate_json(data["row"])
    assert row.outcome == "error"
    assert row.error.startswith(f"on the node {socket.gethostname()}: Unknown studio 'pottery'; installed: board,")


def _write_nothing(path: Path, data: str) -> None:
    """Instead of `write_atomic`."""


def _empty(folder: Path) -> bytes:
    from redraft.batch.cluster import packed

    return packed(folder / "nothing", "*")


def test_resources_are_read() -> None:
    assert resources_of(["shader=gpu", "scene=blender:0.5", "scene=gpu"]) == {
        "shader": {"gpu": 1.0},
        "scene": {"blender": 0.5, "gpu": 1.0},
    }
    for text in ("shader", "shader=", "=gpu", "shader=gpu:x", "shader=gpu:0", "shader=gpu:nan"):
        with pytest.raises(ConfigError, match="give a studio and what it needs"):
            resources_of([text])
