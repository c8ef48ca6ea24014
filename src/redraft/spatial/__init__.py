"""Space: layouts, the grammar of relations, rules, the solver, and the planner. Knows no studio."""
