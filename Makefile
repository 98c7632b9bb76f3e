# Each target installs what it needs into .venv; a machine needs only Python 3.11+, pip and make.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Stamps: what rewriting needs (five packages), the rest (torch, the frameworks, test and documentation tools), and Ray and
# Spark, which are as large again.
REWRITING   := $(VENV)/.rewriting
DEVELOPMENT := $(VENV)/.development
FLEETS      := $(VENV)/.fleets

.PHONY: demo test test-fleets check fix docs wheel wheel-test model-en model-zh clean
.DEFAULT_GOAL := demo

$(REWRITING): pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $(REWRITING)

# torch is installed first and alone, so that pip takes its CPU build (2.13.0+cpu) if the machine offers one.
$(DEVELOPMENT): $(REWRITING)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"
	$(BIN)/python -m pip install --quiet torch==2.13.0
	$(BIN)/python -m pip install --quiet --editable ".[metrics,labels,train,export,tables,serve,client,langchain,llama-index,haystack,mcp,datasets,duckdb,polars]" --group dev --group docs
	touch $(DEVELOPMENT)

$(FLEETS): $(DEVELOPMENT)
	$(BIN)/python -m pip install --quiet --editable ".[ray,spark]"
	touch $(FLEETS)

demo: $(REWRITING)      ## rewrite five dialogues with the bundled models
	$(BIN)/python examples/rewriting.py

test: $(DEVELOPMENT)    ## run all tests
	$(BIN)/python -m pytest -n 2

test-fleets: $(FLEETS)  ## run the tests that need Ray or Spark; those of Spark are skipped without Java
	$(BIN)/python -m pytest tests/fleets tests/cli/test_rewrite_many_files.py tests/test_examples.py -k "ray or spark"

check: $(DEVELOPMENT)   ## what CI runs: lint, types, documentation, tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(MAKE) docs
	$(MAKE) test

fix: $(DEVELOPMENT)     ## format, and fix what the linter can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(DEVELOPMENT)    ## build the documentation site in site/
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

wheel: $(DEVELOPMENT)   ## build the wheel in dist/
	rm -rf dist
	$(BIN)/python -m build --outdir dist .

wheel-test: wheel       ## run README's commands and the examples with the wheel, in a separate environment
	$(PYTHON) -m venv --clear build/wheel-test
	build/wheel-test/bin/python -m pip install --quiet "$$(echo dist/*.whl)[metrics,labels]" hypothesis pytest pytest-socket
	build/wheel-test/bin/python -m pytest tests/test_readme.py tests/test_examples.py tests/cli/test_app.py tests/cli/test_compare.py tests/cli/test_convert.py tests/cli/test_evaluate.py tests/cli/test_label.py tests/cli/test_rules.py

model-en model-zh: $(DEVELOPMENT)  ## make a bundled model from corpora and an encoder: DATA=... ENCODERS=...; see recipes/models.mk
	$(MAKE) -f recipes/models.mk $@ PYTHON=$(BIN)/python UTTERLY=$(BIN)/utterly

clean:
	rm -rf $(VENV) build dist site .mypy_cache .ruff_cache .pytest_cache .hypothesis
