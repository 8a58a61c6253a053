"""A sheet that is drawn on: the shapes of cards, and what every picture has besides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import blake2b
from xml.sax.saxutils import escape, quoteattr

from ..errors import SitoumusError
from ..notation import CARD_CODES, card_text, parse_cards

__all__ = ["CARD", "PAPER", "SHAPES", "SUIT_COLOURS", "Sheet", "all_symbols", "ink", "number"]

#: Width and height of a card.
CARD = (48, 68)

#: Background, lines and text of tables and auctions; text on the background has a contrast above 12 to 1.
PAPER, LINE, TEXT = "#f3f0e6", "#8a8778", "#1a1a1a"

#: Suits, and the star of wild cards, in a square of 100.
SHAPES = {
    "c": "M50 4A21 21 0 0 1 68 36A21 21 0 1 1 55 68C56 80 60 90 66 96H34C40 90 44 80 45 68A21 21 0 1 1 32 36"
    "A21 21 0 0 1 50 4Z",
    "d": "M50 3L87 50L50 97L13 50Z",
    "h": "M50 93C22 69 6 51 6 32C6 17 16 8 28 8C38 8 46 14 50 24C54 14 62 8 72 8C84 8 94 17 94 32C94 51 78 69 50 93Z",
    "s": "M50 4C60 22 93 40 93 62C93 74 85 82 74 82C66 82 59 78 55 71C56 82 60 90 66 96H34C40 90 44 82 45 71"
    "C41 78 34 82 26 82C15 82 7 74 7 62C7 40 40 22 50 4Z",
    "w": "M50 4L61 37H96L68 58L79 92L50 71L21 92L32 58L4 37H39Z",
}

#: Ink of the suits, by the keyword ``suits``.
SUIT_COLOURS = {
    "two": {"c": "#1a1a1a", "d": "#b00020", "h": "#b00020", "s": "#1a1a1a"},
    "four": {"c": "#0a6b2d", "d": "#0b4fb3", "h": "#b00020", "s": "#1a1a1a"},
}
STAR = "#5b2a86"


def ink(suits: str) -> dict[str, str]:
    """The colours of the suits.

    Raises
    ------
    SitoumusError
        If `suits` is neither ``"two"`` nor ``"four"``.
    """
    if suits not in SUIT_COLOURS:
        raise SitoumusError(f"suits is {suits!r}: it must be 'two' or 'four'")
    return SUIT_COLOURS[suits]


def number(value: float) -> str:
    """A coordinate, with two digits at most behind the point."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


