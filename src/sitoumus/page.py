"""Games as one page for a browser: the whole deal step by step, in one file that loads nothing from elsewhere.

Every step is written here, as what it changes of the step before; the page's script knows no rule of the game. A page
made for one seat holds what that seat knows and nothing else: no hidden card, and no seed that cards could be dealt
from.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import checks
from .errors import SitoumusError
from .notebook import html_table
from .position import layout_of
from .show import is_lock, meld_words, shown_hand, shown_hands, side_line
from .svg.sheet import all_symbols

if TYPE_CHECKING:
    from ._core import Table, View
    from .record import Game
    from .score import Score

__all__ = ["SEAT_NAMES", "action_words", "game_frame", "to_html"]

SEAT_NAMES = {"N": "North", "E": "East", "S": "South", "W": "West"}
_SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_PLAIN = {
    "pass": "passes",
    "double": "doubles",
    "fail": "cannot open",
    "done": "has opened",
    "draw": "draws",
    "extra": "draws the extra card",
    "ask": "asks for permission to go out",
    "yes": "answers yes",
    "no": "answers no",
    "end": "takes nothing, the deal ends",
}
_WITH_CARDS = {
    "meld": "lays {0}",
    "add": "adds {0} to meld {1}",
    "buy": "buys a card with {0}",
    "discard": "discards {0}",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def to_html(
    games: Iterable[Game] | Game,
    path: str | os.PathLike[str] | None = None,
    view: str | None = None,
    start: int = 0,
    lang: str = "en",
    title: str | None = None,
) -> str:
    """Write games as a page in which they are stepped through.

    Parameters
    ----------
    games : Game or iterable of Game
        Several are the deals of one page.
    path : str or path, optional
        A file that the page is written to.
    view : str, optional
        The seat whose knowledge is shown; all hands lie open if left out. What the seat does not know is not in the
        page, the seed of the deal included.
    start : int
        Number of actions after which the page begins; negative numbers count from the end of the first game.
    lang : str
        Language of the page; ``"en"`` so far.
    title : str, optional

    Returns
    -------
    str
        The page.

    Raises
    ------
    SitoumusError
        If a seat, a step or a language is unknown, or there is no game.

    Examples
    --------
    >>> from sitoumus import Deal, play
    >>> page = to_html([play(Deal(seed=7, number=42), policies="random")])
    >>> page.startswith("<!doctype html>"), "http" in page.replace("http-equiv", "").replace("http://www.w3.org", "")
    (True, False)
    """
    from .record import Game

    games = [games] if isinstance(games, Game) else checks.listed("games", games, "games", SitoumusError)
    if not games:
        raise SitoumusError("there is no game to show: give at least one")
    for game in games:
        checks.an("a game", game, Game, "a Game, as play and load_game give it", SitoumusError)
    checks.choice("lang", lang, ("en",), SitoumusError)
    if title is not None:
        checks.an("title", title, str, "a text", SitoumusError)
    if view is not None:
        checks.choice("view", view, layout_of(games[0].rules).seats, SitoumusError)
    if path is not None:
        checks.file_path("path", path, SitoumusError)
    steps = len(games[0].actions)
    start = checks.whole("start", start, -steps - 1, steps, SitoumusError)
    for game in games:
        seats = layout_of(game.rules).seats
        if view is not None and view not in seats:
            raise SitoumusError(f"view is {view!r}: the seats of this game are {' '.join(seats)}")
    name = title or _title(games)
    data = {
        "start": start if start >= 0 else steps + 1 + start,
        "view": view,
        "names": SEAT_NAMES,
        "games": [_game_data(game, view) for game in games],
    }
    page = _page(name, data, games, view)
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


def game_frame(game: Game) -> str:
    """A page in a frame of its own, for notebooks: its style and script touch nothing else."""
    return (
        f'<iframe title="{escape(str(game))}" srcdoc="{escape(to_html(game))}" sandbox="allow-scripts" '
        'style="width:100%;height:760px;border:1px solid #8a8778"></iframe>'
    )


def _title(games: list[Game]) -> str:
    first = games[0]
    what = "a deal" if len(games) == 1 else f"{len(games)} deals"
    return f"{first.rules.name.replace('_', ' ').capitalize()}: {what}"


# The data of a page.


def with_symbols(cards: str) -> str:
    """Cards as text with symbols for their suits.

    Examples
    --------
    >>> with_symbols("Th JK 2c")
    '10♥ joker 2♣'
    """
    words = []
    for card in cards.split():
        rank = "10" if card[0] == "T" else card[0]
        words.append("joker" if card == "JK" else rank + _SUITS[card[1]])
    return " ".join(words)


def action_words(table: Table, action: str) -> str:
    """An action in words, without the seat that does it.

    Parameters
    ----------
    table : Table
        The table before it.
    action : str

    Examples
    --------
    >>> from sitoumus import Table
    >>> action_words(Table(), "4H"), action_words(Table(), "discard Tc")
    ('bids 4♥', 'discards 10♣')
    """
    verb, _, rest = action.partition(" ")
    if verb in _PLAIN:
        return _PLAIN[verb]
    cards, _, target = rest.partition(">")
    known = " ".join(word for word in cards.split() if "=" not in word)
    if verb == "merge":
        return f"joins meld {known} to meld {target.strip()}"
    shown = with_symbols(known) if known else ""
    target = target.split()[0] if target.strip() else ""
    if verb == "take":
        size = len(table.pile)
        number = "1 card" if size == 1 else f"{size} cards"
        return f"takes the pile{f' with {shown}' if shown else ''}{f' onto meld {target}' if target else ''}, {number}"
    if verb in _WITH_CARDS:
        return _WITH_CARDS[verb].format(shown, target)
    level = verb.rstrip("CDHSANEU")
    return f"bids {level}{_SUITS.get(verb[len(level) :].lower(), f' {verb[len(level) :]}')}"


def board_of(table: Table | View) -> dict[str, Any]:
    """What lies on the table, flat: the keys that a step changes are what is written of it.

    Keys are ``h`` and a seat (its cards, ``?n`` for n hidden ones), ``m``, a side, ``/`` and the number of a meld (its
    cards, ``|``, kind and bonus where complete), ``c`` and a side (card points and bonuses of its melds), ``i`` and a
    side (how it stands), ``p`` and a side (points by rule), and the names of what a table has.
    """
    board: dict[str, Any] = {"calls": " ".join(table.calls), **_moment(table), "pile": _pile(table)}
    for seat in shown_hands(table):
        board.update(_hand(table, seat))
    for side in table.totals:
        board.update(_melds(table, side))
        board.update(_state(table, side, board))
    return board


def _after(
    board: dict[str, Any], table: Table | View, seat: str, side_of: dict[str, str], verb: str
) -> dict[str, Any]:
    """The board after an action of a seat, read again only where the action can have changed it.

    Bonus cards are laid when a turn begins, so the seat whose turn it is now counts as well. Tests compare this with
    `board_of` at every step.
    """
    if table.phase in ("auction", "opening", "over") or board["phase"] in ("auction", "opening"):
        return board_of(table)
    new = {**board, **_moment(table)}
    if verb in ("take", "discard"):
        new["pile"] = _pile(table)
    if verb in ("meld", "add", "take", "merge", "fail"):
        side = side_of[seat]
        for key in [key for key in new if key.startswith(f"m{side}/")]:
            del new[key]
        new.update(_melds(table, side))
    for each in dict.fromkeys((seat, table.turn)):
        new.update({**_hand(table, each), **_state(table, side_of[each], new)})
    return new


def _moment(table: Table | View) -> dict[str, Any]:
    return {
        "phase": table.phase,
        "turn": table.turn,
        "contract": table.contract,
        "stock": table.stock_size,
        "frozen": table.frozen,
    }


def _pile(table: Table | View) -> str:
    rules = table.rules
    return " ".join([f"[{card}]" if is_lock(card, rules) else card for card in table.pile])


def _hand(table: Table | View, seat: str) -> dict[str, str]:
    cards = shown_hand(table, seat)
    hidden = cards.count("?")
    known = " ".join(cards[: len(cards) - hidden])
    return {f"h{seat}": f"{known} ?{hidden}".strip() if hidden else known}


def _melds(table: Table | View, side: str) -> dict[str, Any]:
    """The melds of a side, and what they count."""
    found: dict[str, Any] = {}
    points = bonus = 0
    for number, meld in enumerate(table.melds(side), 1):
        words = meld_words(meld)
        found[f"m{side}/{number}"] = f"{meld}|{words}" if words else str(meld)
        points += meld.points
        bonus += meld.bonus if words else 0
    return {**found, f"c{side}": [points, bonus]}


def _state(table: Table | View, side: str, board: dict[str, Any]) -> dict[str, str]:
    """How a side stands, and its points by rule."""
    points, bonus = board[f"c{side}"]
    bought, price = len(table.bought(side)), table.rules.buy.price if table.rules.buy else 0
    lines = {"R12.2": points, "R31.1": bonus, "R21.3": -bought * price, "C33": -table.penalties[side]}
    shown = " ".join([f"{rule}:{value}" for rule, value in lines.items() if value])
    return {f"i{side}": side_line(table, side), f"p{side}": shown}


def _changes(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """What a step changes; None for what is no longer there."""
    changed: dict[str, Any] = {key: value for key, value in after.items() if before.get(key) != value}
    changed.update(dict.fromkeys(before.keys() - after.keys()))
    return changed


def _game_data(game: Game, view: str | None) -> dict[str, Any]:
    layout = layout_of(game.rules)
    side_of = dict(zip(layout.seats, (layout.sides[side] for side in layout.side_of), strict=True))
    tables = game.tables()
    table = next(tables)
    first = board = board_of(table if view is None else table.view(view))
    rows: list[list[Any]] = []
    for action, after in zip(game.actions, tables, strict=True):
        seat = table.turn
        turn = 0 if board["phase"] in ("auction", "opening") else table.turns + 1
        shown = after if view is None else after.view(view)
        lying = _after(board, shown, seat, side_of, action.partition(" ")[0])
        rows.append([seat, turn, action_words(table, action), _changes(board, lying)])
        table, board = after, lying
    score = game.score if game.over else None
    return {
        "title": str(game) if view is None else f"{game.rules.name}, as {SEAT_NAMES[view]} knows it",
        "seats": layout.seats,
        "sides": layout.sides,
        "dealer": game.dealer,
        "auction": bool(layout.max_level),
        "first": first,
        "steps": rows,
        "score": _score_lines(score, view),
        "ended": f"{score.result}, ended by {score.ended}" if score else "",
        "scores": score.sides if score else {},
        "foot": _foot(game, view),
    }


def _score_lines(score: Score | None, view: str | None) -> list[list[Any]]:
    """The lines of `Score.explain`; those of hands that a seat does not know tell no card."""
    if score is None:
        return []
    own = () if view is None else ("hand of", f"hand of {view}")
    lines = []
    for side, rule, what, points in score._lines:
        if own and what.startswith(own[0]) and not what.startswith(own[1]):
            what = what.partition(":")[0]
        lines.append([side, rule, what, points])
    return lines


def _foot(game: Game, view: str | None) -> str:
    from .version import RESULT_VERSION, __version__

    number = "cards given" if game.deal.seed is None else f"seed {game.deal.seed}, number {game.deal.number}"
    names = (policy if isinstance(policy, str) else str(policy.get("kind", "policy")) for policy in game.policies)
    players = ", ".join(names)
    parts = [f"Dealer {SEAT_NAMES[game.dealer]}", f"played by {players}" if players else ""]
    parts += [number if view is None else "", f"sitoumus {__version__}, result version {RESULT_VERSION}"]
    return "; ".join(part for part in parts if part)


# The page itself.


@cache
def _file(name: str) -> str:
    return (files("sitoumus") / "data" / name).read_text(encoding="utf-8")


def _page(title: str, data: dict[str, Any], games: list[Game], view: str | None) -> str:
    style, script, body = map(_file, ("page.css", "page.js", "page.html"))
    values = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    plain = "".join(_without_script(game, view) for game in games)
    body = body.replace("@TITLE@", escape(title)).replace("@PLAIN@", plain)
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        f"{all_symbols('k-')}\n{body}"
        f'<script type="application/json" id="data">{values}</script>\n<script>\n{script}</script>\n</body>\n</html>\n'
    )


def _without_script(game: Game, view: str | None) -> str:
    """What is read where scripts are off: the transcript and the score."""
    lines = "".join(f"<li>{escape(line)}</li>" for line in game.transcript().splitlines())
    score = game.score if game.over else None
    rows = [[str(cell) for cell in line] for line in _score_lines(score, view)]
    rows += [[side, "", "score", str(points)] for side, points in (score.sides.items() if score else ())]
    sheet = html_table(["side", "rule", "what", "points"], rows, ["Score"]) if rows else ""
    return f"<h2>Transcript</h2><ul>{lines}</ul>{sheet}"
