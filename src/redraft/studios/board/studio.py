"""The board studio: a KiCad board and a sentence in, the same board with other places for the parts out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from anyio import to_thread
from pydantic import JsonValue, ValidationError

from redraft.brief import Brief
from redraft.errors import BriefError, ConfigError, MissingPartError, RunFormatError, RunNotFoundError
from redraft.files import write_atomic
from redraft.layout.items import Layout, Move
from redraft.limits import RECORD, read_file
from redraft.result import Heuristics, Picture, Report, Result
from redraft.studios.base import Resources
from redraft.studios.board import files
from redraft.studios.board import placement as execution
from redraft.studios.board.actions.registry import PlaceAll
from redraft.studios.board.inputs import NO_BOARD, before_of, inputs, picture_of, pictures
from redraft.studios.board.kicad.file import BoardFile
from redraft.studios.board.placement import Placement, board_of, layout_of, opened, placed_anew, placement_of
from redraft.studios.board.settings import BoardSettings, own
from redraft.studios.board.spec import ActionList, parse
from redraft.studios.kinds import AuditedStudio, LayoutStudio
from redraft.studios.requests import Kind, StudioRequest, StudioSettings
from redraft.text import plural

if TYPE_CHECKING:
    from redraft.layout.items import Solution

ALL = "place all unplaced components"
AGAIN = "place all components again"
"""The instructions of a run with `all` and without words, and of one with `replace`."""
BOARD_FILE = "board.kicad_pcb"
RATSNEST_FILE = "ratsnest.png"
PLACEMENT_FILE = "placement.json"


class BoardStudio(LayoutStudio[ActionList, Placement], AuditedStudio[ActionList, Placement]):
    """KiCad boards, of KiCad 4 and later. Holds no state."""

    name = "board"
    medium = "a placement of components on a circuit board"
    artifact_model = Placement
    settings_model = BoardSettings
    offline = "redraft.studios.board.offline.answers"
    purpose = "Place components of a KiCad board as a sentence says."
    example = "put C1 0.5 mm right of U1 pin 4"
    trial: ClassVar[Mapping[str, JsonValue]] = {"to": None, "in_place": False, "all": False, "replace": False}
    takes = frozenset({"source"})
    deliverables = (
        ("written", "written"),
        ("board", "board"),
        ("png", "image"),
        ("before", "before"),
        ("ratsnest", "ratsnest"),
        ("json", ""),
    )
    looks = "attempt"
    views = ("board",)
    needs: ClassVar[Mapping[str, str]] = {"replace": "all", "effort": "all", "time_limit": "all"}
    auditor = "KiCad"

    def brief(self, instruction: str, settings: StudioSettings, seed: int, **inputs: Any) -> Brief:
        """With `all` the instruction may be empty, and what it says is said of placing all.

        Raises:
            BriefError: it is empty or too long, or a board is given beside that of an earlier run. ConfigError:
                `replace` without `all`.
        """
        chosen, source, on = own(settings), inputs.get("source"), inputs.get("on")
        if source is not None and instruction.endswith(".kicad_pcb") and source.suffix != ".kicad_pcb":
            raise BriefError(
                f'The file comes first: redraft board FILE "INSTRUCTION". Given as FILE: {str(source)!r:.60}; as '
                f"INSTRUCTION: {instruction!r:.60}."
            )
        if source is not None and on is not None:
            raise BriefError(
                f"Both the board {source} and the run {on} are given. To go on from that run's board, leave the file "
                f'out: redraft board "INSTRUCTION" --on {on}. To work on the file, leave out --on.'
            )
        if chosen.replace and not chosen.all:
            raise ConfigError("replace (--replace) says what --all places; give both, or name the components to move.")
        if chosen.all:
            everything = AGAIN if chosen.replace else ALL
            words = instruction.strip()
            instruction = f"{everything}: {words}" if words else everything
        return Brief.of(instruction, example=self.example, **inputs)

    def prepare(self, settings: StudioSettings, brief: Brief) -> StudioSettings:
        """Return the settings unchanged, once it is sure that the result can be written where they say.

        Raises:
            BriefError: the instruction names a part or pad that the board does not have. BoardError: a file cannot be
                written. MissingPartError: KiCad's check is insisted on, and KiCad is missing.
        """
        from redraft.studios.board.kicad.cli import find_program
        from redraft.studios.board.words.names import refuse_unknown

        chosen = own(settings)
        if chosen.to is not None and chosen.in_place:
            raise ConfigError(f"Give either to={chosen.to} or in_place (--to or --in-place), not both.")
        if brief.source is not None:
            files.refuse_unwritable(brief.source, _path(chosen.to), in_place=chosen.in_place)
        if chosen.drc == "always":
            find_program()
        placement = self.open(brief)
        layout = layout_of(placement)
        refuse_unknown(brief.instruction, layout)
        if chosen.all:
            self._refuse_all(placement, layout, brief)
        return settings

    def _refuse_all(self, placement: Placement, layout: Layout, brief: Brief) -> None:
        """Refuse before any work a whole board that cannot be placed. Raises `BriefError`."""
        from redraft.studios.board.place.circuit import circuit_of
        from redraft.studios.board.place.goals import refuse_idle

        if layout.area is None:
            wrong = " ".join(board_of(placement).site.warnings)
            raise BriefError(
                f"{placement.file.name} has no closed outline to place components in. {wrong or 'It draws none.'} "
                "Draw a closed line on the layer Edge.Cuts in KiCad, then run this again."
            )
        if brief.instruction in (ALL, AGAIN):
            refuse_idle(layout, PlaceAll(replace=brief.instruction == AGAIN), circuit_of(layout))

    def details(self, result: Result) -> list[str]:
        """Return where the moved components lie now, and what became of the wires."""
        return [*(f"moved:   {line}" for line in files.moved(result)), *files.wires(result)]

    def data(self, result: Result) -> dict[str, JsonValue]:
        """Return where all moved components lie now, the wire length before and after, and the longest nets."""
        return files.facts(result)

    def handed_over(self, result: Result, settings: StudioSettings) -> Result | None:
        """Return the result with the board that was written; what lies there may have been edited since."""
        chosen = own(settings)
        if chosen.to is not None:
            to = Path(chosen.to)
            return result.model_copy(update={"files": {**result.files, "written": to}}) if to.exists() else None
        if not chosen.in_place or "json" not in result.files:
            return result
        placement = placement_of(result)
        return result if BoardFile.read(placement.file).digest != placement.digest else None

    def hand_over(self, result: Result, settings: StudioSettings) -> Result:
        """Write the board where the settings want it, unless it is worse than what came in; a resumed run as well.

        Raises:
            BoardChangedError: the board was changed on disk since the run read it. BoardError: it cannot be written.
        """
        chosen = own(settings)
        return files.write_board(result, _path(chosen.to), in_place=chosen.in_place, force=chosen.force)

    def open(self, brief: Brief) -> Placement:
        """Return the board to work on: the given file, or the result of an earlier run.

        Raises:
            BriefError: neither is given. BoardError: it cannot be read. RunError: the earlier run made no board.
        """
        if brief.source is not None:
            return opened(brief.source)
        if brief.on is None:
            raise BriefError(NO_BOARD)
        board = brief.on / BOARD_FILE
        if not board.is_file():
            raise (RunFormatError if brief.on.is_dir() else RunNotFoundError)(
                f"{brief.on} has no {BOARD_FILE}: it is not a finished run of the board studio."
            )
        try:
            earlier = Placement.model_validate_json(read_file(brief.on / PLACEMENT_FILE, RECORD))
        except (OSError, ValidationError) as error:
            raise RunFormatError(
                f"{brief.on / PLACEMENT_FILE} is missing, or not of this version of redraft. To go on from that run's "
                f"board as it is, give the file itself: {board}."
            ) from error
        return opened(board).model_copy(update={"agreed": (*earlier.agreed, *earlier.stated)})

    def inputs(self, request: StudioRequest[Placement]) -> dict[str, JsonValue]:
        """Return what the request shows of the board in words. Raises `BriefError` without a board."""
        return inputs(request)

    def pictures(self, request: StudioRequest[Placement]) -> tuple[Picture, ...]:
        """Return a picture of each window that the request shows; to a critic, those of the request."""
        return pictures(request)

    def parse(self, kind: Kind, text: str, base: Placement | None, *, strict: bool = False) -> ActionList:
        """Read a reply as a list of actions. Raises `FormatError`."""
        return parse(text)

    def wanted(self, spec: ActionList) -> tuple[str, ...]:
        """Return the look that a reply asks for, as one text; nothing when it acts."""
        return (spec.look,) if spec.look else ()

    async def execute(self, spec: ActionList, base: Placement | None, resources: Resources) -> Placement:
        """Carry out all actions, and return the placement after them. Raises `ExecutionError`."""
        return await execution.execute(spec, base, resources)

    def check(
        self, artifact: Placement, base: Placement | None, brief: Brief, heuristics: Heuristics = "default"
    ) -> Report:
        """Measure the actions and the brief's numbers, and apply the rules."""
        from redraft.studios.board.check import check

        return check(artifact, base, brief, heuristics)

    def unaudited(self, resources: Resources) -> Report | None:
        """Return a plain statement where KiCad's own check is switched off."""
        if own(resources.settings).drc != "never":
            return None
        return Report(unchecked=("KiCad's own design rule check did not run: studios.board.drc is never",))

    async def audit(self, artifact: Placement, base: Placement | None, resources: Resources) -> Report:
        """Run KiCad's own check; return a plain statement where KiCad is missing.

        Raises:
            InfrastructureError: KiCad failed. MissingPartError: the settings insist on it, and KiCad is missing.
        """
        from redraft.studios.board.check import audit

        try:
            return await audit(artifact, base)
        except MissingPartError as error:
            if own(resources.settings).drc == "always":
                raise
            return Report(unchecked=(f"KiCad's own design rule check did not run: {error}",))

    async def render(self, artifact: Placement, views: Sequence[str], resources: Resources) -> list[Picture]:
        """Draw the window around the moved parts as a PNG; the whole board, when none was moved.

        Raises:
            ValueError: a view other than `board`.
        """
        if unknown := [view for view in views if view not in self.views]:
            raise ValueError(f"a board has no view {unknown[0]!r}; it has {', '.join(self.views)}")
        work = partial(_shown, artifact)
        return [await to_thread.run_sync(work, limiter=resources.limiter)]

    def parts(self, folder: Path) -> list[str]:
        """Return the components of a run's board. Raises `BriefError` without a board, `BoardError`."""
        return sorted(item.name for item in files.delivered(folder).layout.items)

    def close_up(self, folder: Path, part: str, room: float) -> str:
        """Return a picture of what is around a component, or of the whole board. Raises `BriefError`, `BoardError`."""
        from redraft.studios.board.views.microscope import view_of
        from redraft.studios.board.views.picture import svg_of
        from redraft.studios.board.views.window import around, region

        layout = files.delivered(folder).layout
        window = around(layout, [part], room) if part else region(layout, layout.frame.bounds)
        return svg_of(window, view_of(window))

    def illustrate(self, artifact: Placement, report: Report, resources: Resources) -> dict[str, tuple[str, bytes]]:
        """Draw the window around the moved parts for the record."""
        return {"plain": (".png", _shown(artifact).png)}

    def summary(self, artifact: Placement) -> str:
        """Return `3 parts moved`."""
        return f"{plural(len(artifact.poses), 'part')} moved"

    def deliver(self, artifact: Placement, folder: Path, resources: Resources) -> dict[str, Path]:
        """Write `board.kicad_pcb`, `board.png` and `placement.json`, each whole or not at all.

        Where components moved, `before.png` is the same window of the board as it was read; a whole board that was
        placed has `ratsnest.png` too. The board is the one that was read, with the moves, even if its file was changed
        meanwhile: the work is not lost, and nothing is overwritten. `write_board` reports the change when it writes.

        Raises:
            RunError: a file cannot be written.
        """
        picture = picture_of(artifact, tuple(artifact.poses))
        board = board_of(artifact)
        more: dict[str, Path] = {}
        if artifact.poses:
            more["before"] = write_atomic(folder / "before.png", before_of(artifact))
        if any(isinstance(stated.action, PlaceAll) for stated in artifact.stated):
            more["ratsnest"] = write_atomic(folder / RATSNEST_FILE, _ratsnest(artifact))
        return {
            "board": write_atomic(folder / BOARD_FILE, board.rewritten()),
            "png": write_atomic(folder / "board.png", picture.png),
            **more,
            "json": write_atomic(folder / PLACEMENT_FILE, artifact.model_dump_json(indent=1) + "\n"),
        }

    def layout(self, artifact: Placement) -> Layout:
        """Return the board as placed items."""
        return layout_of(artifact)

    def solve(self, artifact: Placement, base: Placement | None, report: Report, brief: Brief, seed: int) -> Solution:
        """Shift the parts that were moved to the nearest places without collisions, if there are any."""
        from redraft.studios.board.placement import repair

        return repair(artifact, base, report)

    def apply_moves(self, artifact: Placement, moves: Sequence[Move]) -> Placement:
        """Return the placement after moves of the solver."""
        return execution.amend(artifact, moves)


def _shown(artifact: Placement) -> Picture:
    """Draw what a critic and the record see: airwires if the board was placed anew, else the moved components."""
    if placed_anew(artifact):
        return Picture(name="board.png", png=_ratsnest(artifact))
    return picture_of(artifact, tuple(artifact.poses))


def _ratsnest(artifact: Placement) -> bytes:
    from redraft.studios.board.views.ratsnest import ratsnest_of

    return ratsnest_of(layout_of(artifact))


def _path(name: str | None) -> Path | None:
    return None if name is None else Path(name)


studio = BoardStudio()
