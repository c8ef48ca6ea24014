"""The seam to what paints pictures: requests, replies, and the settings of image backends."""
