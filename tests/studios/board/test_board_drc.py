"""Asking KiCad: what becomes of a program that is missing, hangs, babbles or fails; comparing; and KiCad itself."""

from __future__ import annotations

import os
import time
from pathlib import Path

import anyio
import pytest
from real_parts import DEMOS, needs
from shapely.geometry import Point, box
from two_parts import two_parts

from redraft.errors import BoardError, InfrastructureError, MissingPartError
from redraft.layout.items import Item, Layout, Port
from redraft.studios.board.drc import (
    CAUSED_BY_MOVING,
    ROUTING,
    WITHOUT_PARTS,
    Comparison,
    DrcItem,
    DrcResult,
    Violation,
    as_issues,
    as_report,
    can_be_moved_into,
    compare,
    reference_of,
)
from redraft.studios.board.kicad.cli import copy_project, drc, kicad_cli

pytestmark = pytest.mark.anyio


def program(folder: Path, body: str) -> str:
    """A program that stands in for KiCad's."""
    path = folder / "kicad-cli"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)
    return str(path)


@pytest.fixture
def board(tmp_path: Path) -> Path:
    path = tmp_path / "some.kicad_pcb"
    path.write_text(two_parts())
    return path


async def test_a_missing_program_is_named_with_the_command_that_brings_it(board: Path) -> None:
    with pytest.raises(MissingPartError, match=r"`no-such-kicad` was not found.*apt-get install .*kicad$"):
        await drc(board, program="no-such-kicad")


async def test_a_program_that_hangs_is_ended_with_its_children(board: Path, tmp_path: Path) -> None:
    hangs = program(tmp_path, f'sleep 60 &\necho $! > "{tmp_path}/child"\nwait')
    began = time.monotonic()
    with pytest.raises(InfrastructureError, match=r"longer than 0\.3 s"):
        await drc(board, program=hangs, limit=0.3)
    assert time.monotonic() - began < 10
    child = int((tmp_path / "child").read_text())
    for _ in range(100):
        if not _runs(child):
            return
        await anyio.sleep(0.05)
    pytest.fail("the child outlived its parent")


