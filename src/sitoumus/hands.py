"""Arrays of hands: NumPy in, NumPy out."""

from ._core import FEATURES, features, random_hands
from ._core import best_openings as best_opening

__all__ = ["FEATURES", "best_opening", "features", "random_hands"]
