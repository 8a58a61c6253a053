# Every target sets up what it needs in .venv; a second call only does what has changed.
# Needed beforehand: CPython 3.11 or later with pip and venv, a C compiler, make.

PYTHON ?= python3
VENV   ?= .venv
N      ?= 300

HAND      = Ah Kh Qh Jh 7s 7d 7c 2c JK 9s 9d 4c 4d 5h 3s
CONTRACTS = 2H 3H 4H 3CAN

export PIP_DISABLE_PIP_VERSION_CHECK = 1
export PIP_ROOT_USER_ACTION = ignore

BIN   := $(VENV)/bin
PIP   := $(BIN)/python -m pip install --quiet
ROOMS := $(shell find src/sitoumus -name '*.pyx' -o -name '*.pxd')

# Tests of one file run in one process: fixtures that take long are made once.
PARALLEL := --numprocesses auto --dist loadfile

.DELETE_ON_ERROR:
.PHONY: help odds test quick check bench docs checked legality asan oracle dist clean

help:
	@echo "make odds       set up and show the odds of four contracts for a real hand"
	@echo "make test       set up and run the tests"
	@echo "make quick      the tests that take less than two seconds each, in about a minute"
	@echo "make check      linters, types, stubs of the core, hints of the Cython compiler"
	@echo "make bench      behaviour number and speeds"
	@echo "make docs       build the documentation into docs/_build/html"
	@echo "make checked    rows, invariants and policies on a checked build: the same rows, every assertion held"
	@echo "make legality   a million deals of each policy on the checked build: every step is legal"
	@echo "make asan       the tests on a checked build under the address and undefined-behaviour sanitisers"
	@echo "make oracle     compare the core with the slow oracle, N=$(N) deals"
	@echo "make dist       sdist and wheel, and the wheel tried in an empty environment"
	@echo "make clean      remove everything that was built, $(VENV) too"

odds: $(VENV)/.core $(VENV)/.run
	$(BIN)/sitoumus odds "$(HAND)" $(foreach contract,$(CONTRACTS),--contract $(contract))

test: $(VENV)/.core $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL)

quick: $(VENV)/.core $(VENV)/.dev
	$(BIN)/python -m pytest $(PARALLEL) -q -m "not slow"

check: $(VENV)/.core $(VENV)/.dev
	$(BIN)/python -m ruff check .
	PATH="$(abspath $(BIN)):$$PATH" cython-lint src
	$(BIN)/python -m mypy
	$(BIN)/python -m mypy.stubtest sitoumus._names sitoumus._compile sitoumus._core sitoumus._envs sitoumus._testing --allowlist tools/stubtest-allowlist.txt --ignore-unused-allowlist
	$(BIN)/python tools/check_build_hints.py
	$(BIN)/python tools/check_readme_types.py

bench: $(VENV)/.core $(VENV)/.dev
	$(BIN)/sitoumus bench

docs: $(VENV)/.core $(VENV)/.docs
	$(BIN)/python -m sphinx -W --keep-going -b html docs docs/_build/html

oracle: $(VENV)/.core $(VENV)/.dev
	PYTHONPATH=tests $(BIN)/python -m oracle $(N)

dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python tools/smoke.py --in-empty-environment dist/*.whl

clean:
	rm -rf $(VENV) build dist docs/_build src/*.egg-info $(patsubst %.pyx,%.c,$(wildcard src/sitoumus/*.pyx src/sitoumus/engine/*.pyx))
	find src -name '*.so' -delete

# The environment: created once, build dependencies, the core, then the package with what the target needs.

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.build: pyproject.toml | $(BIN)/python
	@echo "Installing the build dependencies ..."
	@$(BIN)/python -c "import tomllib; print(*tomllib.load(open('pyproject.toml', 'rb'))['build-system']['requires'])" | xargs $(PIP)
	@touch $@

$(VENV)/.core: setup.py $(ROOMS) $(VENV)/.build
	@echo "Compiling the core ..."
	@$(BIN)/python setup.py --quiet build_ext --inplace
	@touch $@

$(VENV)/.run: pyproject.toml | $(VENV)/.core
	@echo "Installing sitoumus ..."
	@$(PIP) --no-build-isolation --editable .
	@touch $@

$(VENV)/.dev $(VENV)/.docs: $(VENV)/.%: pyproject.toml | $(VENV)/.core
	@echo "Installing sitoumus with its $* dependencies ..."
	@$(PIP) --no-build-isolation --editable ".[$*]"
	@touch $@

# The checked and the sanitised build live apart, so that the ordinary one stays as it is.

CHECKED := build/checked
ASAN    := build/asan

checked: $(CHECKED)/.built $(VENV)/.dev
	PYTHONPATH=$(CHECKED)/lib $(BIN)/python -m pytest tests/test_same_rows.py tests/test_invariants.py tests/test_policies.py tests/test_opening.py tests/test_legality.py

legality: $(CHECKED)/.built $(VENV)/.dev
	PYTHONPATH=$(CHECKED)/lib $(BIN)/python tools/legality.py

asan: $(ASAN)/.built $(VENV)/.dev
	PYTHONPATH=$(ASAN)/lib PYTHONMALLOC=malloc ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$(gcc -print-file-name=libasan.so) $$(gcc -print-file-name=libubsan.so) $$(gcc -print-file-name=libstdc++.so.6)" \
	$(BIN)/python -m pytest --capture=sys tests

$(ASAN)/.built: export SITOUMUS_SANITIZE = 1
$(CHECKED)/.built $(ASAN)/.built: export SITOUMUS_DEBUG = 1
$(CHECKED)/.built $(ASAN)/.built: setup.py $(ROOMS) $(wildcard src/sitoumus/*.py) $(VENV)/.build
	@echo "Compiling the core of $(@D) ..."
	@$(BIN)/python setup.py --quiet build --build-lib $(@D)/lib --build-temp $(@D)/temp
	@touch $@
