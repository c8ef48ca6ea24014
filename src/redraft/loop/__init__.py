"""The verbs of the loop, each a file that can be read alone. They name no medium."""
