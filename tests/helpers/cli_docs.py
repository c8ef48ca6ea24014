"""The help texts in `docs/cli.md`, and the fronts of the studios that help is made of: what they are now, and
`python tests/helpers/cli_docs.py` to write them anew."""

from __future__ import annotations

import json
import re
from pathlib import Path
from unittest import mock

from typer.testing import CliRunner

from redraft.cli.program import program
from redraft.cli.studio import FRONTS, SUMMARIES, Front
from redraft.studios import open_studio

PAGE = Path(__file__).parents[2] / "docs" / "cli.md"
BLOCK = re.compile(r"^```console\n\$ redraft ([^\n]*--help)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def help_of(command: str) -> str:
    """What `redraft <command>` prints on a terminal of 88 columns."""
    with mock.patch.dict("os.environ", {"COLUMNS": "88"}):
        return CliRunner().invoke(program, command.split(), prog_name="redraft").stdout.strip("\n") + "\n"


def brought_up_to_date(page: str) -> str:
    """The page with each help text as it is now."""
    return BLOCK.sub(lambda m: f"```console\n$ redraft {m[1]}\n{help_of(m[1])}```", page)


def fronts() -> str:
    """The built-in studios as the command line has them."""
    return json.dumps([Front.of(open_studio(name)).data() for name in sorted(SUMMARIES)], indent=1) + "\n"


if __name__ == "__main__":
    FRONTS.write_text(fronts(), "utf-8")
    PAGE.write_text(brought_up_to_date(PAGE.read_text("utf-8")), "utf-8")
