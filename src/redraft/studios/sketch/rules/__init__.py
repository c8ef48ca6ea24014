"""Rules: what is wrong with a layout, found without a model. `SemanticValidator` is the way in.

`issues.CODES` is the table of findings; defects are errors whatever the brief says, and heuristics have two severities.
"""

from redraft.studios.sketch.rules.validator import RULES, Rule, SemanticValidator, defects

__all__ = ["RULES", "Rule", "SemanticValidator", "defects"]
