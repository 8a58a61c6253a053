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
import re
import shlex
import shutil
import sys
import sysconfig
import tomllib
from pathlib import Path

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
    "sitoumus._envs": "src/sitoumus/_envs.pyx",
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
    from Cython.Build import cythonize

    return cythonize(modules, compiler_directives=DIRECTIVES, emit_linenums=DEBUG or SANITIZE, **options)


#: Commands that compile, and those by which pip begins to.
COMPILING = {"build", "build_ext", "bdist_wheel", "develop", "dist_info", "editable_wheel", "egg_info", "install"}


def missing_compiler():
    """The C compiler that is asked for and not there; None if all is well, or on Windows, where setuptools looks."""
    if sys.platform == "win32":
        return None
    command = shlex.split(os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc")
    program = next((word for word in command if "=" not in word), "cc")
    return None if shutil.which(program) else program


def readme():
    """The README with links that hold on a package page too."""
    base = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]["urls"]["Source"]
    text = Path("README.md").read_text(encoding="utf-8")
    return re.sub(r"\]\((?!https?:|#|mailto:)([^)]+)\)", rf"]({base}/blob/main/\1)", text)


if __name__ == "__main__":
    if COMPILING & set(sys.argv[1:]) and missing_compiler():
        sys.exit(
            f"sitoumus needs a C compiler, and there is no {missing_compiler()!r}: install one (Debian and Ubuntu: "
            "apt install build-essential python3-dev; Fedora: dnf install gcc python3-devel; macOS: xcode-select "
            "--install) or name yours in the variable CC"
        )
    recipe = repr((DIRECTIVES, MACROS, COMPILE, LINK))
    same = RECIPE.is_file() and RECIPE.read_text() == recipe
    modules = extensions(force=not same)
    RECIPE.parent.mkdir(exist_ok=True)
    RECIPE.write_text(recipe)
    setup(ext_modules=modules, long_description=readme(), long_description_content_type="text/markdown")
