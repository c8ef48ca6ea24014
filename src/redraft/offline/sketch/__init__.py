"""Rule-based answers to the requests of the sketch studio."""
