"""How often a bid brings more, by a feature of the hand: a logistic curve with errors clustered by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit, ndtri

from .stats import LEVEL


@dataclass(frozen=True)
class Logistic:
    """How often the bid brings more than its rival, by the feature.

    Attributes
    ----------
    intercept, slope : float
    covariance : array of shape (2, 2)
        Of both, clustered by hand.
    """

    intercept: float
    slope: float
    covariance: np.ndarray

    @classmethod
    def of(cls, feature: np.ndarray, points: np.ndarray) -> Logistic | None:
        """Fitted to the deals in which the two differ; None if the feature tells them apart, or nothing does.

        Notes
        -----
        Newton's steps from zero: the likelihood is concave, and where the values overlap it has one highest point. The
        covariance is the sandwich of K.-Y. Liang and S. L. Zeger, Biometrika 73 (1986), with the usual factor for few
        clusters.
        """
        points = points[:, None] if points.ndim == 1 else points
        hand = np.repeat(np.arange(len(points)), points.shape[1])
        x, better = np.repeat(feature.astype(float), points.shape[1]), points.ravel()
        differ = better != 0
        hand, x, better = hand[differ], x[differ], better[differ] > 0
        if better.all() or not better.any() or len(np.unique(x)) < 2:
            return None
        won, lost = x[better], x[~better]
        if lost.max() <= won.min() or won.max() <= lost.min():
            return None  # separated: the steeper, the better, without end
        centre, scale = x.mean(), x.std()
        columns = np.stack([np.ones(len(x)), (x - centre) / scale], axis=1)
        found = _highest(columns, better)
        share = expit(columns @ found)
        bread = np.linalg.inv(columns.T @ (columns * (share * (1 - share))[:, None]))
        scores = columns * (better - share)[:, None]
        clusters = np.stack([np.bincount(hand, column) for column in scores.T], axis=1)
        n, hands = len(x), len(np.unique(hand))
        factor = hands / (hands - 1) * (n - 1) / (n - 2)
        back = np.array([[1, -centre / scale], [0, 1 / scale]])  # to the feature as it is
        intercept, slope = back @ found
        return cls(float(intercept), float(slope), factor * back @ bread @ (clusters.T @ clusters) @ bread @ back.T)

    def share(self, values: Any) -> np.ndarray:
        """Share of the deals that differ in which the bid brings more."""
        return np.asarray(expit(self.intercept + self.slope * np.asarray(values, float)))

    @property
    def even(self) -> tuple[float, float, float]:
        """The value at which that share is one half, with its interval (delta method); nan of a curve that is level."""
        if self.slope == 0:
            return (float("nan"),) * 3
        at = -self.intercept / self.slope
        gradient = np.array([-1 / self.slope, self.intercept / self.slope**2])
        half = ndtri((1 + LEVEL) / 2) * np.sqrt(gradient @ self.covariance @ gradient)
        return at, float(at - half), float(at + half)


def _highest(columns: np.ndarray, better: np.ndarray) -> np.ndarray:
    """The coefficients of the highest likelihood."""
    from scipy.optimize import minimize

    def loss(b: np.ndarray) -> tuple[float, np.ndarray]:
        z = columns @ b
        return float((np.logaddexp(0, z) - better * z).sum()), columns.T @ (expit(z) - better)

    def curvature(b: np.ndarray) -> np.ndarray:
        share = expit(columns @ b)
        return np.asarray(columns.T @ (columns * (share * (1 - share))[:, None]))

    return np.asarray(minimize(loss, np.zeros(2), jac=True, hess=curvature, method="trust-exact", tol=1e-9).x)
