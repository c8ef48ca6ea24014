"""Looks: exactly the windows that were asked for, each under its budget; dry runs; giving up."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from small_board import write_board, write_routed
from token_counts import tokens

from redraft import api
from redraft.brief import Brief
from redraft.config import load
from redraft.errors import ExecutionError, FormatError
from redraft.layout.items import Move
from redraft.models.scripted import ScriptedModel
from redraft.result import Result
from redraft.studios.board.board import Board
from redraft.studios.board.placement import carried_out, opened
from redraft.studios.board.spec import ActionList, parse
from redraft.studios.board.views.looks import WINDOWS, Answer, look_at, look_line

UP = {"action": "place_relative", "ref": "C2", "target": "J1", "side": "right", "clearance": 17.25}
"""C2 onto the track of VCC that leads to J1's row."""


def reply(*actions: object, **more: object) -> str:
    return json.dumps({"approach": "as asked", "actions": actions, **more})


def answered(folder: Path, text: str, *, routed: bool = False) -> Answer:
    path = write_routed(folder) if routed else write_board(folder)
    return look_at(parse(text), opened(path), Brief.of("tidy up", source=path), ripup=False)


async def place(board: Path, text: str, out: Path, replies: list[str], **flags: object) -> tuple[Result, ScriptedModel]:
    model = ScriptedModel(replies)
    config = load(None, {"studios.board.drc": "never", "loop.critic": False, **flags}).config  # type: ignore[arg-type]
    return await api.arun("board", text, config=config, model=model, source=board, out=out), model


def texts(model: ScriptedModel) -> list[str]:
    return [request.messages[-1].text for request in model.requests]


