"""Files to try redraft with: a small board, and more that `redraft examples` writes."""