def _runs(pid: int) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    if stat.parent.parent.joinpath("self").exists():
        return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_what_a_program_says_is_bounded(tmp_path: Path) -> None:
    babbles = program(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' x")
    assert len(await kicad_cli([], tmp_path, limit=30, program=babbles)) < 100_000


async def test_a_program_that_fails_is_quoted(board: Path, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match=r"exit code 7: out of luck"):
        await drc(board, program=program(tmp_path, "echo out of luck >&2; exit 7"))
    with pytest.raises(InfrastructureError, match="signal 11"):
        await drc(board, program=program(tmp_path, "kill -SEGV $$"))
    with pytest.raises(BoardError, match="cannot open the board: Failed to load board"):
        await drc(board, program=program(tmp_path, "echo Failed to load board; exit 3"))


async def test_a_report_that_is_missing_or_no_report_is_said(board: Path, tmp_path: Path) -> None:
    with pytest.raises(InfrastructureError, match="no report; it said: done"):
        await drc(board, program=program(tmp_path, "echo done"))
    with pytest.raises(InfrastructureError, match="not understood: violations"):
        await drc(board, program=program(tmp_path, """echo '{"kicad_version": "9", "violations": 3}' > drc.json"""))


async def test_a_board_that_is_not_there_is_a_board_error(tmp_path: Path) -> None:
    with pytest.raises(BoardError, match=r"no\.kicad_pcb.*No such file"):
        await drc(tmp_path / "no.kicad_pcb", program="true")


async def test_nothing_of_the_user_is_given_to_kicad(
    board: Path, tmp_path: Path, own_environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    monkeypatch.setenv("KICAD9_FOOTPRINT_DIR", "/usr/share/kicad/footprints")
    tells = program(tmp_path, f'env > "{tmp_path}/env"; exit 7')
    with pytest.raises(InfrastructureError):
        await drc(board, program=tells)
    told = dict(line.split("=", 1) for line in (tmp_path / "env").read_text().splitlines() if "=" in line)
    assert str(own_environment) not in told["HOME"]
    assert told["LC_ALL"] == "C.UTF-8"
    assert told["KICAD9_FOOTPRINT_DIR"] == "/usr/share/kicad/footprints"
    shell = {"PWD", "OLDPWD", "SHLVL", "_"}
    assert {name for name in told if not name.startswith(("XDG_", "KICAD"))} - shell <= {
        *("PATH", "TMPDIR", "LD_LIBRARY_PATH", "HOME", "LC_ALL", "LANG")
    }
    assert sorted(path.name for path in board.parent.iterdir()) == ["env", "kicad-cli", "some.kicad_pcb"]


def test_the_project_goes_along_and_its_libraries_are_found(tmp_path: Path) -> None:
    home, copy = tmp_path / 'a "place"', tmp_path / "copy"
    home.mkdir()
    copy.mkdir()
    for name in ("b.kicad_pro", "b.kicad_dru", "other.kicad_pro"):
        (home / name).write_text(name)
    (home / "fp-lib-table").write_text('(lib (uri "${KIPRJMOD}/x.pretty")) (lib (uri "$(KIPRJMOD)/y.pretty"))')
    copy_project(home / "b.kicad_pcb", copy, "board")
    assert (copy / "board.kicad_pro").read_text() == "b.kicad_pro"
    assert sorted(path.name for path in copy.iterdir()) == ["board.kicad_dru", "board.kicad_pro", "fp-lib-table"]
    place = str(home.resolve()).replace('"', '\\"')
    assert (copy / "fp-lib-table").read_text() == f'(lib (uri "{place}/x.pretty")) (lib (uri "{place}/y.pretty"))'


def item(description: str, uuid: str = "", x: float = 0.0) -> DrcItem:
    return DrcItem(description=description, at=(x, 0.0), uuid=uuid)


def found(kind: str, *items: DrcItem, text: str = "") -> Violation:
    return Violation(type=kind, severity="error", description=text or kind, items=items)


def result(*violations: Violation, unconnected: tuple[Violation, ...] = ()) -> DrcResult:
    return DrcResult(kicad="9.0.8", violations=violations, unconnected=unconnected)


GND = Port("1", (0.0, 0.0), Point(0, 0), 0.5, "GND")
LAYOUT = Layout((Item("C1", "capacitor", box(-1, -1, 1, 1), ports=(GND,)),))
PAD_C1 = "Pad 1 [GND] of C1 on F.Cu"
PAD_R2 = "PTH pad 2 [SCL] of R2"
TRACK = "Track [VCC] on B.Cu, length 14.3620 mm"


async def test_what_has_an_identity_is_matched_by_it_wherever_it_moved() -> None:
    before = result(found("clearance", item(PAD_C1, "u1", 1), item(PAD_R2, "u2", 2)))
    after = result(found("clearance", item(PAD_R2, "u2", 9), item(PAD_C1, "u1", 8)))
    compared = compare(before, after)
    assert (compared.new, compared.gone, len(compared.kept)) == ((), (), 1)


async def test_what_has_none_is_matched_by_its_words_and_as_often_as_it_occurs() -> None:
    one = found("clearance", item(PAD_C1), item(PAD_R2))
    compared = compare(result(one), result(one, one, one))
    assert len(compared.new) == 2
    assert len(compared.kept) == 1
    assert compare(result(one, one), result()).gone == (one, one)


async def test_an_unrouted_net_is_not_new_because_its_nearest_pads_are_others() -> None:
    links = [found("unconnected_items", item(PAD_C1, "u1"), item(f"Pad {n} [GND] of U{n} on F.Cu")) for n in (1, 2, 3)]
    same = compare(result(unconnected=(links[0],)), result(unconnected=(links[1],)))
    assert (same.new, same.gone, len(same.kept)) == ((), (), 1)
    assert compare(result(unconnected=(links[0],)), result(unconnected=(links[1], links[2]))).new == (links[2],)


async def test_what_lies_still_cannot_be_new() -> None:
    one, other = (found("hole_clearance", item(TRACK), item(f"Via [{net}] on F.Cu - B.Cu")) for net in "AB")
    assert compare(result(one), result(other)).new == ()
    pads = [found("hole_clearance", item(PAD_R2), item(f"Via [{net}] on F.Cu - B.Cu")) for net in "AB"]
    assert compare(result(pads[0]), result(pads[1])).new == (pads[1],)
    assert compare(result(pads[0]), result(pads[1]), moved={"C1"}).new == ()
    assert compare(result(pads[0]), result(pads[1]), moved={"R2"}).new == (pads[1],)


async def test_of_other_things_that_lie_still_nothing_is_worse() -> None:
    was, now = (
        found("hole_clearance", item(TRACK), item(f"Via [{net}] on F.Cu - B.Cu"), text=f"(min 0.2 mm; actual {a} mm)")
        for net, a in (("A", 0.15), ("B", 0.05))
    )
    compared = compare(result(was), result(now), moved={"C1"})
    assert (compared.new, len(compared.kept), compared.worse) == ((), 1, ())


async def test_a_distance_that_shrank_further_is_worse() -> None:
    was, now = (
        found("clearance", item(PAD_C1), item(PAD_R2), text=f"Clearance violation (min 0.2000 mm; actual {a} mm)")
        for a in ("0.1500", "0.0500")
    )
    assert len(compare(result(was), result(now)).worse) == 1
    assert compare(result(now), result(was)).worse == ()
    (issue,) = as_issues(compare(result(was), result(now)), LAYOUT, {"C1"})
    assert issue.severity == "error"
    assert issue.numbers == {"expected": 0.2, "actual": 0.05, "count": 1.0, "before": 0.15}


@pytest.mark.parametrize(
    ("description", "part"),
    [
        (PAD_C1, "C1"),
        (PAD_R2, "R2"),
        ("NPTH pad of SW13", "SW13"),
        ("Footprint R45", "R45"),
        ("Reference field of TP10", "TP10"),
        ("Footprint text of J5 (PCB Edge)", "J5"),
        ("Segment of J2 on F.SilkS", "J2"),
        ("Pad A1 [/D[0] of bus] of U 7 on F.Cu", "U 7"),
        ("Rule Area of U1 on F.Cu and B.Cu", "U1"),
        (TRACK, None),
        ("Zone [end of line] on F.Cu, priority 0", None),
        ("Segment on Edge.Cuts", None),
    ],
)
async def test_parts_are_read_out_of_the_words_of_kicad(description: str, part: str | None) -> None:
    assert reference_of(description) == part


async def test_loose_ends_become_one_hint_a_part() -> None:
    collision = found("courtyards_overlap", item("Footprint C1"), item("Footprint R2"))
    edge = found("copper_edge_clearance", item("Segment on Edge.Cuts"), item(PAD_C1))
    loose = [
        found("unconnected_items", item(PAD_C1), item("Track [GND] on F.Cu, length 1.0000 mm")),
        found("track_dangling", item("Track [GND] on F.Cu, length 1.0000 mm")),
        found("clearance", item(PAD_C1), item(TRACK)),
        found("shorting_items", item(PAD_C1), item("Via [VCC] on F.Cu - B.Cu")),
    ]
    issues = as_issues(Comparison(new=(collision, edge, *loose)), LAYOUT, {"C1"})
    assert [(i.code, i.severity) for i in issues] == [
        ("drc.courtyards_overlap", "error"),
        ("drc.copper_edge_clearance", "error"),
        ("drc.clearance", "error"),  # a pad on copper of another net is no loose end
        ("drc.shorting_items", "error"),
        ("routing.redo", "note"),
    ]
    assert issues[0].subjects == ("C1", "R2")
    assert issues[4].subjects == ("C1",)
    assert sum(issues[4].numbers.values()) == 2


@pytest.mark.parametrize(("moved", "first"), [({"R2"}, "R2"), ({"C1"}, "C1"), ({"C1", "R2"}, "C1"), (set[str](), "C1")])
async def test_the_part_that_was_moved_is_the_one_to_move(moved: set[str], first: str) -> None:
    collision = found("courtyards_overlap", item("Footprint C1"), item("Footprint R2"))
    (issue,) = as_issues(Comparison(new=(collision,)), LAYOUT, moved)
    other = {"C1": "R2", "R2": "C1"}[first]
    assert issue.hint == f"move {first} away from {other}"
    assert issue.subjects == ("C1", "R2")  # in order of their names, whoever was moved


async def test_many_lines_between_two_parts_are_one_issue() -> None:
    silk = [found("silk_overlap", item("Segment of C1 on F.SilkS", x=n), item(PAD_R2)) for n in range(30)]
    (issue,) = as_issues(Comparison(new=tuple(silk)), LAYOUT, {"C1"})
    assert issue.numbers["count"] == 30
    assert len(issue.marks) == 20


async def test_what_was_there_is_inherited_and_what_the_user_excluded_is_a_hint() -> None:
    old = found("clearance", item(PAD_C1), item(PAD_R2))
    excluded = old.model_copy(update={"excluded": True})
    report = as_report(compare(result(old), result(old)))
    assert (report.score, len(report.inherited)) == (1.0, 1)
    assert as_issues(Comparison(new=(excluded,)))[0].severity == "note"


async def test_what_no_view_shows_is_named_with_its_place() -> None:
    text, near = "PCB Text 'REV A' on F.Cu", "Segment of C1 on F.Cu"
    words = "Clearance violation (0.2 mm; actual 0.1 mm)"
    both = found("clearance", item(text, x=3.5), item(near, x=4.0), text=words)
    (issue,) = as_issues(Comparison(new=(both,)))
    assert issue.message == (f"{words}: {text} (at 3.5, 0; no view shows it) and {near} (at 4, 0; no view shows it).")
    one = found("clearance", item(PAD_C1), item(TRACK), text=words)
    assert as_issues(Comparison(new=(one,)))[0].message == f"{words}: {PAD_C1} and {TRACK}."
    (excluded,) = as_issues(Comparison(new=(one.model_copy(update={"excluded": True}),)))
    assert excluded.message.endswith(" It is excluded in KiCad.")


async def test_the_kinds_are_told_apart() -> None:
    assert set(CAUSED_BY_MOVING) >= ROUTING | WITHOUT_PARTS
    assert not can_be_moved_into("lib_footprint_mismatch")
    assert not can_be_moved_into("a_kind_of_kicad_12")


@pytest.mark.real
class TestKicad:
    """The program itself."""

    @pytest.fixture(autouse=True)
    def _installed(self) -> None:
        needs("kicad-cli")

    async def test_two_parts_in_one_place(self, board: Path) -> None:
        before = await drc(board)
        after = await drc(board, two_parts(two=(7.5, 5.0)).encode())
        compared = compare(before, after, moved={"R2"})
        (issue,) = (i for i in as_issues(compared, moved={"R2"}) if i.code == "drc.courtyards_overlap")
        assert issue.subjects == ("R1", "R2")
        assert issue.severity == "error"
        assert {mark.at[:2] for mark in issue.marks} == {(5.0, 5.0), (7.5, 5.0)}
        assert int(after.kicad.partition(".")[0]) >= 9

    async def test_a_pad_over_the_edge(self, board: Path) -> None:
        after = await drc(board, two_parts(two=(18.9, 5.0)).encode())
        (issue,) = (i for i in as_issues(compare(await drc(board), after)) if i.code == "drc.copper_edge_clearance")
        assert issue.subjects == ("R2",)
        assert issue.numbers["actual"] == 0.0  # the pad reaches from 19.3 to 20.1 mm, over the edge at 20

    async def test_the_rules_of_the_project_count(self, board: Path, tmp_path: Path) -> None:
        near = two_parts(two=(8.2, 5.0)).encode()  # pads 0.8 mm apart, courtyards 0.2 mm
        assert not any(v.type == "clearance" for v in (await drc(board, near)).violations)
        project = tmp_path / "strict.kicad_pcb"
        project.with_suffix(".kicad_dru").write_text(
            "(version 1)\n(rule wide (constraint clearance (min 1mm)))\n", encoding="utf-8"
        )
        violations = (await drc(board, near, like=project)).violations
        assert [v.description for v in violations if v.type == "clearance"] == [
            "Clearance violation (rule 'wide' clearance 1.0000 mm; actual 0.8000 mm)"
        ] * 3  # between the parts, and between the two pads of each

    async def test_no_board_is_said_to_be_none(self, board: Path) -> None:
        with pytest.raises(BoardError, match="Failed to load board"):
            await drc(board, b"(kicad_pcb (version 20241229")

    @pytest.mark.slow
    async def test_a_board_compared_with_itself_is_as_it_was(self) -> None:
        needs("kicad-demos")
        board = DEMOS / "interf_u" / "interf_u.kicad_pcb"
        first = await drc(board)
        assert first.violations
        compared = compare(first, await drc(board))
        assert (compared.new, compared.gone, compared.worse) == ((), (), ())
