"""The command line: it parses flags, calls `redraft.api`, and prints the result.

Modules that cost time to load (settings, studios, rich) are imported inside the commands, so that help is instant.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Entry point of the script `redraft`."""
    from redraft.cli.failures import say_fault, steady_streams
    from redraft.cli.program import program

    steady_streams()
    try:
        program(prog_name="redraft")
    except Exception as error:  # whatever is not of redraft's own errors is a fault of redraft
        raise SystemExit(say_fault(error)) from None
