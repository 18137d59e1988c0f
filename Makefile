# `make demo` and `make test` do their whole set-up: a private environment from a package registry.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
DOCS ?= examples/documents

.PHONY: demo test quick check check-real lock clean

$(STAMP): pyproject.toml requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "cytat needs Python 3.11 or newer; name one with: make PYTHON=python3.11" >&2; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  { echo "no venv module: apt-get install python3-venv" >&2; exit 1; }
	@echo "installing into $(VENV): about 0.5 GB, a minute or two" >&2
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@$(BIN)/cytat models | grep -q '^e5-small *verified' || $(BIN)/cytat models get e5-small
	@touch $@

demo: $(STAMP)  ## index a folder (DOCS=~/papers for your own) and ask it questions
	$(BIN)/cytat demo "$(DOCS)"

check: $(STAMP)  ## format, lint, types
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/mypy

test: check quick  ## everything that runs offline

quick: $(STAMP)  ## the tests alone; with VENV=.venv-3.13 PYTHON=python3.13 those of another Python
	$(BIN)/pytest -m "not slow"

check-real: $(STAMP)  ## slower checks against real components
	$(BIN)/pytest -m slow

lock: pyproject.toml  ## pin the whole tree with hashes (needs uv)
	uv pip compile pyproject.toml --all-extras --group dev --generate-hashes --no-header \
	  --no-annotate --python-version 3.11 --universal --quiet -o requirements.lock

clean:
	rm -rf $(VENV) .venv-* .pytest_cache .mypy_cache .ruff_cache .hypothesis
