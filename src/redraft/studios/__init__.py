"""The studios: one folder for each medium, all of the same shape."""
