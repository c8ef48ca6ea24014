"""Benchmarks of the loop against its parts on equal budgets: tasks, arms, hidden oracles, figures, comparisons."""
