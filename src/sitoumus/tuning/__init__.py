"""Parameters of the heuristic, searched for any rule set: best responses to a growing pool of players."""

from .deviations import Deviations, one_other_call
from .mixture import nash, payoffs
from .search import Tuned, best_response, tune
from .settings import Settings

__all__ = ["Deviations", "Settings", "Tuned", "best_response", "nash", "one_other_call", "payoffs", "tune"]
