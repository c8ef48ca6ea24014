"""Give recorded replies the digests of today's requests, after prompts were reworded.

Each recording is replayed by place, as in its test. Replies that no test uses keep their digest, and so do those of the
scenes, whose runs can no longer be replayed. From redraft's folder, with PYTHONPATH=src:benchmarks:tests/helpers:

    python tests/helpers/rekey.py --keep OLD.json    # before the rewording: keep the messages
    python tests/helpers/rekey.py OLD.json           # after it: write the recordings, print what changed
"""

from __future__ import annotations

import difflib
import json
import sys
from pathlib import Path

import pytest

import validity
from redraft.models.base import Reply, Request, digest
from redraft.models.replay import Recorded, read_recording, write_recording

ROOT = Path(__file__).parents[2]
TESTS = [f"{ROOT}/tests/studios/{name}/test_{name}_recordings.py" for name in ("board", "image", "shader")]
HEARD: dict[Path, dict[str, Request]] = {}
"""The requests of each recording, by path."""


class Listening(validity.RecordedModel):
    """A recording that keeps what it is asked."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._heard = HEARD.setdefault(path.resolve(), {})

    async def ask(self, request: Request) -> Reply:
        self._heard.setdefault(request.path, request)
        return await super().ask(request)


def main(file: str, *, keep: bool) -> int:
    validity.RecordedModel = Listening  # before the tests import it
    validity.recorded()
    failed = pytest.main(["-q", "--assert=plain", *TESTS])
    said = {
        f"{path.relative_to(ROOT)} {place}": "\n".join(message.text for message in request.messages)
        for path, requests in HEARD.items()
        for place, request in requests.items()
    }
    if keep:
        Path(file).write_text(json.dumps(said), encoding="utf-8")
        return failed
    old = json.loads(Path(file).read_text(encoding="utf-8"))
    for path, requests in HEARD.items():
        header, lines = read_recording(path)
        rekeyed: list[Recorded] = []
        for line in lines.values():
            request = requests.get(line.path)
            rekeyed.append(line if request is None else line.model_copy(update={"digest": digest(request)}))
            if rekeyed[-1] != line:
                key = f"{path.relative_to(ROOT)} {line.path}"
                changes = difflib.ndiff(old.get(key, "").splitlines(), said[key].splitlines())
                print(key, line.kind, sum(change.startswith("+ ") for change in changes), "lines changed")
        write_recording(path, header, rekeyed)
    print(f"{len(said)} requests, {len(old)} before; the same places: {said.keys() == old.keys()}")
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[-1], keep="--keep" in sys.argv))
