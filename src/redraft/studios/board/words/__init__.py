"""Words about boards: names and lists of parts, numbers, and what of a brief the actions account for."""
