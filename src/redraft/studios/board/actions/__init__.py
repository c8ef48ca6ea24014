"""Actions on a board: their fields, plans with numbers, exact moves, and measurements afterwards."""
