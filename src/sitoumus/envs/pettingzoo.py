"""The game as a PettingZoo environment (AEC): needs the extra ``envs``.

Agents are ``player_0`` ... for N, E, S, W. The same agent is selected for all steps of its turn. An observation is a
dict with ``observation`` (uint8: see `sitoumus.envs.layout`) and ``action_mask`` (int8: see `sitoumus.actions`), which
is all zero for agents that are not to act, and after the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from .. import _envs
from ..errors import IllegalActionError
from ..rules import RuleSet
from .seats import REWARDS, Seats, one_of

__all__ = ["env", "raw_env"]


def env(rules: RuleSet | str | None = None, **given: Any) -> AECEnv:
    """The environment in which an illegal number ends the episode with the reward -1 for its agent.

    Arguments are those of `raw_env`. What wrappers do to PettingZoo's own card games (end at an illegal number, refuse
    a step before the first reset) the environment does itself, which is some times as fast.

    Examples
    --------
    >>> table = env("samba")
    >>> table.reset(seed=7)
    >>> table.agent_selection, int(table.observe(table.agent_selection)["action_mask"].sum()) > 0
    ('player_1', True)
    """
    return raw_env(rules, **({"illegal": "end"} | given))


class raw_env(AECEnv):  # PettingZoo's environments are named so
    """One deal as an episode, or a match.

    Parameters
    ----------
    rules : RuleSet or str, optional
        Sitoumussamba if left out.
    episode : {"deal", "match"}
        With ``match``, deal k of match number m is deal number 1000 m + k, as in `sitoumus.play_match`; N deals first,
        and rewards come at the end of each deal.
    reward : {"points", "win", "raw"}
        At the end of a deal, for all players of a side alike: own points less the mean of the other sides', in
        thousands; its sign (of a match: at its end, 1 for the side that has won and -1 for the others); or in points.
    illegal : {"raise", "end"}
        An illegal number raises IllegalActionError, and nothing has changed; or it ends the episode with the reward -1
        for its agent and 0 for the others.
    skip_forced : bool
        A player's only legal action is played for him.
    dealer : str, optional
        Seat that deals; the deal's number modulo the seats if left out.
    totals : sequence or dict of int, optional
        Match totals with which deals begin.
    max_steps : int, optional
        Steps after which an episode is truncated, without a reward; every deal ends by itself.
    render_mode : {"ansi", "html", "human"}, optional
        The table as text; as a drawing; or printed.

    Notes
    -----
    ``reset(seed=s)`` deals number 0 of seed s, ``reset()`` the next number; ``options={"number": 42}`` that number, or
    that match, and ``{"table": ...}``, ``{"deal": ...}`` or ``{"position": ...}`` begin there.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "sitoumus_v0",
        "render_modes": ["human", "ansi", "html"],
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: RuleSet | str | None = None,
        *,
        episode: str = "deal",
        reward: str = "points",
        illegal: str = "raise",
        skip_forced: bool = False,
        dealer: str | None = None,
        totals: Sequence[int] | Mapping[str, int] | None = None,
        max_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        match = one_of("episode", episode, ("deal", "match")) == "match"
        self.seats = Seats(rules, 0, None, None, skip_forced, dealer, totals, match)
        self.reward = one_of("reward", reward, REWARDS)
        self._raises = one_of("illegal", illegal, ("raise", "end")) == "raise"
        self.render_mode = one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.max_steps = max_steps
        self.possible_agents = [f"player_{place}" for place in range(len(self.seats.names))]
        self._place = {agent: place for place, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, 255, (_envs.LENGTH,), np.uint8),
                    "action_mask": spaces.Box(0, 1, (_envs.N,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(_envs.N) for agent in self.possible_agents}
        self._none = np.zeros(_envs.N, np.int8)

    def observation_space(self, agent: str) -> spaces.Dict:
        """The space of an agent's observations: always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The space of an agent's numbers: always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin an episode."""
        self.seats.reset(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._steps = 0
        self._paid = False
        self._turn()

    def _turn(self) -> None:
        """Select the agent to act, and make its mask."""
        self.agent_selection = self.possible_agents[self.seats.desk.seat]
        self._mask = self.seats.mask()
        self.infos[self.agent_selection] = {"action_mask": self._mask}

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent knows, and what it may choose."""
        acting = agent == self.agent_selection and not self.terminations.get(agent, True)
        return {
            "observation": self.seats.observation(self._place[agent]),
            "action_mask": self._mask if acting else self._none,
        }

    def step(self, action: Any) -> None:
        """Choose a number for the selected agent."""
        if not self.seats.begun:
            raise IllegalActionError("step before reset: an environment is first reset")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if not self.seats.step(action):
            if self._raises:
                raise IllegalActionError(f"number {action} is not legal for {agent}: its action_mask says which are")
            self._cumulative_rewards[agent] = 0.0
            self.rewards[agent] = -1.0
            self.terminations = dict.fromkeys(self.agents, True)
            self._accumulate_rewards()
            return
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {}
        self._steps += 1
        if self._paid:
            self._clear_rewards()
            self._paid = False
        if self.seats.desk.over:
            self._deal_is_over()
        elif self.max_steps is not None and self._steps >= self.max_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        if self.render_mode == "human":
            self.render()

    def _deal_is_over(self) -> None:
        values = self.seats.returns(self.reward)
        over = not self.seats.goes_on()
        if self.seats.match and self.reward == "win":
            values = self.seats.won() if over else [0.0] * len(values)
        for agent, value in zip(self.agents, values, strict=True):
            self.rewards[agent] = value
            self.terminations[agent] = over
        self._paid = True
        self._accumulate_rewards()

    def render(self) -> str | None:
        """The table as text, as a drawing (SVG), or printed."""
        table = self.seats.desk.table()
        if self.render_mode == "html":
            return str(table._repr_html_())
        if self.render_mode == "human":
            print(table)
            return None
        return str(table)

    def close(self) -> None:
        """Nothing is open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])
