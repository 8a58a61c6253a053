"""A seat of the table as Gymnasium environments, single and many at a step: needs the extra ``envs``.

Importing this file registers ``sitoumus/Seat-v0``, and ``gymnasium.make("sitoumus.envs.gymnasium:sitoumus/Seat-v0")``
imports it. The other seats are played by policies. An observation is a dict with ``observation`` (uint8: see
`sitoumus.envs.layout`) and ``action_mask`` (int8: see `sitoumus.actions`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from .. import _envs
from ..errors import IllegalActionError
from ..rules import RuleSet
from .seats import REWARDS, Seats, one_of
from .vector import VectorTable

__all__ = ["SeatEnv", "SeatVectorEnv"]


def _space() -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 255, (_envs.LENGTH,), np.uint8),
            "action_mask": spaces.Box(0, 1, (_envs.N,), np.int8),
        }
    )


class SeatEnv(gymnasium.Env):
    """One seat at one table; an episode is a deal.

    Parameters
    ----------
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    seat : str
        The one that is played by numbers. The deal passes from seat to seat with the deal's number, so it comes to
        every place in the auction.
    policies : as in `sitoumus.play`, optional
        Who plays the other seats; policies in Python may too.
    reward : {"points", "win", "raw"}
        At the end of a deal: own side's points less the mean of the other sides', in thousands; its sign; or in points.
    skip_forced : bool
        The only legal action is played for the seat.
    illegal : {"end", "raise"}
        An illegal number ends the episode with the reward -1 and ``info["illegal"]``, or raises.
    flat : bool
        Observations are the array alone; the mask is asked for by `action_masks`.
    dealer, totals : optional
        As for `sitoumus.envs.VectorTable`.
    render_mode : {"ansi", "html"}, optional
        The table as the seat sees it, as text or as a drawing.

    Notes
    -----
    ``reset(seed=s)`` deals number 0 of seed s, ``reset()`` the next number; ``options={"number": 42}`` that number, and
    ``{"table": ...}``, ``{"deal": ...}`` or ``{"position": ...}`` begin there. ``info["deal"]`` is the number.

    Examples
    --------
    >>> env = SeatEnv("samba", seat="S", policies="greedy")
    >>> seen, info = env.reset(seed=7)
    >>> seen["observation"].shape == (env.observation_space["observation"].shape), info["deal"]
    (True, 0)
    """

    metadata = {"render_modes": ["ansi", "html"]}  # noqa: RUF012

    def __init__(
        self,
        rules: RuleSet | str | None = None,
        seat: str = "S",
        policies: Any = None,
        *,
        reward: str = "points",
        skip_forced: bool = True,
        illegal: str = "end",
        flat: bool = False,
        dealer: str | None = None,
        totals: Sequence[int] | Mapping[str, int] | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.seats = Seats(rules, 0, (seat,), policies, skip_forced, dealer, totals)
        self.seat = seat
        self._place = self.seats.names.index(seat)
        self.reward = one_of("reward", reward, REWARDS)
        self._raises = one_of("illegal", illegal, ("end", "raise")) == "raise"
        self.render_mode = one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.flat = flat
        whole = _space()
        self.observation_space: Any = whole["observation"] if flat else whole
        self.action_space = spaces.Discrete(_envs.N)

    def _seen(self) -> Any:
        observation = self.seats.observation(self._place)
        return observation if self.flat else {"observation": observation, "action_mask": self.seats.mask()}

    def action_masks(self) -> np.ndarray:
        """The numbers that may be chosen, as bool: what masked learners of other libraries call."""
        return self.seats.mask().view(bool)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin an episode."""
        super().reset(seed=seed)
        self.seats.reset(seed, options)
        while self.seats.desk.over:  # others went out before the seat had a choice
            self.seats.reset(None, None)
        self._done = False
        return self._seen(), {"deal": self.seats.desk.number}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Choose a number; the other seats play on to the next choice."""
        info: dict[str, Any] = {"deal": self.seats.desk.number}
        if self.seats.begun and self._done:
            raise IllegalActionError("step after the end of the episode: the environment is to be reset first")
        if not self.seats.step(action):
            if self._raises:
                raise IllegalActionError(f"number {action} is not legal: action_masks() says which are")
            self._done = True
            return self._seen(), -1.0, True, False, info | {"illegal": True}
        self._done = self.seats.desk.over
        reward = self.seats.returns(self.reward)[self._place] if self._done else 0.0
        return self._seen(), reward, self._done, False, info

    def render(self) -> Any:
        """What the seat sees of the table, as text or as a drawing (SVG)."""
        view = self.seats.desk.table().view(self.seat)
        return view._repr_html_() if self.render_mode == "html" else str(view)


class SeatVectorEnv(VectorEnv):
    """One seat at many tables, stepped together in compiled code: see `sitoumus.envs.VectorTable`.

    Parameters
    ----------
    num_envs : int
    rules, seat, policies, reward, illegal, skip_forced, dealer, totals
        As for `SeatEnv`; here the policies are compiled ones that do not play out, and reward is ``points`` or ``win``.
    autoreset : {"next_step", "same_step"}
        When the next deal follows. With ``same_step``, ``infos["final_obs"]`` has what was seen at the end.
    threads : int
        Among which the tables are divided.
    copy : bool
        Whether what is returned is a copy; without it the next step writes it anew.
    """

    def __init__(
        self,
        num_envs: int = 1,
        rules: RuleSet | str | None = None,
        seat: str = "S",
        policies: Any = None,
        *,
        reward: str = "points",
        skip_forced: bool = True,
        illegal: str = "end",
        dealer: str | None = None,
        totals: Sequence[int] | Mapping[str, int] | None = None,
        autoreset: str = "next_step",
        threads: int = 1,
        copy: bool = True,
    ) -> None:
        self.num_envs = num_envs
        self._given = {
            "rules": rules,
            "policies": policies,
            "learners": (seat,),
            "skip_forced": skip_forced,
            "autoreset": autoreset,
            "reward": reward,
            "illegal": illegal,
            "dealer": dealer,
            "totals": totals,
            "threads": threads,
        }
        self.tables = VectorTable(num_envs, seed=0, **self._given)
        self._place = self.tables.learners_places[0]
        self._same_step = autoreset == "same_step"
        self._copy = copy
        mode = AutoresetMode.SAME_STEP if self._same_step else AutoresetMode.NEXT_STEP
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space = _space()
        self.single_action_space = spaces.Discrete(_envs.N)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _shown(self, array: np.ndarray) -> np.ndarray:
        return array.copy() if self._copy else array

    def _seen(self) -> dict[str, np.ndarray]:
        masks = self.tables.masks.view(np.int8)
        return {"observation": self._shown(self.tables.observations), "action_mask": self._shown(masks)}

    def action_masks(self) -> np.ndarray:
        """The numbers that may be chosen, as bool, shape (num_envs, N)."""
        return self.tables.masks.view(bool)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all tables: numbers 0 .. num_envs - 1 of a new seed, or the numbers after those dealt so far."""
        if seed is not None:
            self.tables.close()
            self.tables = VectorTable(self.num_envs, seed=int(np.atleast_1d(seed)[0]), **self._given)
        else:
            self.tables.reset(int((options or {}).get("number", self.tables.deal.max() + 1)))
        return self._seen(), {"deal": self.tables.deal.copy()}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Choose a number at every table."""
        self.tables.step(actions)
        done = self.tables.terminals.astype(bool)
        infos: dict[str, Any] = {"deal": self.tables.deal.copy()}
        if self._same_step and done.any() and self.tables.final_observations is not None:
            infos["final_obs"] = {
                "observation": self.tables.final_observations.copy(),
                "action_mask": np.zeros((self.num_envs, _envs.N), np.int8),
            }
            infos["_final_obs"] = done
        rewards = self.tables.rewards[:, self._place].astype(np.float64)
        return self._seen(), rewards, done, np.zeros(self.num_envs, bool), infos

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.tables.close()


gymnasium.register(
    id="sitoumus/Seat-v0",
    entry_point="sitoumus.envs.gymnasium:SeatEnv",
    vector_entry_point="sitoumus.envs.gymnasium:SeatVectorEnv",
)
