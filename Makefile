# Each target sets up what it needs in .venv; a machine needs only Python 3.11+, pip and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test check fix wheel clean
.DEFAULT_GOAL := demo

$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet --editable ".[metrics,labels]" --group dev
	touch $(READY)

demo: $(READY)   ## the main job, shown
	$(BIN)/python examples/federer.py

test: $(READY)   ## all tests
	$(BIN)/python -m pytest -n 2

check: $(READY)  ## what CI runs: lint, types, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) test

fix: $(READY)    ## what can be put right by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

wheel: $(READY)
	$(BIN)/python -m build --outdir dist .

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
