"""What the offline model answers to the scene studio's requests: a grammar, solids and rules, no language model.

It reads the instruction, places solids so that what it understood holds, and writes that as a Blender script. Its
scripts carry what was said so far in one comment line, so that an edit builds the scene anew with the new words. It
sees no picture; in every `approach` it says what it is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from redraft.models.base import Request
from redraft.studios.base import Answer
from redraft.studios.scene.offline_plan import Plan, cloud, planned
from redraft.studios.scene.offline_script import Pen, script
from redraft.studios.scene.offline_stage import staged
from redraft.studios.scene.offline_wishes import wishes

__all__ = ["ANSWERS", "written"]

ME = "rule-based offline model"


def written(brief: str, edits: Sequence[str], seed: int) -> tuple[str, Plan]:
    """The script for a brief and the edits since, and what it was written from."""
    plan = planned(wishes(brief, edits), seed)
    pen = Pen()
    clouds = [cloud(one) for one in plan.things]
    stage = staged(plan.things, clouds, plan.setting, pen)
    header = {"brief": brief, "edits": list(edits), "seed": seed}
    return script(brief, header, plan.things, stage, pen), plan


def _draft(request: Request) -> str:
    code, plan = written(str(request.inputs["instruction"]), [], request.seed)
    return f"APPROACH: {ME}\n\n```python\n{code}```\n"


ANSWERS: Mapping[str, Answer] = {"scene.draft": _draft}
