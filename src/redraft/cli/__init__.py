"""The command line: it parses flags, calls `redraft.api`, and prints the result.

Modules that cost time to load (settings, studios, rich) are imported inside the commands, so that help is instant.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Entry point of the script `redraft`."""
    from redraft.cli.failures import steady_streams
    from redraft.cli.program import program

    steady_streams()
    program(prog_name="redraft")
