"""Build of the compiled core; everything else about the project stands in pyproject.toml.

Switches, by environment variable (unset, empty or 0 is off); they can be combined:

``SITOUMUS_DEBUG``
    Checked build: bounds checks, ``assert`` statements, and the C macro SITOUMUS_CHECKED is 1 instead of 0.
``SITOUMUS_TRACE``
    Line tracing for line_profiler and coverage (``pytest --cov``); hundreds of times slower, never timed.
``SITOUMUS_SANITIZE``
    ``-O1 -g`` with AddressSanitizer and UndefinedBehaviorSanitizer (gcc or clang; ``make asan`` runs it).
"""

import os
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

# What the last build was made with. A build made otherwise starts from the .pyx again, which no time stamp would tell.
RECIPE = Path("build/recipe.txt")


def switched_on(name):
    return os.environ.get(name, "0") not in ("", "0")


DEBUG = switched_on("SITOUMUS_DEBUG")
TRACE = switched_on("SITOUMUS_TRACE")
SANITIZE = switched_on("SITOUMUS_SANITIZE")

# The one place where directives are set: the header-only rooms (.pxd) have no other that reaches them.
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "cdivision": True,
    "initializedcheck": DEBUG,
    "embedsignature": True,
    "embedsignature.format": "python",
    "binding": True,
    "freethreading_compatible": True,
    "linetrace": TRACE,
}

MACROS = [
    ("SITOUMUS_CHECKED", "1" if DEBUG else "0"),
]
if not DEBUG:
    MACROS.append(("CYTHON_WITHOUT_ASSERTIONS", "1"))
if TRACE:
    MACROS += [("CYTHON_TRACE_NOGIL", "1"), ("CYTHON_USE_SYS_MONITORING", "0")]

# No CPU-specific flag: one wheel gives the same rows on every machine.
if SANITIZE:
    LINK = ["-fsanitize=address,undefined"]
    COMPILE = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined", *LINK]
else:
    COMPILE = ["/O2"] if sys.platform == "win32" else ["-O2", "-g" if DEBUG else "-g0"]
    LINK = []


# The compiled modules. A module is made again when anything that it cimports has changed: Cython keeps track.
MODULES = {
    "sitoumus.engine.opening": "src/sitoumus/engine/opening.pyx",
    "sitoumus._names": "src/sitoumus/_names.pyx",
    "sitoumus._compile": "src/sitoumus/_compile.pyx",
    "sitoumus._core": "src/sitoumus/_core.pyx",
    "sitoumus._testing": "src/sitoumus/_testing.pyx",
}


def extensions(**options):
    """The compiled modules, translated to C; `options` go to ``cythonize``."""
    modules = [
        Extension(
            name,
            sources=[source],
            define_macros=MACROS,
            undef_macros=["NDEBUG"] if DEBUG else [],
            extra_compile_args=COMPILE,
            extra_link_args=LINK,
        )
        for name, source in MODULES.items()
    ]
    return cythonize(modules, compiler_directives=DIRECTIVES, emit_linenums=DEBUG or SANITIZE, **options)


if __name__ == "__main__":
    recipe = repr((DIRECTIVES, MACROS, COMPILE, LINK))
    same = RECIPE.is_file() and RECIPE.read_text() == recipe
    modules = extensions(force=not same)
    RECIPE.parent.mkdir(exist_ok=True)
    RECIPE.write_text(recipe)
    setup(ext_modules=modules)
