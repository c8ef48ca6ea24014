"""How many scripts for older Blenders run in the one that is installed without any call of a model.

    python benchmarks/bpy_errors.py [--show] [--data FILE]

The scripts in `benchmarks/bpy_scripts` were written for Blender 2.7 to 4.5, at least three for each change of its API
that old scripts die of; their first line says which change comes first. Each is run in the real stage and patched
until it runs to its end: by the API look-up alone (`inside/advice`), by the fix memory alone (with the fixes of the
other scripts of the same change, never this one), and by both, as the loop does it. Printed: whether each first error
has the key that the table below, written by hand, says; how many scripts were patched in each way; whether a patched
script still does what its second line says, by a statement that Blender itself judges after it; and what is left.
The fixes that the memory is taught come from the look-up, a step each, as a model's replies would.

The scripts in `bpy_scripts/unseen` were written before the look-up was read, as language models of 2023 to 2025 write
for Blender 5: nothing was fitted to them, and the look-up is judged by them. Their third line is a text that the error
message with its hints must contain. Printed: how many run, and are right, after the look-up alone, and how many
messages contain that text.

The scripts in `tests/data/old_blender` are for Blender 2.7 to 4.5, by three authors who had not read the look-up.
Printed: how many run after the look-up alone, and how many statements were left out without saying what is lost.

FILE holds messages of scripts found elsewhere (a JSON list of `error_type`, `message`, `api_change`): their keys are
compared with the same table. Exits 1 when a key is wrong, or fewer than the aim were patched.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from anyio.from_thread import BlockingPortal, start_blocking_portal

from redraft.errors import ExecutionError, InfrastructureError
from redraft.fixes.error_cache import ErrorCache, open_error_cache
from redraft.fixes.normalize import diagnostics, key_of
from redraft.loop.recall import MAX_PATCHES, patched
from redraft.result import CodePatch
from redraft.sandbox.pool import Sandbox
from redraft.studios.scene.execute import run_script
from redraft.studios.scene.settings import SceneSettings

SCRIPTS = Path(__file__).parent / "bpy_scripts"
UNSEEN = SCRIPTS / "unseen"
STRANGERS = Path(__file__).parents[1] / "tests/data/old_blender"
AIM = 0.9
"""Share that is to be patched by look-up and memory together."""

KEYS: Mapping[str, tuple[str, ...]] = {
    "scene.objects.link -> collection.objects.link (2.80)": ("bpy:no_attribute:link",),
    "primitive_cube_add(radius=) -> size= (2.80)": ("bpy:unknown_keyword:radius",),
    "scene.objects.unlink -> collection/data.remove (2.80)": ("bpy:no_attribute:unlink",),
    "Action.fcurves -> layered actions/channelbags (5.0)": ("bpy:no_attribute:fcurves",),
    "Scene.node_tree -> compositing_node_group (5.0)": ("bpy:no_attribute:node_tree",),
    "CombineRGB/SeparateRGB -> CombineColor/SeparateColor (removed 5.0)": (
        "bpy:unknown_node:shadernodecombinergb",
        "bpy:unknown_node:shadernodeseparatergb",
    ),
    "view look names prefixed with AgX (4.0)": (
        "bpy:enum_value:high_contrast",
        "bpy:enum_value:very_high_contrast",
        "bpy:enum_value:medium_high_contrast",
        "bpy:enum_value:filmic_-_very_high_contrast",
    ),
    "eevee.use_bloom removed (4.2)": ("bpy:no_attribute:use_bloom",),
    "file_format FFMPEG needs image_settings.media_type=VIDEO (5.0)": ("bpy:enum_value:ffmpeg",),
    "layers operators removed (2.80)": ("bpy:unknown_operator:object.select_by_layer",),
    "WorldLighting AO removed (2.80/4.2)": ("bpy:no_attribute:use_ambient_occlusion",),
    "bmesh create_cone diameter1 -> radius1 (3.0)": ("bpy:unknown_keyword:diameter1",),
    "Principled Specular -> Specular IOR Level (4.0)": ("bpy:unknown_key:specular",),
    "scene.cursor_location -> scene.cursor.location (2.80)": ("bpy:no_attribute:cursor_location",),
    "matrix * vector -> @ (2.80)": ("bpy:operator_mismatch:matrix_vector",),
}
"""Change → the keys that its first error may have: written by hand from the messages' meaning."""