class TestForms:
    def test_components_share_a_window_up_to_six(self, tmp_path: Path) -> None:
        found = answered(tmp_path, reply(inspect=["U1.4", "C1", *(f"R{n}" for n in range(1, 6))]))
        assert [window.title for window in found.windows] == ["U1, C1, R1, R2, R3, R4", "R5"]

    def test_a_net_has_every_pad_on_it(self, tmp_path: Path) -> None:
        for entry in ("net:VCC", {"net": "vcc"}):
            (window,) = answered(tmp_path, reply(inspect=[entry])).windows
            pads = json.loads(window.text)["pads"]
            assert [row.split()[0] for row in pads] == ["C1.1", "C2.1", "IGNORE.1", "J1.1", "U1.1", "U1.4"]
        (window,) = answered(tmp_path, reply(inspect=[{"net": "VCC", "around": "C1", "radius": 6}])).windows
        assert [row.split()[0] for row in json.loads(window.text)["pads"]] == ["C1.1", "C2.1"]

    def test_neighborhoods_zones_and_regions_are_windows(self, tmp_path: Path) -> None:
        entries = [{"around": "C1", "radius": 5}, {"zone": "top-left"}, {"region": [100, 130, 116, 140]}]
        found = answered(tmp_path, reply(inspect=entries))
        refs = [[one["ref"] for one in json.loads(window.text)["objects"]] for window in found.windows]
        assert refs == [["C1", "C2"], ["J1"], ["R1", "R2"]] or refs[1][0] == "J1"

    def test_free_room_is_as_large_as_the_component(self, tmp_path: Path) -> None:
        (window,) = answered(tmp_path, reply(inspect=[{"free": "C1", "around": "U1"}])).windows
        told = json.loads(window.text)
        assert told["size"] == [3.5, 1.5]
        assert told["free"]
        assert all("from U1" in row for row in told["free"])

    def test_many_components_are_listed(self, tmp_path: Path) -> None:
        (window,) = answered(tmp_path, reply(inspect=["*"])).windows
        assert window.title == '"*", 13 components'
        assert len(window.text.splitlines()) == 13

    def test_components_that_are_not_placed_yet_are_listed(self, tmp_path: Path) -> None:
        beside = [Move.shift(name, 300.0 + 10 * n, 0.0) for n, name in enumerate(("C1", "C2"))]
        path = tmp_path / "pile.kicad_pcb"
        Board.read(write_board(tmp_path)).amend(beside).save(path)
        brief = Brief.of("place all", source=path)
        listed, pins, placed = (
            look_at(parse(reply(inspect=["C*", "R1"])), opened(path), brief, ripup=False).windows,
            *[
                look_at(parse(reply(inspect=[entry])), opened(path), brief, ripup=False).windows
                for entry in ("C1", "R1")
            ],
        )
        assert [window.title for window in listed] == ["R1", '"C*", 2 not placed yet']
        assert [line.split()[0] for line in listed[1].text.splitlines()] == ["C1", "C2"]
        assert [window.title for window in pins] == ["C1, not placed yet: its pins"]
        assert "VCC" in pins[0].text
        assert [window.title for window in placed] == ["R1"]

    def test_the_compass_can_be_asked_for(self, tmp_path: Path) -> None:
        (window,) = answered(tmp_path, reply(inspect=["compass"])).windows
        assert window.text.startswith("Board 60 × 40 mm")

    @pytest.mark.parametrize(
        ("entry", "words"),
        [
            ("U9", "There is no part 'U9'; close: U1"),
            ("net:VCCC", "There is no net 'VCCC'; close: VCC"),
            ({"around": "U9"}, "There is no part 'U9'; close: U1"),
            ({"free": "C11", "around": "U1"}, "There is no part 'C11'; close: C1"),
            ({"zone": "middle"}, "There is no zone 'middle'; the zones are Top-Left"),
        ],
    )
    def test_unknown_names_are_answered_with_near_ones(self, tmp_path: Path, entry: object, words: str) -> None:
        found = answered(tmp_path, reply(inspect=[entry]))
        assert found.windows == ()
        assert found.strange[0].startswith(words)

    @pytest.mark.parametrize(
        ("entry", "words"),
        [
            ({"near": "U1"}, r"inspect\[0\].near: unknown field; the fields are net, around"),
            ({"net": "A", "zone": "Center"}, "a look has one of"),
            ({"radius": 5}, "a look has one of"),
            ({"region": [5, 5, 1, 1]}, "x0 < x1"),
            ({"around": "U1", "radius": -1}, r"inspect\[0\].radius: .*greater than 0"),
        ],
    )
    def test_looks_of_no_form_are_refused(self, entry: object, words: str) -> None:
        with pytest.raises(FormatError, match=words):
            parse(reply(inspect=[entry]))

    def test_what_has_no_room_is_named(self, tmp_path: Path) -> None:
        entries = [{"around": f"R{n}"} for n in range(1, 9)]
        found = answered(tmp_path, reply(inspect=entries))
        assert len(found.windows) == WINDOWS
        assert found.left_out == ("within 5 mm of R7", "within 5 mm of R8")
        assert all(tokens(window.text) < 2_000 for window in found.windows)

    def test_a_look_reads_back_and_can_be_asked_for_again(self) -> None:
        look = parse(reply(UP, inspect=["C1", {"net": "A"}], dry_run=True))
        again = ActionList.model_validate_json(look.look)
        assert (again.inspect, again.actions, again.dry_run) == (look.inspect, look.actions, True)
        assert look_line(again) == 'dry run of 1 action; none was carried out; inspect ["C1", {"net": "A"}]'


class TestDryRuns:
    def test_collisions_with_tracks_are_told_before_anything_is_committed(self, tmp_path: Path) -> None:
        found = answered(tmp_path, reply({**UP, "quote": "tidy"}, dry_run=True), routed=True)
        (error,) = [line for line in found.trial if line.startswith("[ERROR] board")]
        assert "C2.2 (GND) lies on a track of VCC on F.Cu" in error
        assert "the same distance is free" in error
        assert found.trial[-1].startswith("Wire length (half-perimeter, mm): ")
        assert json.loads(found.windows[0].text)["objects"][0]["ref"] == "C2"

    def test_the_distance_of_moved_pads_from_the_edge_is_told_with_the_least_one(self, tmp_path: Path) -> None:
        found = answered(tmp_path, reply({**UP, "quote": "tidy"}, dry_run=True))
        (edge,) = [line for line in found.trial if "edge of the board" in line]
        assert re.fullmatch(r"Pads to the edge of the board \(mm; the least is 0\.5\): (C2 [\d.]+|none within 5)", edge)

    def test_a_refused_list_says_why(self, tmp_path: Path) -> None:
        found = answered(tmp_path, reply({**UP, "clearance": -3}, dry_run=True))
        assert "C2 would be in J1" in found.trial[0]
        assert found.windows == ()

    def test_it_needs_actions_and_is_the_only_way_to_have_both(self) -> None:
        with pytest.raises(FormatError, match="dry_run needs actions"):
            parse(reply(dry_run=True))
        with pytest.raises(FormatError, match="has both inspect and actions"):
            parse(reply(UP, inspect=["C1"]))

    def test_it_is_never_carried_out(self, tmp_path: Path) -> None:
        with pytest.raises(ExecutionError, match="asks for a dry run, but all looks of this attempt are used up"):
            carried_out(parse(reply(UP, dry_run=True)), opened(write_board(tmp_path)))


