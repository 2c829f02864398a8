# The two commands are `make run` and `make test`; the rest is for people who change hgwork.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.ready
SIZE ?= small
WORKERS ?= 2

.PHONY: run test check bench lab clean
.DEFAULT_GOAL := run

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "hgwork needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1). Try: make PYTHON=python3.12"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo "Installing hgwork and what it needs into $(VENV) (a few minutes, once) …"
	@$(BIN)/python -m pip install -qq --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
	@touch $@

run: $(STAMP)
	@$(BIN)/hgwork run --size $(SIZE) --workers $(WORKERS)

test: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n $(WORKERS)

check: $(STAMP)
	$(BIN)/python -m ruff check .
	$(BIN)/lint-imports
	$(BIN)/python -m mypy
	$(BIN)/python -m pytest -n $(WORKERS) -m 'not slow'

bench: $(STAMP)
	$(BIN)/python -m tests.benchmarks.run

lab: $(STAMP)
	$(BIN)/hgwork lab

clean:
	rm -rf build $(VENV)
