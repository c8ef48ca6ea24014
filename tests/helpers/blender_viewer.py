"""Scripts run and their scenes looked at for real, from plain tests: one sandbox for a whole module of them."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from anyio.from_thread import BlockingPortal, start_blocking_portal
from real_parts import needs

from redraft.sandbox.pool import Sandbox
from redraft.sandbox.program import Answer, Limits
from redraft.studios.scene.execute import Seen, Wanted, run_script, survey, viewer_program
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.spec import Contact, Rest, SceneFacts, Thing

HEAD = "import bpy, bmesh, math\nfrom mathutils import Vector\n"
SETTINGS = SceneSettings()


@dataclass(frozen=True)
class Viewer:
    """Both workers, warm between scenes. What a script makes is kept, as many tests look at the same scene."""

    box: Sandbox
    portal: BlockingPortal
    made: dict[str, bytes] = field(default_factory=dict[str, bytes])

    def blend(self, script: str) -> bytes:
        """What a script saves; `bpy`, `bmesh`, `math` and `Vector` are there already."""
        if script not in self.made:
            self.made[script] = self.portal.call(run_script, HEAD + script, SETTINGS, 0, self.box).blend
        return self.made[script]

    def see(self, script: str, wanted: Wanted) -> Seen:
        return self.portal.call(survey, self.blend(script), wanted, SETTINGS, self.box)

    def facts(self, script: str, wanted: Wanted | None = None) -> SceneFacts:
        facts = self.see(script, replace(wanted or Wanted(), facts=True)).facts
        assert facts is not None
        return facts

    def ask(self, job: dict[str, Any], blob: bytes) -> Answer:
        """One job as it goes over the wire."""
        limits = Limits(120.0)

        async def ask() -> Answer:
            return await self.box.ask(viewer_program(SETTINGS), cast("Any", job), limits=limits, blob=blob)

        return self.portal.call(ask)


@contextmanager
def open_viewer(scratch: Path) -> Generator[Viewer]:
    """Skips the test where Blender or the jail is missing."""
    needs("blender")
    needs("bwrap")
    with start_blocking_portal() as portal:
        box = Sandbox(scratch, workers=1)
        try:
            yield Viewer(box, portal)
        finally:
            portal.call(box.close)


def thing(facts: SceneFacts, name: str) -> Thing:
    return next(each for each in facts.things if each.name == name)


def contact(facts: SceneFacts, one: str, other: str) -> Contact | None:
    return next((each for each in facts.contacts if {each.a, each.b} == {one, other}), None)


def rest(facts: SceneFacts, name: str) -> Rest:
    return next(each for each in facts.rests if each.name == name)
