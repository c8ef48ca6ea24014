"""KiCad's board format: read, rewritten span by span, and checked by KiCad's own program."""
