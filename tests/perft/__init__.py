"""Perft: how many rows of single steps a position has, by length. A file of them is a list of blocks:

    id       a name, unique in the file
    rules    a preset's name (sitoumussamba if left out)
    options  fields of the rule set that differ, as an inline TOML table
    deal     seed number dealer: the table before its first call or turn ...
    position ... or a position (docs/notation.md), as an inline TOML table
    play     actions, with semicolons between them, that come first
    perft    depth and count; one line a depth

Blank lines and lines that begin with # are skipped. The counts are the oracle's, not the core's:
``python -m perft.recount FILE...`` writes them again (with tests/ and src/ on the path).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from oracle import Oracle

from sitoumus._core import Deal, Table
from sitoumus._testing import perft
from sitoumus.rules import RuleSet, preset

FILES = sorted(Path(__file__).parent.glob("*.perft"))


@dataclass
class Entry:
    """A block of a perft file."""

    id: str
    rules: str = "sitoumussamba"
    options: dict = field(default_factory=dict)
    deal: tuple[int, int, str] | None = None
    position: dict | None = None
    play: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)

    @property
    def ruleset(self) -> RuleSet:
        return preset(self.rules).replace(**self.options)

    def table(self) -> Table:
        """The position at the compiled core."""
        if self.deal is None:
            table = Table.from_position(self.position, rules=self.ruleset)
        else:
            seed, number, dealer = self.deal
            table = Table(Deal(seed=seed, number=number, rules=self.ruleset), dealer=dealer)
        return table.after(*self.play)

    def oracle(self) -> Oracle:
        """The same at the oracle."""
        if self.deal is None:
            oracle = Oracle(self.position, self.rules, self.options)
        else:
            seed, number, dealer = self.deal
            deal = Deal(seed=seed, number=number, rules=self.ruleset)
            hands = {seat: hand.cards for seat, hand in deal.hands.items()}
            oracle = Oracle.deal(hands, deal.stock, self.rules, self.options, dealer)
        for text in self.play:
            oracle.push(text)
        return oracle


def read(path: Path) -> Iterator[Entry]:
    """The blocks of a file."""
    entry = None
    for line in path.read_text(encoding="utf-8").splitlines():
        key, _, value = line.partition(" ")
        value = value.strip()
        if not key or key.startswith("#"):
            continue
        if key == "id":
            if entry is not None:
                yield entry
            entry = Entry(value)
            continue
        assert entry is not None, f"{path.name}: {line!r} before the first id"
        if key == "rules":
            entry.rules = value
        elif key in ("options", "position"):
            setattr(entry, key, tomllib.loads(f"it = {value}")["it"])
        elif key == "deal":
            seed, number, dealer = value.split()
            entry.deal = int(seed), int(number), dealer
        elif key == "play":
            entry.play = [text.strip() for text in value.split(";")]
        elif key == "perft":
            depth, count = value.split()
            entry.counts[int(depth)] = int(count)
        else:
            raise ValueError(f"{path.name}: {line!r}: unknown key {key}")
    if entry is not None:
        yield entry


def count(oracle: Oracle, depth: int) -> int:
    """Perft by the oracle, in plain Python."""
    legal = oracle.legal()
    if depth == 1:
        return len(legal)
    return sum(count(after(oracle, text), depth - 1) for text in legal)


def after(oracle: Oracle, text: str) -> Oracle:
    copy = oracle.copy()
    copy.push(text)
    return copy


def divided(entry: Entry, depth: int, by_oracle: bool = True) -> str:
    """Counts by root action of the core, and of the oracle where they differ."""
    table, oracle = entry.table(), entry.oracle()
    mine = {text: perft(table.after(text), depth - 1) for text in table.legal_actions}
    theirs = {}
    if by_oracle:
        theirs = {text: count(after(oracle, text), depth - 1) if depth > 1 else 1 for text in sorted(oracle.legal())}
    lines = [f"{entry.id}, depth {depth}, core{' and oracle' if by_oracle else ''}:"]
    for text in sorted({*mine, *theirs}):
        a, b = mine.get(text, "-"), theirs.get(text, "-") if by_oracle else ""
        lines.append(f"  {text:<32}{a:>10}{b:>10}{'   <--' if by_oracle and a != b else ''}")
    return "\n".join(lines)
