"""What pictures of every kind are drawn with: the shipped font, its metrics, colors and their names."""
