"""The program that KiCad starts for the button, with the Python of the plugin's own environment."""

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

ADVICE = (
    "If it is wx: on Debian and Ubuntu, sudo apt-get install python3-wxgtk4.0. Anything else: in KiCad, Preferences, "
    "Plugins, Recreate Plugin Environment."
)


def main() -> None:
    """Show the dialog; where a package is missing, say so in the browser, because KiCad shows no output of a plugin."""
    # KiCad puts the system's packages into PYTHONPATH, where older versions would hide those of this environment.
    others = {os.path.normpath(place) for place in os.environ.pop("PYTHONPATH", "").split(os.pathsep) if place}
    sys.path.sort(key=lambda place: os.path.normpath(place) in others)
    try:
        from redraft.studios.board.button.dialog import show

        show()
    except ImportError as error:
        page = Path(tempfile.mkdtemp()) / "redraft.txt"
        page.write_text(f"The button of redraft in KiCad cannot work: {error}.\n\n{ADVICE}\n", "utf-8")
        webbrowser.open(page.as_uri())
        raise


if __name__ == "__main__":
    main()
