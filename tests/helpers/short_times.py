"""Run redraft with other limits of its servers: `python short_times.py REQUEST_TIME MAX_CONNECTIONS view …`."""

from __future__ import annotations

import sys

from redraft import serving
from redraft.cli import main

if __name__ == "__main__":
    serving.REQUEST_TIME, serving.MAX_CONNECTIONS = float(sys.argv[1]), int(sys.argv[2])
    del sys.argv[1:3]
    main()
