"""Memory: what a run remembers of its own turns, and what is learnt across runs."""
