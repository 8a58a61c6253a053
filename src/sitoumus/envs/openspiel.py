"""The game for OpenSpiel: needs the extra ``openspiel``. Importing this file registers ``python_sitoumus``.

``pyspiel.load_game("python_sitoumus", {"rules": "samba", "seed": 7, "deals": 10000})``. All chance stands in one node
at the root, which draws one of `deals` numbers of the seed, so a history is a deal that can be dealt again; it is a
sample of the game, not all of it. Players are the seats N, E, S, W (0 to 3); the two of a side get the same returns.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from .. import _core, _envs, actions
from ..rules import RuleSet, preset

__all__ = ["SitoumusGame", "SitoumusObserver", "SitoumusState", "most_steps", "most_utility"]


def most_steps(rules: RuleSet) -> int:
    """A bound of the choices in a deal.

    A turn draws a card that was in the stock or takes the pile, by which a card is melded that never leaves the table:
    of either there are no more than cards. A turn draws or takes, perhaps draws once more, asks once, is answered and
    discards. Each card is laid once (two choices), or named in a take; merges leave fewer melds each time. The auction
    has at most 488 calls, and each bid fails at most once (D25).
    """
    cards = rules.pack.cards
    turns = 2 * cards + rules.table.seats
    calls = 0 if rules.contract is None else 488 + 120 + rules.table.seats
    return calls + 5 * turns + 20 * cards + cards + 16


def most_utility(rules: RuleSet) -> float:
    """A bound of the difference between two sides, in thousands: all that a side can win and the other can lose."""
    melded, left = _envs.sums(rules)
    fulls = [kind.full for kind in rules.melds if kind.full]
    melds = rules.pack.cards // min(fulls) if fulls else 0
    best = max(max(kind.bonus.natural, kind.bonus.mixed) for kind in rules.melds)
    bonus_cards = max(map(abs, rules.bonus.table), default=0)
    level = rules.contract.max_level if rules.contract else 0
    won = melded + melds * best + max(rules.out.bonus, rules.out.concealed_total) + 2000 * level + bonus_cards
    short = sum(kind.short[1] for kind in rules.melds if kind.short) * rules.pack.cards // 3
    turns = 2 * rules.pack.cards + rules.table.seats
    lost = left + 12_000 * level + rules.out.ask_fail * turns + short + bonus_cards
    lost += 12 * rules.buy.price if rules.buy else 0
    return (won + lost) / 1000


_TYPE: dict[str, Any] = {
    "short_name": "python_sitoumus",
    "long_name": "Sitoumussamba and the Canasta family",
    "dynamics": pyspiel.GameType.Dynamics.SEQUENTIAL,
    "chance_mode": pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    "information": pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    "utility": pyspiel.GameType.Utility.GENERAL_SUM,
    "reward_model": pyspiel.GameType.RewardModel.TERMINAL,
    "max_num_players": 4,
    "min_num_players": 2,
    "provides_information_state_string": True,
    "provides_information_state_tensor": False,
    "provides_observation_string": True,
    "provides_observation_tensor": True,
    "provides_factored_observation_string": False,
    "parameter_specification": {"rules": "sitoumussamba", "seed": 0, "deals": 10000},
}
_GAME_TYPE = pyspiel.GameType(**_TYPE)


class _Shared:
    """What a game and its states share: it is not copied with a state."""

    def __init__(self, rules: RuleSet, seed: int, deals: int) -> None:
        self.deals = deals
        made = _envs.check(rules)
        self.seats: tuple[str, ...] = made.seats
        self.first = _envs.Desk(rules, seed, [None] * len(self.seats), self.seats, False, None, None, seed)

    def __deepcopy__(self, memo: Any) -> _Shared:
        return self


class SitoumusGame(pyspiel.Game):
    """The game under one rule set, with the deals of one seed.

    Parameters
    ----------
    params : dict, optional
        ``rules``: name of a preset; ``seed``: of the deals; ``deals``: how many of them the root draws from.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.rules = preset(given.get("rules", "sitoumussamba"))
        self.deal_seed = int(given.get("seed", 0))
        self.deals = int(given.get("deals", 10000))
        self.shared = _Shared(self.rules, self.deal_seed, self.deals)
        seats, sides = len(self.shared.seats), len(self.rules.table.sides)
        bound = most_utility(self.rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=_envs.N,
            max_chance_outcomes=self.deals,
            num_players=seats,
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if sides == 2 else None,
            max_game_length=most_steps(self.rules),
        )
        zero = pyspiel.GameType.Utility.ZERO_SUM
        kind = pyspiel.GameType(**(_TYPE | ({"utility": zero} if sides == 2 else {})))
        super().__init__(kind, info, given)

    def new_initial_state(self) -> SitoumusState:
        """The root: chance draws a deal."""
        return SitoumusState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> SitoumusObserver:
        """An observer: of what a player knows now, or with perfect recall (as text) of all that happened too."""
        recall = bool(iig_obs_type.perfect_recall) if iig_obs_type is not None else False
        return SitoumusObserver(recall, params)


