"""The command line: ``sitoumus COMMAND ...`` or ``python -m sitoumus COMMAND ...``.

Results go to standard output, progress and complaints to standard error. Bad input is one sentence
and exit status 2; ctrl-C ends with 130. What a command needs is imported when it runs.
"""

# Each module registers its commands; the help lists them in this order.
from . import deals as deals
from . import studies as studies

from . import many as many  # isort: skip
from . import pictures as pictures  # isort: skip
from . import against as against  # isort: skip
from . import tuning as tuning  # isort: skip
from . import director as director  # isort: skip
from . import club as club  # isort: skip
from .program import app, main, run

__all__ = ["app", "main", "run"]
