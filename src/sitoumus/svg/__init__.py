"""Pictures as SVG: a card, a hand, a meld, a deal, a table, an auction.

Every function returns the picture as text. Suits are drawn as paths and ranks as text, so that no font and no picture
file is needed; the same input always gives the same bytes. Each picture says in words what it shows (``<title>`` and
``<desc>``), and each of its parts has a class, such as ``card``, ``meld``, ``pile``, for a style of one's own.
"""

from .calls import auction
from .cards import card, deal, hand
from .melds import meld
from .tables import table

__all__ = ["auction", "card", "deal", "hand", "meld", "table"]
