"""Ideas chosen blind: cards with options, judges who answer in numbers, a seeded choice in code.

What is here is pure: reading and checking replies, choosing, novelty, the settings, the prompts. The verb that asks is
`loop/ideas.py`. Nothing that a judge says reaches a later prompt; only the chosen card does.
"""
