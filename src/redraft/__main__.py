"""`python -m redraft` is `redraft`."""

from redraft.cli import main

if __name__ == "__main__":
    main()
