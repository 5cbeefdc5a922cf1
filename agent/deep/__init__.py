"""The coordinator that has the model decide every step, and its sub-agents."""
