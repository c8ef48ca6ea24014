"""One of several processes that list what they made in the same tables: `table_worker.py FOLDER NUMBER ROWS`.

It says `ready`, begins when it is sent a line, and says the id of each generation when it is listed.
"""

from __future__ import annotations

import sys
from pathlib import Path

from redraft.ideas.history import Generation, append_generation
from redraft.studios.image.publish import append_title


def work(folder: Path, number: int, rows: int) -> None:
    """Rows of its own, and every tenth one that the others list too."""
    print("ready", flush=True)
    sys.stdin.readline()
    for n in range(rows):
        id_ = f"shared-{n}" if n % 10 == 0 else f"process-{number}-{n}"
        row = Generation(
            generation_id=id_,
            selected_concepts=("storm, at sea", 'a "clock"'),
            final_image_prompt=f"{id_}: the sea,\r\nand a lighthouse " * (n % 40 + 1),
            image_path=f"{id_}/image.png",
            created_at="2026-11-22T17:13:47+00:00",
            seed=n,
        )
        append_generation(folder / "generations.csv", row)
        append_title(folder / "titles_manifest.csv", f"Title of {id_}", row)
        print(id_, flush=True)


if __name__ == "__main__":
    work(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
