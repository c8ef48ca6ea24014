"""Rules of scenes: one function for each kind of error, over a `Situation`."""