@dataclass(frozen=True)
class Script:
    """An old script: the change that it fails by first, what it is to have done in the end, and its code."""

    name: str
    change: str
    holds: str
    code: str
    names: str = ""
    """What the message of the first error must contain; only of unseen scripts."""


@dataclass(frozen=True)
class Fault:
    """What running a script came to, where that was an error."""

    message: str
    patches: tuple[CodePatch, ...]
    by: str

    @property
    def key(self) -> str:
        return key_of(self.message)

    @property
    def line(self) -> int | None:
        found = diagnostics(self.message)
        return found[0].line if found else None


@dataclass(frozen=True)
class Step:
    """One error, the script that raised it, and the script after its patch."""

    fault: Fault
    before: str
    after: str


@dataclass(frozen=True)
class Outcome:
    """What became of one script: the last code, the errors on the way, and the one that is left."""

    script: Script
    code: str
    steps: tuple[Step, ...]
    left: Fault | None
    true: bool = False
    """Whether it then did what its second line says."""
    runs: int = 0

    @property
    def patched(self) -> bool:
        return self.left is None


@dataclass
class Stage:
    """The real stage, in a jail, warm; what was run once is not run again."""

    portal: BlockingPortal
    box: Sandbox
    settings: SceneSettings = field(default_factory=SceneSettings)
    known: dict[str, Fault | None] = field(default_factory=dict[str, "Fault | None"])

    def run(self, code: str) -> Fault | None:
        if code not in self.known:
            self.known[code] = self._run(code)
        return self.known[code]

    def _run(self, code: str) -> Fault | None:
        try:
            self.portal.call(partial(run_script, code, self.settings, 0, self.box))
        except ExecutionError as error:
            return Fault(str(error), tuple(CodePatch.model_validate(patch) for patch in error.patches), error.by)
        except InfrastructureError as error:
            return Fault(f"E0: {error}", (), "")
        return None


def scripts() -> list[Script]:
    """All of them, without their first two lines.

    Raises:
        ValueError: one does not begin as it should.
    """
    found: list[Script] = []
    for path in sorted(SCRIPTS.glob("*.py")):
        first, second, code = path.read_text(encoding="utf-8").split("\n", 2)
        change = first.removeprefix("# change: ").split("; also:")[0]
        if change not in KEYS or not second.startswith("# holds: "):
            raise ValueError(f"{path.name} begins with {first!r} and {second!r}: no change of the table, or no `holds`")
        found.append(Script(path.stem, change, second.removeprefix("# holds: "), code))
    return found


def unseen_scripts() -> list[Script]:
    """Scripts that no advice was written for, without their first three lines."""
    found: list[Script] = []
    for path in sorted(UNSEEN.glob("*.py")):
        change, holds, names, code = path.read_text(encoding="utf-8").split("\n", 3)
        found.append(
            Script(path.stem, change.removeprefix("# change: "), holds.removeprefix("# holds: "), code, names[9:])
        )
    return found


Way = Callable[[str, Fault, list[str]], str | None]
"""The code after a patch of a fault; None where there is none. The list holds the keys that were tried."""


def look_up(code: str, fault: Fault, tried: list[str]) -> str | None:
    """What Blender itself knew to help."""
    del tried
    return patched(code, fault.patches)


def recall(memory: ErrorCache, code: str, fault: Fault, tried: list[str]) -> str | None:
    """What the fix memory knows, once for each key."""
    found = memory.replay(fault.message, code, tried)
    if found is None:
        return None
    tried.append(found.fix.key)
    return found.code


