"""An open board: actions, views, checks, and saving. `redraft.loop.session` has what it shares with other open work.

All of it is synchronous but pictures for a server and KiCad's check. Not safe to share between threads.
"""

from __future__ import annotations

import base64
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from anyio import to_thread

from redraft.errors import BoardError, BriefError, ExecutionError, InfeasibleError
from redraft.layout.items import Bounds, Layout, Move
from redraft.loop import session
from redraft.result import Picture, Report
from redraft.studios.board.actions.fields import Direction, Side
from redraft.studios.board.actions.plans import Plan
from redraft.studios.board.actions.registry import (
    Action,
    Align,
    CopyBlock,
    Decouple,
    Distribute,
    MoveBlock,
    PlaceAll,
    PlaceComponent,
    PlaceRelative,
    Stack,
)
from redraft.studios.board.actions.workspace import Outcome, Workspace, merged, outcome_of
from redraft.studios.board.board import Board
from redraft.studios.board.drc import DrcResult, as_report, compare
from redraft.studios.board.kicad.cli import drc
from redraft.studios.board.kicad.file import BoardFile, project_files
from redraft.studios.board.nets import NetPage, NetQuery, nets
from redraft.studios.board.place.blocks import moves_to
from redraft.studios.board.rules import compared, placed_anew
from redraft.studios.board.solve.arguments import movable
from redraft.studios.board.views import microscope
from redraft.studios.board.views.compass import compass, compass_of
from redraft.studios.board.views.facts import Context, View
from redraft.studios.board.words.find import Page, Query, find

if TYPE_CHECKING:
    from redraft.config import Config

MARGIN = 2.0
"""Space around the whole board in a picture, mm."""


@dataclass
class Step:
    """A board after some actions."""

    base: Board
    workspace: Workspace
    actions: tuple[Action, ...]
    """All actions since it was opened."""
    outcome: Outcome
    """What the last of them did, together."""
    drc: Report | None = None
    """What KiCad's check found, once it has run."""

    @cached_property
    def board(self) -> Board:
        return self.base.amend(self.workspace.moves)


