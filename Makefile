# Each target sets up what it needs in .venv; a machine needs only Python 3.11+, pip and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
READY  := $(VENV)/.ready

.PHONY: demo test check fix docs wheel wheel-test clean
.DEFAULT_GOAL := demo

# torch comes first and by itself, so that its CPU build (2.13.0+cpu) is taken where the machine offers one.
$(READY): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[metrics,labels,train,export,tables,serve,client,langchain,llama-index,haystack,mcp,spacy]" --group dev --group docs
	touch $(READY)

demo: $(READY)   ## the main job, shown
	$(BIN)/python examples/rewriting.py

test: $(READY)   ## all tests
	$(BIN)/python -m pytest -n 2

check: $(READY)  ## what CI runs: lint, types, the site, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) docs
	$(MAKE) test

fix: $(READY)    ## what can be put right by itself
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(READY)   ## the documentation site, in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

wheel: $(READY)  ## the package as users get it, in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

wheel-test: wheel  ## README's commands and the examples with the wheel, in an environment of its own
	$(PYTHON) -m venv --clear build/wheel-test
	build/wheel-test/bin/python -m pip install --quiet "$$(echo dist/*.whl)[metrics,labels]" pytest pytest-socket
	build/wheel-test/bin/python -m pytest tests/test_readme.py tests/test_examples.py tests/test_cli.py

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
