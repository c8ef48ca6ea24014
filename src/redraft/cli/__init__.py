"""The command line: it parses flags, calls `redraft.api`, and prints the result.

Modules that cost time to load (settings, studios, rich) are imported inside the commands, so that help is instant.
"""

from __future__ import annotations

__all__ = ["main"]


def main() -> None:
    """Entry point of the script `redraft`."""
    try:
        from redraft.cli.failures import steady_streams
        from redraft.cli.program import program

        steady_streams()
        program(prog_name="redraft")
    except KeyboardInterrupt:  # before a command began
        raise SystemExit(130) from None
    except Exception as error:  # any exception that is not one of redraft's own errors is an internal error
        from redraft.cli.failures import say_fault

        raise SystemExit(say_fault(error)) from None