@dataclass
class Session(session.Session[Step]):
    """An open board, with its history and its saved state."""

    base: Board
    """The board as it was opened."""
    disk: BoardFile = field(init=False)
    """The file at the board's path, as far as this session knows: `base.file` until it was saved in place."""
    _saved: tuple[Move, ...] = field(default=(), init=False)
    _before: dict[bool, DrcResult] = field(default_factory=dict[bool, DrcResult], init=False)
    """What KiCad's check found on the board as it was opened, with its tracks and without (True)."""

    def __post_init__(self) -> None:
        self.disk = self.base.file
        self.append(Step(self.base, Workspace(self.base.layout), (), Outcome(action="open")))

    @classmethod
    def open(cls, path: Path, *, ripup: bool = False) -> Session:
        """Read a board.

        Args:
            ripup: views, checks and saved files are without the tracks that ended at the pads of moved parts. What
                is saved in place so has lost them for good; the `.bak` beside it has them.

        Raises:
            BoardError: it cannot be read, is not a board, or is damaged.
        """
        return cls(replace(Board.read(path), ripup=ripup))

    @property
    def path(self) -> Path:
        return self.base.file.path

    @property
    def home(self) -> Path:
        return self.path.parent

    @property
    def workspace(self) -> Workspace:
        """The layout with the actions in force; actions are carried out on copies of it."""
        return self.steps[self.at].workspace

    @property
    def layout(self) -> Layout:
        """The board as it is now."""
        layout, ripped = self.workspace.layout, self.board.ripped if self.base.ripup else None
        return replace(layout, fixtures=partial(self.base.site.fixtures, without=ripped)) if ripped else layout

    @property
    def board(self) -> Board:
        """The board with the moves in force."""
        return self.steps[self.at].board

    @property
    def changed(self) -> tuple[str, ...]:
        """Names of the parts that lie elsewhere than when the board was opened, in the file's order."""
        names = {index: name for name, index in self.base.names.items()}
        return tuple(names[index] for index in sorted(self.board.poses))

    @property
    def unsaved(self) -> bool:
        """There are changes that no file has."""
        return self.workspace.moves != self._saved

    # Acting ---------------------------------------------------------------------------------------------------------

    def do(
        self, action: Action, *, notify: Callable[[str], None] | None = None, stop: Callable[[], bool] | None = None
    ) -> Outcome:
        """Carry out one action, or nothing of it. Takes and raises what `Workspace.do` does."""
        after = self.workspace.copy()
        outcome = after.do(action, notify=notify, stop=stop)
        self._advance(after, [action], outcome)
        return outcome

    def do_all(
        self,
        actions: Sequence[Action],
        *,
        dry_run: bool = False,
        notify: Callable[[str], None] | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Carry out a list of actions as one step, or nothing of it. Returns what they did together.

        Args:
            dry_run: only say what it would do.
            notify: called with a line about the progress of a long search.
            stop: called often by long searches; once it returns True, the board stays as it is.

        Raises:
            ExecutionError: an action cannot be carried out; gives its number in the list and the reason.
        """
        after, outcomes = self.workspace.copy(), list[Outcome]()
        for number, action in enumerate(actions, start=1):
            try:
                outcomes.append(after.do(action, notify=notify, stop=stop))
            except (BriefError, InfeasibleError) as error:
                raise ExecutionError(
                    f"Action {number} of {len(actions)} ({action.action}): {error}\n"
                    "Nothing in this list was carried out; the board is unchanged.",
                    subjects=error.subjects,
                ) from error
        outcome = merged("; ".join(outcome.action for outcome in outcomes), outcomes, self.workspace, after)
        if dry_run or (stop is not None and stop()):
            return outcome.model_copy(update={"action": f"not done: {outcome.action}"})
        self._advance(after, actions, outcome)
        return outcome

    def place_all(
        self,
        refs: Sequence[str] = (),
        *,
        notify: Callable[[str], None] | None = None,
        stop: Callable[[], bool] | None = None,
        **wishes: Any,
    ) -> Outcome:
        """Place many components at once: those named, or all that are not placed yet.

        Args:
            refs: components, or sheets and groups by name.
            notify: called with a line about the progress, at most once a second.
            stop: called often; when it returns True, the best placement so far is taken.
            wishes: the other fields of `PlaceAll`: `replace`, `start`, `anchors`, `effort`, `seed` …

        Raises:
            ValueError: a wish is malformed; and what `do` raises.
        """
        action = PlaceAll.model_validate({"refs": tuple(refs), **wishes})
        return self.do(action, notify=notify, stop=stop)

    def place_relative(
        self, ref: str, target: str, side: Side = "right", clearance: float = 0.5, rotation: float | None = None
    ) -> Outcome:
        """Put a part at a side of another one, or of a pad ("U1.4"), exactly so many mm away. Raises as `do` does."""
        return self.do(PlaceRelative(ref=ref, target=target, side=side, clearance=clearance, rotation=rotation))

    def place_component(self, ref: str, x: float, y: float, rotation: float | None = None) -> Outcome:
        """Put the middle of a part's box at a point, in mm. Raises as `do` does."""
        return self.do(PlaceComponent(ref=ref, x=x, y=y, rotation=rotation))

    def align(self, refs: Sequence[str], axis: Literal["x", "y"] = "x") -> Outcome:
        """Bring parts in a row ("x") or a column ("y"). Raises as `do` does."""
        return self.do(Align(refs=tuple(refs), axis=axis))

    def distribute(self, refs: Sequence[str], spacing: float | None = 0.5) -> Outcome:
        """Space parts evenly, in mm edge to edge; None keeps both ends. Raises as `do` does."""
        return self.do(Distribute(refs=tuple(refs), spacing=spacing))

    def stack(self, refs: Sequence[str], direction: Direction = "down", spacing: float = 0.5) -> Outcome:
        """Put parts one after another, in the order given. Raises as `do` does."""
        return self.do(Stack(refs=tuple(refs), direction=direction, spacing=spacing))

    def decouple(self, target: str, refs: Sequence[str] = (), clearance: float = 0.0) -> Outcome:
        """Put the decoupling capacitors of a part or pad at the supply pins that they serve. Raises as `do` does."""
        return self.do(Decouple(target=target, refs=tuple(refs), clearance=clearance))

    def move_block(self, block: str, target: str, side: Side | None = None, clearance: float = 0.5) -> Outcome:
        """Put a sheet or group beside something as one rigid body, in mm box to box. Raises as `do` does."""
        return self.do(MoveBlock(block=block, target=target, side=side, clearance=clearance))

    def copy_block(self, source: str, onto: Sequence[str]) -> Outcome:
        """Give repeats of a sheet its inner placement, each around its own largest part. Raises as `do` does."""
        return self.do(CopyBlock(source=source, onto=tuple(onto)))

    def undo(self, *, redo: bool = False) -> Outcome:
        """Take back the last step, or do it again. Raises `BriefError` where there is none."""
        before = self.steps[self.at]
        super().undo(redo=redo)
        after = self.steps[self.at]
        done = (after if redo else before).outcome
        names = [moved.ref for moved in done.moved]
        return outcome_of(f"{'redo' if redo else 'undo'}: {done.action}", before.workspace, after.workspace, names)

    def redo(self) -> Outcome:
        """Do the last undone step again. Raises `BriefError` when there is none."""
        return self.undo(redo=True)

    def adopt(self, other: Board, what: str) -> Outcome:
        """Bring every part to where it lies on `other`, a board of the same footprints, as one step.

        Raises:
            BoardError: it is another board. InfeasibleError: a locked component would move.
        """
        if list(other.names) != list(self.base.names):
            raise BoardError(
                f"{other.file.path.name} has other footprints than {self.path.name}; nothing is taken over."
            )
        goal, after = other.layout, self.workspace.copy()
        moves = [
            move for item in after.layout.roots for move in moves_to(after.layout, item.name, goal[item.name], what)
        ]
        movable(after.layout, dict.fromkeys(move.item for move in moves), what)
        outcome = after.carry_out(Plan(what, tuple(moves)))
        if moves:
            self._advance(after, (), outcome)
        return outcome

    def _advance(self, after: Workspace, actions: Sequence[Action], outcome: Outcome) -> None:
        self.append(Step(self.base, after, (*self.steps[self.at].actions, *actions), outcome))

    # Looking --------------------------------------------------------------------------------------------------------

    def compass(self) -> str:
        """Describe the board in words: zones, neighbors, what is unplaced."""
        return compass(self.layout)

    def compass_json(self) -> str:
        """Return the facts of the compass as JSON."""
        return compass_of(self.layout).text()

    def inspect_components(self, refs: Sequence[str], padding: float = 5.0) -> View:
        """Return exact geometry around some parts. Raises `BriefError` for unknown ones."""
        return microscope.inspect_components(self.layout, refs, padding)

    def inspect_region(self, center_x: float, center_y: float, width: float, height: float) -> View:
        """Return exact geometry of everything inside a window, millimeters."""
        return microscope.inspect_region(self.layout, center_x, center_y, width, height)

    def visual_context(self, targets: Sequence[str], padding: float = 5.0) -> Context:
        """Return exact geometry around some parts, and a picture of it."""
        return microscope.get_visual_context(self.layout, targets, padding)

    get_visual_context = visual_context

    def get_json_view(self, bounds: Bounds) -> dict[str, Any]:
        """Return exact geometry of a window (x0, y0, x1, y1; mm), as plain data. Raises as `picture` does."""
        return microscope.get_json_view(self, bounds)

    def render_png_view(self, bounds: Bounds) -> str:
        """Return the picture of a window as base64 of a PNG. Raises `BriefError` for an empty one."""
        return microscope.render_png_view(self, bounds)

    def picture(self, window: Bounds) -> bytes:
        """Return the picture of a window as PNG. Raises `BriefError` for an empty one."""
        return base64.b64decode(self.render_png_view(window))

    async def look(self, views: Sequence[str] = ()) -> list[Picture]:
        """Return a picture of the whole board; it has no other views."""
        del views
        return [Picture(name="board.png", png=await to_thread.run_sync(self.picture, whole(self.layout)))]

    def find(self, query: Query) -> Page:
        """Find parts by reference, value, net, kind or place, a page at a time."""
        return find(self.board, self.layout, query)

    def nets(self, query: NetQuery) -> NetPage:
        """Return nets with all their pads, and complete pin lists of components, a page at a time.

        Raises:
            BriefError: an unknown name, with close ones, or a cursor of another list.
        """
        return nets(self.layout, query)

    # Checking and saving --------------------------------------------------------------------------------------------

    def check(self) -> Report:
        """Apply redraft's own rules; what the board had when it was opened is inherited."""
        return compared(self.board, self.layout, self.base.layout, anew=self._placed_anew())

    def _placed_anew(self) -> bool:
        return placed_anew(self.layout, self.base.layout, self.steps[self.at].actions)

    async def drc(self) -> Report:
        """Run KiCad's own check on the board as it is now; what it found when it was opened is inherited.

        Raises:
            MissingPartError: KiCad is not installed. InfrastructureError: it crashed or took too long.
        """
        step = self.steps[self.at]
        if step.drc is None:
            board, bare = step.board, self._placed_anew()
            if bare not in self._before:
                self._before[bare] = await drc(self.path, self.base.unrouted() if bare else self.base.file.data)
            after = await drc(self.path, board.unrouted() if bare else board.rewritten())
            new = compare(self._before[bare], after)
            step.drc = as_report(new, board.layout, moved=self.changed, unrouted=bare)
        return step.drc

    def save(self, out: Path | str | None = None, *, in_place: bool = False, overwrite: bool = False) -> Path:
        """Write the board, to `out` or in place (the earlier file is kept beside it as `.bak`).

        Raises:
            BoardChangedError: the board was changed on disk since it was read.
            BoardError: neither or both places are given, the file exists, or it cannot be written.
        """
        out = None if out is None else Path(out)
        if in_place == (out is not None):
            raise BoardError("Say where to save: a new file as `out`, or in_place=true for the board itself.")
        if out is not None and out.exists() and not overwrite and not out.samefile(self.path):
            raise BoardError(f"{out} exists already. Give another name, or overwrite=true.")
        # After it was saved in place, the file has poses of its own, and what was taken back is written too.
        poses = dict(self.board.poses)
        if self.disk is not self.base.file:
            goals = {
                index: poses.get(index, footprint.pose) for index, footprint in enumerate(self.base.file.footprints)
            }
            poses = {index: pose for index, pose in goals.items() if pose != self.disk.footprints[index].pose}
        ripped = Board(self.disk, poses, self.base.ripup).ripped
        written = self.disk.save(poses, out, in_place=in_place, ripped=ripped)
        if in_place:
            self.disk = BoardFile.read(self.path)
        self._saved = self.workspace.moves
        return written

    def source(self) -> bytes:
        """Return the file as `save` would write it."""
        return self.board.rewritten()

    def lend(self, folder: Path, config: Config) -> tuple[Config, dict[str, Any]]:
        """Return the configuration and input of a run: the board itself, or a copy of it with its unsaved changes."""
        if self.base.ripup:
            section = {**config.studios.get("board", {}), "ripup": True}
            config = config.model_copy(update={"studios": {**config.studios, "board": section}})
        if not self.unsaved and self.disk is self.base.file:
            return config, {"source": self.path}
        folder.parent.mkdir(parents=True, exist_ok=True)
        copy = folder.with_name(f"{folder.name}.kicad_pcb")
        copy.write_bytes(self.source())
        for project_file in project_files(self.path):
            shutil.copyfile(project_file, copy.with_suffix(project_file.suffix))
        return config, {"source": copy}


def open_board(path: Path | str) -> Session:
    """Open a KiCad board for exact actions with undo, views, checks and saving.

    Raises:
        BoardError: it cannot be read.
    """
    return Session.open(Path(path))


def whole(layout: Layout) -> Bounds:
    """Return the window that shows all of a board."""
    x0, y0, x1, y1 = layout.frame.bounds
    return (x0 - MARGIN, y0 - MARGIN, x1 + MARGIN, y1 + MARGIN)