class SitoumusState(pyspiel.State):
    """A deal in progress; before the root's chance, none."""

    def __init__(self, game: SitoumusGame) -> None:
        super().__init__(game)
        self.desk: _envs.Desk | None = None
        self._shared = game.shared
        self._said: list[tuple[int, int]] = []
        #: Of a state that was dealt anew: what had been told to whom, and the table from which it goes on.
        self._start: tuple[str, _envs.Desk, int] | None = None

    def current_player(self) -> int:
        """Who is to act."""
        if self.desk is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.desk.over else self.desk.seat

    def _legal_actions(self, player: int) -> list[int]:
        assert self.desk is not None
        return self.desk.ids()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Each number of a deal with the same probability."""
        deals = self._shared.deals
        return [(number, 1.0 / deals) for number in range(deals)]

    def _apply_action(self, action: int) -> None:
        if self.desk is None:
            self.desk = self._shared.first.copy()
            self.desk.deal(action)
        else:
            self._said.append((self.desk.seat, action))
            self.desk.step(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == pyspiel.PlayerId.CHANCE else actions.name(action)

    def is_terminal(self) -> bool:
        """Whether the deal is over."""
        return self.desk is not None and self.desk.over

    def returns(self) -> list[float]:
        """By player: own side's points less the mean of the others', in thousands; 0 before the end."""
        if self.desk is None or not self.desk.over:
            return [0.0] * len(self._shared.seats)
        return self.desk.returns()

    def __str__(self) -> str:
        if self.desk is None:
            return "before the deal"
        return f"{self.desk.table()}\nchosen {self.desk.prefix}"

    def story(self, player: int) -> str:
        """All that a player has seen happen: every action, and its own hand after each of its own."""
        assert self.desk is not None
        names = self._shared.seats
        if self._start is None:
            desk = self._shared.first.copy()
            desk.deal(self.desk.number)
            lines = [f"hand | {desk.table().hand(names[player])}"]
        else:
            told, begun, knower = self._start
            desk = begun.copy()
            lines = told.split("\n")
            if player != knower:
                lines = [line.partition(" | ")[0] for line in lines]
        for seat, number in self._said:
            text = desk.tell(number)
            if text is not None:
                lines.append(f"{names[seat]} {text}")
                if seat == player:
                    lines[-1] += f" | {desk.table().hand(names[player])}"
        return "\n".join(lines)

    def seen(self, player: int) -> str:
        """What a player knows now, as text."""
        assert self.desk is not None
        chosen = self.desk.prefix if player == self.desk.seat else ()
        return f"{self.desk.table().view(self._shared.seats[player])}\nchosen {chosen}"

    def resample_from_infostate(self, player: int, sampler: Any) -> SitoumusState:
        """A state that the player cannot tell from this one, hidden cards dealt anew from those it has not seen.

        The cards are equally likely whatever the others have done. `sampler` gives a number from 0 to 1.
        """
        assert self.desk is not None
        world: SitoumusState = self.clone()
        assert world.desk is not None
        seat = self._shared.seats[player]
        seed = int(sampler() * 2**48)
        (table,) = _core.sample_tables(self.desk.table(), seat, 1, seed)
        prefix, world.desk = self.desk.prefix, self.desk.copy()
        world.desk.begin(table)
        world._start = (self.story(player), world.desk.copy(), player)
        world._said = []
        if player == self.desk.seat:
            for number in self._asked():
                world._said.append((player, number))
                world.desk.step(number)
        assert player != self.desk.seat or world.desk.prefix == prefix
        return world

    def _asked(self) -> list[int]:
        """Numbers chosen since the last whole action."""
        assert self.desk is not None
        wanted: list[int] = []
        if self.desk.prefix:
            for seat, number in reversed(self._said):
                if seat != self.desk.seat:
                    break
                wanted.insert(0, number)
                if number == self.desk.prefix[0]:
                    break
        return wanted


class SitoumusObserver:
    """What a player knows: a tensor of `sitoumus.envs.layout`, and text.

    Parameters
    ----------
    recall : bool
        Text with all that has happened; the tensor is the same.
    """

    def __init__(self, recall: bool, params: Any = None) -> None:
        if params:
            raise ValueError(f"observers take no parameters, not {params}")
        self.recall = recall
        self._bytes = np.zeros(_envs.LENGTH, np.uint8)
        self.tensor = np.zeros(_envs.LENGTH, np.float32)
        self.dict = {
            name: self.tensor[start : start + int(np.prod(shape))].reshape(shape)
            for name, start, shape, _ in _envs.LAYOUT
        }

    def set_from(self, state: SitoumusState, player: int) -> None:
        """Write what a player knows into `tensor`."""
        if state.desk is None:
            self.tensor.fill(0)
            return
        state.desk.observe(player, self._bytes)
        self.tensor[:] = self._bytes

    def string_from(self, state: SitoumusState, player: int) -> str:
        """What a player knows, as text."""
        if state.desk is None:
            return "before the deal"
        now = state.seen(player)
        return f"{state.story(player)}\n{now}" if self.recall else now


pyspiel.register_game(_GAME_TYPE, SitoumusGame)