def patch(script: Script, stage: Stage, *ways: Way) -> Outcome:
    """Run a script, and go on with what the first way has that helps, until it runs or nothing does."""
    code, fault, steps, tried, runs = script.code, stage.run(script.code), list[Step](), list[str](), 1
    while fault is not None and len(steps) < MAX_PATCHES:
        for way in ways:
            after = way(code, fault, tried)
            if after is None:
                continue
            then = stage.run(after)
            runs += 1
            if _further(fault, then):
                break
        else:
            break
        steps.append(Step(fault, code, after))
        code, fault = after, then
    true = fault is None and stage.run(f"{code}\nimport bpy\nassert {script.holds}, 'does not hold'\n") is None
    return Outcome(script, code, tuple(steps), fault, true, runs)


def _further(before: Fault, then: Fault | None) -> bool:
    """As the loop judges it: another error, or the same further down."""
    if then is None or then.key != before.key:
        return True
    return before.line is not None and then.line is not None and then.line > before.line


def taught(script: Script, by_look_up: Sequence[Outcome], folder: Path, *, every: bool = False) -> ErrorCache:
    """A memory of what fixed the other scripts of the same change, or every other script."""
    memory = open_error_cache(f"sqlite:{folder / script.name}-{every}.sqlite")
    for outcome in by_look_up:
        if outcome.script != script and (every or outcome.script.change == script.change):
            for step in outcome.steps if outcome.patched else ():
                memory.store(step.fault.message, step.before, step.after, compiler=step.fault.by)
    return memory


def measured(stage: Stage, folder: Path) -> dict[str, list[Outcome]]:
    """Way → what became of each script."""
    found: dict[str, list[Outcome]] = {"look-up": [patch(script, stage, look_up) for script in scripts()]}
    for script in scripts():
        memory = taught(script, found["look-up"], folder)
        wide = taught(script, found["look-up"], folder, every=True)
        found.setdefault("memory", []).append(patch(script, stage, partial(recall, memory)))
        found.setdefault("of all", []).append(patch(script, stage, partial(recall, wide)))
        found.setdefault("both", []).append(patch(script, stage, partial(recall, memory), look_up))
        memory.close()
        wide.close()
    return found


# What is printed


def share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({100 * part / max(whole, 1):.0f} %)"


def misclassed(outcomes: Sequence[Outcome], stage: Stage) -> list[str]:
    """Scripts whose first error is not of the kind that the table says."""
    wrong: list[str] = []
    for outcome in outcomes:
        fault = stage.run(outcome.script.code)
        key = "" if fault is None else fault.key
        if key not in KEYS[outcome.script.change]:
            wrong.append(f"{outcome.script.name}: {key or 'no error'}, not {' or '.join(KEYS[outcome.script.change])}")
    return wrong


def table(found: Mapping[str, Sequence[Outcome]]) -> None:
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for way, outcomes in found.items():
        for outcome in outcomes:
            counts[outcome.script.change][way] += outcome.patched
            counts[outcome.script.change]["all"] += way == "look-up"
    print(f"{'change':70s}{'scripts':>8s}" + "".join(f"{way:>9s}" for way in found))
    for change, count in counts.items():
        print(f"{change[:68]:70s}{count['all']:8d}" + "".join(f"{count[way]:9d}" for way in found))


def summary(way: str, outcomes: Sequence[Outcome]) -> None:
    done = [o for o in outcomes if o.patched]
    steps = sum(len(o.steps) for o in outcomes)
    first = sum(bool(o.steps) and (o.patched or o.left is None or o.left.key != o.steps[0].fault.key) for o in outcomes)
    print(
        f"{way:8s} patched {share(len(done), len(outcomes))}; of these {share(sum(o.true for o in done), len(done))} "
        f"then did what they were to do; the first error was patched in {share(first, len(outcomes))}; {steps} errors "
        f"patched, {sum(o.runs for o in outcomes)} runs"
    )
    for outcome in outcomes:
        if outcome.left is not None:
            print(f"  left: {outcome.script.name}: {outcome.left.key or outcome.left.message.splitlines()[-1]}")
        elif not outcome.true:
            print(f"  runs, but not as meant: {outcome.script.name}: {outcome.script.holds}")


