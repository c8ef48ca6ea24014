"""Space that the media share: items with exact shapes, colors, and requirements measured on them."""
