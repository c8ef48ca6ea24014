"""What may be wrong with a scene: one function for each kind of fault, over a `Situation`."""