@pytest.mark.anyio
class TestRequests:
    async def test_each_look_gets_exactly_what_it_asks_for(self, tmp_path: Path) -> None:
        replies = [reply(inspect=["R1"]), reply(inspect=["net:A", "R2"]), reply(dry_run=True, inspect=["C2"])]
        right = {"action": "place_relative", "ref": "C1", "target": "U1", "side": "right", "clearance": 2}
        replies[2] = reply({**right, "quote": "C1 2 mm right of U1"}, dry_run=True)
        _, model = await place(
            write_board(tmp_path),
            "put C1 2 mm right of U1",
            tmp_path / "run",
            [*replies, reply({**right, "quote": "C1 2 mm right of U1"})],
            **{"loop.looks": 3},
        )
        first, one, two, three = texts(model)
        assert "The compass of the board" in first
        assert "Looks left in this attempt: 3." in first
        for later in (one, two, three):
            assert "The compass of the board" not in later
        assert "Window 1: R1\n" in one
        assert '"ref":"U1"' not in one
        assert "Shown earlier" not in one
        assert "Window 1: R2\n" in two
        assert "Window 2: the net A\n" in two
        assert '- inspect ["R1"]\n' in two
        assert '- inspect ["net:A", "R2"]\n' in three
        assert "What the dry run comes to" in three
        assert "Findings: none" in three
        assert "Looks left in this attempt: 0." in three
        assert "at most 3 in each attempt" in model.requests[0].messages[0].text

    async def test_a_window_of_the_request_has_the_components_that_it_names(self, tmp_path: Path) -> None:
        _, model = await place(
            write_board(tmp_path), "put C1 2 mm right of U1", tmp_path / "run", [reply()] * 9, **{"loop.iterations": 1}
        )
        assert "Window 1: C1, U1\n" in texts(model)[0]

    @pytest.mark.parametrize("before", [[], ["fix"], ["repair"], ["look"]])
    async def test_a_reply_that_only_waives_ends_the_run(self, tmp_path: Path, before: list[str]) -> None:
        """At once, as a fix, as a repair, after a look: not valid, with the reason, and nothing more is asked."""
        wrong: dict[str, Any] = {**UP, "quote": "C2 by J1"}
        first = {
            "fix": reply({**wrong, "clearance": -3}),
            "repair": reply(wrong),
            "look": reply(inspect=["C2"]),
        }
        waiver = {"quote": "put C2 by J1", "reason": "the tracks leave no room"}
        replies = [*(first[step] for step in before), reply(waived=[waiver]), *[reply()] * 9]
        result, model = await place(write_routed(tmp_path), "put C2 by J1", tmp_path / "run", replies)
        assert len(model.requests) == len(before) + 1
        assert not result.valid
        assert result.report.given_up
        assert any("the tracks leave no room" in issue.message for issue in result.report.errors)

    async def test_words_that_need_no_action_are_no_reason_to_go_on(self, tmp_path: Path) -> None:
        waiver = {"quote": "keep the outline", "reason": "nothing changes it", "cannot": False}
        replies = [reply(waived=[waiver]), *[reply()] * 9]
        result, model = await place(write_board(tmp_path), "keep the outline", tmp_path / "run", replies)
        assert len(model.requests) == 1
        assert not result.valid


@pytest.mark.anyio
async def test_findings_say_where_the_same_distance_is_free_of_tracks(tmp_path: Path) -> None:
    replies = [reply({**UP, "quote": "C2 by J1"}), *[reply()] * 9]
    _, model = await place(write_routed(tmp_path), "put C2 by J1", tmp_path / "run", replies, **{"loop.repairs": 1})
    assert model.requests[1].kind == "board.repair"
    assert "lies on a track of VCC" in texts(model)[1]
    assert "Fix: the same distance is free" in texts(model)[1]
