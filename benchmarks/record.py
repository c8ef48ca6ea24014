"""Keep finished runs as recordings: what was answered, labelled as what it is.

python benchmarks/record.py LABEL RUN [RUN …]     # writes data/recordings/<slug of the brief>.jsonl
"""

from __future__ import annotations

import sys
from pathlib import Path

from redraft.files import slug
from redraft.models.replay import record_run, write_recording
from redraft.record.transcript import path_order

RECORDINGS = Path(__file__).parent / "data" / "recordings"


def keep(folder: Path, label: str) -> Path:
    """Write one run's recording."""
    header, lines = record_run(folder)
    ordered = sorted(lines.values(), key=lambda line: path_order(line.path))
    return write_recording(
        RECORDINGS / f"{slug(header.brief)}.jsonl", header.model_copy(update={"label": label}), ordered
    )


def main() -> int:
    label, *folders = sys.argv[1:]
    for folder in folders:
        print(keep(Path(folder), label))
    return 0


if __name__ == "__main__":
    sys.exit(main())