def unseen(stage: Stage) -> list[Outcome]:
    """Print and return what the look-up does for scripts that it was not fitted to."""
    outcomes = [patch(script, stage, look_up) for script in unseen_scripts()]
    assert outcomes, f"no script in {UNSEEN}"
    summary("unseen", outcomes)
    failing = [(o, fault) for o in outcomes if (fault := stage.run(o.script.code)) is not None]
    silent = [o.script.name for o, fault in failing if o.script.names not in fault.message]
    print(f"messages that contain what to write instead: {share(len(failing) - len(silent), len(failing))}")
    print(f"  missing in: {', '.join(silent) or 'none'}")
    return outcomes


def strangers(stage: Stage) -> list[Outcome]:
    """Print and return what the look-up does for scripts by an author who had not read it."""
    paths = sorted(STRANGERS.glob("*.py"))
    outcomes = [patch(Script(p.stem, "", "True", p.read_text(encoding="utf-8")), stage, look_up) for p in paths]
    assert len(outcomes) == len(paths) > 0, f"no script in {STRANGERS}"
    summary("stranger", outcomes)
    silent = [o.script.name for o in outcomes if any(_unsaid(fix) for s in o.steps for fix in s.fault.patches)]
    print(f"scripts in which all that is left out is named: {share(len(outcomes) - len(silent), len(outcomes))}")
    print(f"  not in: {', '.join(silent) or 'none'}")
    return outcomes


def _unsaid(fix: CodePatch) -> bool:
    """Whether a fix leaves a statement out, and says nothing of it."""
    return fix.after in ("pass", "#") and not any(word in fix.why for word in ("lost", ": ", "as in line"))


def elsewhere(path: Path) -> list[str]:
    """Messages of other people's scripts whose key is not the table's."""
    rows = json.loads(path.read_text(encoding="utf-8"))
    keys = [(key_of(f"{row['error_type']}: {row['message']}"), row["api_change"]) for row in rows]
    wrong = [f"{key or 'no key'}: {change}" for key, change in keys if key not in KEYS[change]]
    print(f"messages from elsewhere with the right key: {share(len(keys) - len(wrong), len(keys))}")
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="messages of scripts found elsewhere")
    parser.add_argument("--show", action="store_true", help="print what every script became")
    arguments = parser.parse_args()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, start_blocking_portal() as portal:
        stage = Stage(portal, Sandbox(Path(folder) / "box", workers=1))
        try:
            found = measured(stage, Path(folder))
            wrong = misclassed(found["look-up"], stage)
            unseen(stage)
            strangers(stage)
        finally:
            portal.call(stage.box.close)
    seconds = time.perf_counter() - began
    table(found)
    print()
    wrong += elsewhere(arguments.data) if arguments.data else []
    total = len(found["look-up"])
    assert total, f"no script in {SCRIPTS}"
    unkeyed = [s.fault for o in found["look-up"] for s in o.steps if not s.fault.key]
    print(f"scripts: {total}, for {len({o.script.change for o in found['look-up']})} changes of the API")
    print(f"first error E1 with the right key: {share(total - len([w for w in wrong if ':' in w]), total)}")
    print(f"further errors on the way without a key: {len(unkeyed)}")
    for text in wrong:
        print(f"  wrong: {text}")
    for way, outcomes in found.items():
        summary(way, outcomes)
    print(f"{len(stage.known)} runs in the stage, {seconds:.0f} s")
    for outcome in found["both"] if arguments.show else ():
        print(f"\n--- {outcome.script.name}\n{outcome.code}")
    best = sum(o.patched for o in found["both"])
    print(f"aims: every first error classed rightly; patched without a model by both: over {AIM:.0%}")
    return 1 if wrong or best <= AIM * total else 0


if __name__ == "__main__":
    sys.exit(main())
