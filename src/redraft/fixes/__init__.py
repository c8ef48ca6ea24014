"""Memory: what a run remembers of its own turns, and what is learned across runs."""
