# On a machine with Python 3.11 and make: `make synth` runs the main job, `make test` runs the tests.
# Everything else is fetched into .venv/ and node_modules/, pinned by hash, and only once.

PYTHON ?= python3
VENV := .venv/bin

export PATH := $(CURDIR)/.venv/bin:$(CURDIR)/node_modules/.bin:$(PATH)
export AWS_EC2_METADATA_DISABLED := true
export CDK_DISABLE_CLI_TELEMETRY := true
export CDK_DISABLE_VERSION_CHECK := true

.DELETE_ON_ERROR:
.PHONY: help setup synth test check format bench wheel lock clean

help: ## list the targets
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' Makefile

setup: .venv/installed node_modules/installed ## fetch and install the tools

synth: setup ## synthesize the example app and evaluate it on its trace
	cdk synth --quiet

test: setup ## run all tests
	$(VENV)/python -m pytest

check: setup ## lint, formatting, types
	$(VENV)/ruff check
	$(VENV)/ruff format --check
	$(VENV)/mypy
	pyright

format: setup ## format, and fix what can be fixed safely
	$(VENV)/ruff format
	$(VENV)/ruff check --fix

bench: setup ## measure speed and memory; takes minutes
	$(VENV)/python -m benchmarks

wheel: .venv/installed ## build the distributions into dist/
	rm -rf dist
	$(VENV)/python -m hatchling build --directory dist

lock: ## pin the newest versions anew; needs uv
	@command -v uv >/dev/null || { echo "make lock needs uv; install it with 'pipx install uv'" >&2; exit 1; }
	$(LOCK) --output-file requirements/dev.txt --group dev
	$(LOCK) --output-file requirements/test.txt --group test --constraints requirements/dev.txt
	$(LOCK) --output-file requirements/runtime.txt --constraints requirements/dev.txt

clean: ## remove everything that was made here
	rm -rf .venv node_modules build cdk.out dist .hypothesis .mypy_cache .pytest_cache .ruff_cache

LOCK = uv pip compile pyproject.toml --quiet --upgrade --universal --generate-hashes --no-header --no-annotate

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "'$(PYTHON)' is no Python 3.11 or newer; name one, such as 'make PYTHON=python3.11 $(MAKECMDGOALS)'" >&2; exit 1; }
	$(PYTHON) -m venv .venv

.venv/requirements: requirements/dev.txt | .venv/bin/python
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --no-compile --only-binary :all: \
		--require-hashes --requirement requirements/dev.txt
	@touch $@

.venv/installed: pyproject.toml .venv/requirements
	$(VENV)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

node_modules/installed: package.json package-lock.json .npmrc | .venv/requirements
	npm ci --silent
	@touch $@
