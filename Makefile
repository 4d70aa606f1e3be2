# make bench    the paper's two tables and ours, measured here; says first what it installs and how long that takes
# make install  the package, with all kernels compiled
# make report   a page from what was measured
# make test     the tests of every part, and the examples in docstrings (about twenty minutes on two cores)
# make lint     style, types, and who may import whom
# make docs     the documentation, into site/
# Everything lives in .venv, which the first call makes. Only Python 3.11 or newer has to be there.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

# The first of these that is new enough; `make PYTHON=/some/python3.12 test` chooses another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	"$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$python" && break; done)
# One process of tests for each core, two at least: some tests wait for others.
JOBS ?= $(shell echo $$(( $$(nproc 2>/dev/null || echo 2) > 2 ? $$(nproc) : 2 )))
# Which tests `make test` runs; "not slow" adds those of seconds, to be run before a merge.
TESTS ?= not slow and not long
VENV := .venv
IN_VENV := $(VENV)/bin/python
PIP := $(IN_VENV) -m pip --disable-pip-version-check --no-input -qq
ARGS ?=

.PHONY: help install bench report example-report test test-slow lint docs docs-refresh clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-14s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# A virtual environment that answers is kept; one that is missing or half made is made anew.
$(VENV)/.made:
	@test -n "$(PYTHON)" || { echo "hexlogic needs Python 3.11 or newer (make PYTHON=/path/to/python3.12 ...)" >&2; exit 2; }
	@$(IN_VENV) -m pip --version >/dev/null 2>&1 || { echo "making $(VENV) with $(PYTHON)" >&2; \
		rm -rf $(VENV); $(PYTHON) -m venv $(VENV) \
		|| { echo "python could not make a virtual environment (on Debian: apt-get install python3-venv)" >&2; exit 2; }; }
	@touch $@

# One stamp for each extra: a second call finds it newer than pyproject.toml and does nothing.
$(VENV)/.installed: $(VENV)/.made pyproject.toml
	@echo "installing hexlogic" >&2
	@$(PIP) install --editable .
	@touch $@

$(VENV)/.installed-%: $(VENV)/.made pyproject.toml
	@echo "installing hexlogic[$*]" >&2
	@$(PIP) install --editable '.[$*]'
	@touch $@

install: $(VENV)/.installed ## the package, with all kernels compiled
	@$(IN_VENV) -m hexlogic doctor --compile

bench: bench-said $(VENV)/.installed-egglog ## measure: the two tables of the paper, and ours beside them
	@$(IN_VENV) -m hexlogic bench $(ARGS)

# Before anything is installed; nothing once it is.
bench-said:
	@test -e $(VENV)/.installed-egglog || echo "installing hexlogic and its engines into $(VENV): 600 MB, one to six minutes; measuring then takes two to eight" >&2

report: $(VENV)/.installed-report ## a page from everything in results/, into report/ (ARGS="DIR... --out OUT" for others)
	@$(IN_VENV) -m hexlogic report $(if $(ARGS),$(ARGS),results/* --out report)

example-report: $(VENV)/.installed-report $(VENV)/.installed-egglog ## measure the example report again: 80 minutes of CPU time, on an idle machine
	@mkdir -p results/example/before results/example/predictions
	@cp docs/example-report/records/{quick,paper}*.jsonl.gz results/example/before/
	@cp docs/example-report/records/{predictions,explained,played}-*.json results/example/predictions/
	@$(IN_VENV) -m hexlogic bench --suite everything --limit 4 --repeats 3 --out results/example
	@$(IN_VENV) -m hexlogic report results/example/{before,quick,paper,scaling,games,positions,sheets,proofs,predictions} \
		--out docs/example-report

test: $(VENV)/.installed-dev ## the tests, doctests included; TESTS="not slow" before a merge
	$(IN_VENV) -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder -m "$(TESTS)" --doctest-modules $(ARGS) tests hexlogic

test-slow: $(VENV)/.installed-dev ## tests of minutes: hours in all
	HYPOTHESIS_PROFILE=new $(IN_VENV) -m pytest -n $(JOBS) -m slow $(ARGS) tests

lint: $(VENV)/.installed-dev ## ruff, mypy, import-linter
	$(IN_VENV) -m ruff check --no-cache .
	$(IN_VENV) -m ruff format --check .
	$(IN_VENV) -m mypy
	$(VENV)/bin/lint-imports --no-logo

docs: $(VENV)/.installed-docs ## the documentation, into site/
	@rm -rf build/workbench
	@$(IN_VENV) -m hexlogic play --static build/workbench >/dev/null || echo "site/ is made without the workbench" >&2
	@NO_MKDOCS_2_WARNING=1 $(IN_VENV) -m mkdocs build --strict --quiet
	@echo "site/index.html"

docs-refresh: $(VENV)/.installed-dev ## run the commands shown in the documentation again and paste their output
	$(IN_VENV) docs/refresh.py --write

clean: ## remove what was made, the virtual environment too
	rm -rf $(VENV) site dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
