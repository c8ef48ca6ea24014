"""The offline model's drawings: answers to requests, plain repairs, and the planner that places things."""
