"""The diagrams studio keeps the contract of studios, and what it says of itself."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

import redraft
from redraft.errors import ExecutionError
from redraft.studios.base import Resources
from redraft.testing import StudioContract
from redraft_diagrams import Draft, studio

TWO_OF_THREE = """digraph {
  server_1 [label="Server\\n1"]
  client -> server_1 [label="asks"]
  server_2
}"""


def answer(dot: str, *requirements: dict[str, Any]) -> str:
    return json.dumps({"approach": "boxes", "dot": dot, "requirements": requirements})


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is missing: apt-get install graphviz")
class TestDiagrams(StudioContract):
    name = "diagrams"
    instruction = "a client asks two servers"
    reply = answer(TWO_OF_THREE, {"kind": "count", "quote": "two servers", "parts": ["server_*"], "number": 2})
    bad_reply = "digraph { client -> server }"
    failing_reply = answer("digraph {\n  client -> ;\n}")

    async def made_of(self, dot: str, resources: Resources) -> Any:
        return await studio.execute(Draft(dot=dot), None, resources)

    async def test_an_error_of_dot_names_its_line(self, resources: Resources) -> None:
        with pytest.raises(ExecutionError, match="syntax error in line 2 near ';'"):
            await self.made_of("digraph {\n  client -> ;\n}", resources)

    @pytest.mark.parametrize("dot", ["", "digraph { a } digraph { b }"])
    async def test_it_draws_one_graph(self, dot: str, resources: Resources) -> None:
        with pytest.raises(ExecutionError, match="one graph"):
            await self.made_of(dot, resources)

    async def test_requirements_are_measured(self, brief: redraft.Brief, resources: Resources) -> None:
        stated: tuple[JsonValue, ...] = (
            {"kind": "count", "quote": "two servers", "parts": ["server_*"], "number": 2},
            {"kind": "count", "quote": "asks two servers", "parts": ["edge:client->*"], "number": 2},
            {"kind": "relation", "parts": ["client"], "relation": "above", "of": ["server_1"]},
            {"kind": "text", "parts": ["server_1"], "text": "server 1"},
            {"kind": "count", "quote": "three servers", "parts": ["server_*"], "number": 3},
        )
        artifact = await studio.execute(Draft(dot=TWO_OF_THREE, requirements=stated), None, resources)
        report = studio.check(artifact, None, brief)
        assert [m.outcome for m in report.requirements] == ["met", "broken", "met", "met"]
        assert report.set_aside == ('r5 (count, "three servers"): the brief does not contain its quote',)

    async def test_a_heuristic_is_a_note_and_a_defect_is_an_error(
        self, brief: redraft.Brief, resources: Resources
    ) -> None:
        (asked,) = studio.check(await self.made_of(TWO_OF_THREE, resources), None, brief).issues
        assert (asked.code, asked.severity, asked.subjects) == ("graph.lonely", "note", ("server_2",))
        (defect,) = studio.check(await self.made_of("digraph {}", resources), None, brief).issues
        assert (defect.code, defect.severity) == ("graph.empty", "error")
        lonely = await self.made_of(TWO_OF_THREE, resources)
        assert [i.severity for i in studio.check(lonely, None, brief, "strict").issues] == ["warning"]
        assert studio.check(lonely, None, brief, "off").issues == ()

    async def test_files_of_the_machine_stay_where_they_are(self, resources: Resources, tmp_path: Path) -> None:
        (tmp_path / "secret.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"/>')
        drawn = await self.made_of(f'digraph {{ a [label="", image="{tmp_path / "secret.svg"}"] }}', resources)
        assert float(drawn.nodes[0]["width"]) < 1

    def test_settings_are_keywords(self, tmp_path: Path) -> None:
        for direction, wide in (("TB", False), ("LR", True)):
            result = redraft.run("diagrams", "A -> B -> C -> D", rankdir=direction, out=tmp_path / direction)
            assert result.outcome == "valid"
            _, _, width, height = (float(n) for n in _viewbox(result.files["svg"]))
            assert (width > height) is wide

    def test_an_edit_goes_on_from_a_run(self, tmp_path: Path) -> None:
        redraft.run("diagrams", "a flow from order to payment", out=tmp_path / "one")
        result = redraft.run("diagrams", "payment -> delivery", on=tmp_path / "one", out=tmp_path / "two")
        assert result.outcome == "valid"
        assert result.files["dot"].read_text().count("->") == 2


def _viewbox(svg: Path) -> list[str]:
    return svg.read_text().partition('viewBox="')[2].partition('"')[0].split()
