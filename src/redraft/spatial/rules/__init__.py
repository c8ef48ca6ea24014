"""Rules: what is wrong with a layout, found without a model. `SemanticValidator` is the way in.

Heuristics ask, requirements are measured, defects are errors.
"""

from redraft.spatial.rules.validator import RULES, Rule, SemanticValidator, defects, heuristics

__all__ = ["RULES", "Rule", "SemanticValidator", "defects", "heuristics"]
