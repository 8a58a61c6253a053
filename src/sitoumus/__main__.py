"""``python -m sitoumus``: the command line."""

from .cli import main

main()
