"""Scripts as capable models write them, run and measured for real.

The good ones are files that begin with `# brief: …`. A faulty one is a good one with code behind it that breaks one
thing: `faulty.yaml` says what is added, and what the report must find.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml
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


def good_scripts() -> list[Script]:
    """Return the scripts without a fault, by name."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted((SCRIPTS / "good").glob("*.py"))}
    return [Script(name, text, text.partition("\n")[0].removeprefix("# brief: ")) for name, text in texts.items()]


def faulty_scripts() -> list[Script]:
    """Return the scripts with one fault each, by name."""
    good = {script.name: script for script in good_scripts()}
    rows = yaml.safe_load((SCRIPTS / "faulty.yaml").read_text(encoding="utf-8"))
    return [_faulty_script(row, good.get(row.get("base", ""))) for row in rows]


def _faulty_script(row: dict[str, Any], base: Script | None) -> Script:
    codes, subjects, stated = (tuple(row.get(key, ())) for key in ("finds", "names", "states"))
    brief = row.get("brief") or (base.brief if base else "")
    head = [f"# brief: {brief}", f"# finds: {', '.join(codes)}{': ' if subjects else ''}{' '.join(subjects)}"]
    head += [f"# states: {json.dumps(stated)}"] if stated else []
    body = f"{base.text.partition(chr(10))[2]}\n{row['adds']}" if base else row["adds"]
    return Script(row["name"], "\n".join([*head, body]), brief, codes, subjects, stated)


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
