"""Rule-based answers to the requests of the scene studio."""