class Sheet:
    """What has been drawn so far, and the cards it needs.

    Parameters
    ----------
    suits : {"two", "four"}
        Colours of the suits.
    lang : str
        Language of the words; English is there so far.
    """

    #: Stands for the picture's own prefix of ids until its content is known.
    PREFIX = "\x00"

    def __init__(self, suits: str = "two", lang: str = "en") -> None:
        if lang != "en":
            raise SitoumusError(f"lang is {lang!r}: pictures know 'en' so far")
        self.ink = ink(suits)
        self.used: set[str] = set()

    def card(self, text: str, x: float, y: float, width: float = CARD[0], across: bool = False) -> str:
        """One card with its upper left corner at (x, y); `across` lays it crosswise, ``"?"`` is a back."""
        height = width * CARD[1] / CARD[0]
        name = "back" if text == "?" else card_text(parse_cards(text)[0])
        self.used.add(name)
        turned = f' transform="rotate(-90 {number(x)} {number(y)}) translate({number(-width)} 0)"' if across else ""
        kind = "back" if name == "back" else "joker" if name == "JK" else f"r{name[0]} s{name[1]}"
        return (
            f'<use class="card {kind}{" across" if across else ""}" href="#{self.PREFIX}{name}" '
            f'x="{number(x)}" y="{number(y)}" width="{number(width)}" height="{number(height)}"{turned}/>'
        )

    def fan(
        self, cards: Sequence[str], x: float, y: float, width: float, step: float, row: int = 10**6
    ) -> tuple[str, float, float]:
        """Cards one over the other in rows of so many: the drawing, its width and its height."""
        height = width * CARD[1] / CARD[0]
        rows = [cards[start : start + row] for start in range(0, len(cards), row)]
        drawn = [
            self.card(card, x + place * step, y + line * height * 0.62, width)
            for line, part in enumerate(rows)
            for place, card in enumerate(part)
        ]
        longest = max((len(part) for part in rows), default=0)
        wide = (longest - 1) * step + width if longest else 0.0
        return "".join(drawn), wide, height + (len(rows) - 1) * height * 0.62 if rows else 0.0

    def text(self, words: str, x: float, y: float, size: float = 13, kind: str = "text", bold: bool = False) -> str:
        """Words whose line begins at (x, y)."""
        weight = ' font-weight="bold"' if bold else ""
        return (
            f'<text class="{kind}" x="{number(x)}" y="{number(y)}" font-size="{number(size)}"{weight} '
            f'fill="{TEXT}">{escape(words)}</text>'
        )

    def suit(self, letter: str, x: float, y: float, size: float) -> str:
        """The shape of a suit."""
        box = number(size)
        self.used.add(f"suit {letter}")
        place = f'x="{number(x)}" y="{number(y)}"'
        return f'<use class="suit" href="#{self.PREFIX}{letter}" {place} width="{box}" height="{box}"/>'

    def paper(self, width: float, height: float) -> str:
        """A background for what is more than cards, so that its words can be read on dark pages too."""
        return (
            f'<rect class="paper" x="0.5" y="0.5" width="{number(width - 1)}" height="{number(height - 1)}" rx="8" '
            f'fill="{PAPER}" stroke="{LINE}"/>'
        )

    def _symbol(self, letter: str) -> str:
        colour = STAR if letter == "w" else self.ink[letter]
        return (
            f'<symbol id="{self.PREFIX}{letter}" viewBox="0 0 100 100">'
            f'<path d="{SHAPES[letter]}" fill="{colour}"/></symbol>'
        )

    def _face(self, name: str) -> str:
        """A card as a symbol: the corner with rank and suit; wild cards carry a star."""
        wide, high = CARD
        blank = f'<rect class="face" x="0.5" y="0.5" width="{wide - 1}" height="{high - 1}" rx="5" '
        start = f'<symbol id="{self.PREFIX}{name}" viewBox="0 0 {wide} {high}">'
        if name == "back":
            inner = f'<rect x="5" y="5" width="{wide - 10}" height="{high - 10}" rx="3" fill="none" stroke="#dfe7f2"/>'
            return f'{start}{blank}fill="#4a6485" stroke="#26384f"/>{inner}</symbol>'

        def mark(letter: str, x: int, y: int, size: int) -> str:
            return f'<use href="#{self.PREFIX}{letter}" x="{x}" y="{y}" width="{size}" height="{size}"/>'

        joker = name == "JK"
        colour = STAR if joker else self.ink[name[1]]
        rank, size = (name, 14) if joker else ("10", 17) if name[0] == "T" else (name[0], 19)
        marks = mark("w", 4, 24, 16) if joker else mark(name[1], 5, 23, 14)
        if not joker and name[0] == "2":
            marks += mark("w", 6, 42, 12)
        corner = (
            f'<text class="rank" x="12" y="19" font-size="{size}" font-weight="bold" text-anchor="middle" '
            f'fill="{colour}">{rank}</text>'
        )
        return f'{start}{blank}fill="#ffffff" stroke="#6b6b6b"/>{corner}{marks}</symbol>'

    def finish(
        self,
        body: Iterable[str],
        width: float,
        height: float,
        title: str,
        words: str,
        kind: str,
        size: int | None = None,
        style: str = "",
    ) -> str:
        """The picture as text.

        Parameters
        ----------
        body : iterable of str
            What has been drawn.
        width, height : float
            Of the drawing.
        title, words : str
            One line, and the whole, for readers of the screen.
        kind : str
            Class of the picture.
        size : int, optional
            Width in pixels; without it the picture takes the room it gets.
        style : str
            CSS of the user.
        """
        if size is not None and (isinstance(size, bool) or not isinstance(size, int) or size < 1):
            raise SitoumusError(f"size is {size!r}: it must be a width in pixels, a whole number from 1 up")
        cards = sorted(name for name in self.used if not name.startswith("suit "))
        letters = {name[5:] for name in self.used if name.startswith("suit ")}
        letters |= {name[1] for name in cards if len(name) == 2 and name != "JK"}
        letters |= {"w" for name in cards if name == "JK" or (name[0] == "2")}
        symbols = [*map(self._symbol, sorted(letters)), *map(self._face, cards)]
        sheet = f"<style>{escape(style)}</style>" if style else ""
        drawn = f"<defs>{''.join(symbols)}</defs>{''.join(body)}"
        seal = blake2b("\n".join((kind, title, words, sheet, drawn, str(size))).encode(), digest_size=5).hexdigest()
        prefix = f"sit{seal}-"
        across, down = number(width), number(height)
        pixels = "" if size is None else f' width="{size}" height="{number(size * height / width)}"'
        limit = f' style="max-width:{across}px"' if size is None else ""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class={quoteattr("sitoumus-" + kind)} '
            f'viewBox="0 0 {across} {down}"{pixels}{limit} role="img" '
            f'aria-labelledby="{prefix}title" font-family="Helvetica, Arial, \'Liberation Sans\', sans-serif">'
            f'<title id="{prefix}title">{escape(title)}</title><desc>{escape(words)}</desc>{sheet}'
            f"{drawn.replace(self.PREFIX, prefix)}</svg>"
        )


@cache
def all_symbols(prefix: str, suits: str = "two") -> str:
    """The symbols of every card and of the suits, drawn nowhere yet, for pages that draw with them."""
    sheet = Sheet(suits)
    names = [card_text(code) for code in CARD_CODES]
    drawn = [*map(sheet._symbol, "cdhsw"), *map(sheet._face, [*names, "back"])]
    drawn_text = "".join(drawn).replace(Sheet.PREFIX, prefix)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true" style="position:absolute" '
        f'font-family="Helvetica, Arial, \'Liberation Sans\', sans-serif"><defs>{drawn_text}</defs></svg>'
    )
