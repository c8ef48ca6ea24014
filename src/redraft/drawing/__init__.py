"""The shipped font with its metrics, and the palette, for pictures of every kind."""
