"""Scripts as capable models write them, run and measured for real.

A script begins with `# brief: …`; one with a fault has a second line `# finds: code, code: name name …`: what the
report must say, and things that it must name. A third line `# states: […]` has requirements, as JSON.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import JsonValue

from redraft.sandbox.pool import Sandbox
from redraft.studios.scene.execute import Wanted, run_script, survey
from redraft.studios.scene.settings import SceneSettings
from redraft.studios.scene.spec import Scene

SCRIPTS = Path(__file__).parents[1] / "studios/scene/scripts"
PICTURE = (192, 144, 8)
"""Width, height and samples: enough to tell how it is exposed."""


@dataclass(frozen=True)
class Script:
    """One of them. A good one has no codes."""

    name: str
    text: str
    brief: str
    codes: tuple[str, ...] = ()
    subjects: tuple[str, ...] = ()
    stated: tuple[JsonValue, ...] = ()


def scripts(folder: str) -> list[Script]:
    """Those of `good` or `faulty`, by name."""
    return [_script(path) for path in sorted((SCRIPTS / folder).glob("*.py"))]


def _script(path: Path) -> Script:
    text = path.read_text(encoding="utf-8")
    brief, second, third, *_ = text.splitlines()
    finds = second.removeprefix("# finds: ") if second.startswith("# finds: ") else ""
    codes, _, names = finds.partition(":")
    found = tuple(code.strip() for code in codes.split(",") if code)
    states = next((line for line in (second, third) if line.startswith("# states: ")), "# states: []")
    stated = tuple(json.loads(states.removeprefix("# states: ")))
    return Script(path.stem, text, brief.removeprefix("# brief: "), found, tuple(names.split()), stated)


async def built(text: str, sandbox: Sandbox, *, picture: bool = True, views: tuple[str, ...] = ()) -> Scene:
    """The scene that a script makes, measured; the pictures are left out of it."""
    settings = SceneSettings()
    staged = await run_script(text, settings, 0, sandbox)
    wanted = Wanted(facts=True, camera=PICTURE if picture else None, views=views)
    seen = await survey(staged.blend, wanted, settings, sandbox)
    assert seen.facts is not None
    assert seen.exposure is not None
    return Scene(
        code=text, facts=seen.facts, exposure=seen.exposure, preview="", views={}, blend="", printed=staged.printed
    )
