"""Rules: what is wrong with a layout, found without a model. `SemanticValidator` is the way in."""

from redraft.spatial.rules.validator import RULES, Rule, SemanticValidator

__all__ = ["RULES", "Rule", "SemanticValidator"]
