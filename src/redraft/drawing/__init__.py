"""What pictures of every kind are drawn with: the shipped font with its metrics, and the palette."""
