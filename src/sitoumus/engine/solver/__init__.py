"""Rooms of the opening solver; `opening.pyx` compiles them."""
