"""The independent oracle: a slow, plain reading of the rules, to compare the core with."""

from .oracle import Oracle

__all__ = ["Oracle"]
