"""Parameters of the heuristic, searched for any rule set: best responses to a growing pool of players."""

from .mixture import nash, payoffs
from .search import Tuned, tune
from .settings import Settings

__all__ = ["Settings", "Tuned", "nash", "payoffs", "tune"]
