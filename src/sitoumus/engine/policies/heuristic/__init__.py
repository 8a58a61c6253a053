"""The heuristic policy."""
