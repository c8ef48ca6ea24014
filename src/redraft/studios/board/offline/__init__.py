"""Rule-based answers to the requests of the board studio."""
