# Croupier's one task file: people and CI both call it.

MAKEFLAGS += --no-print-directory
# Python keeps what it compiled, whatever the environment says: tests start it hundreds of times.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
# What is set up, each on top of the one before: playing, everything optional, testing and building.
READY := .venv/ready
EXTRAS := .venv/extras
TOOLS := .venv/tools

# The first Python in PATH that is new enough and can make a virtual environment.
SUITABLE := -c 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null
PYTHON ?= $(shell for python in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$python $(SUITABLE) && echo $$python && exit; done; echo python3)

.PHONY: help play demo extras check test lint prove mutants soak bench golden trace solutions pages site pins \
	clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' Makefile

play: $(READY)  ## play at a practice table in the browser; without a keyboard, one example round
	@if [ ! -t 0 ]; then $(BIN)/croupier play --terminal --example; \
	elif $(BIN)/python -c 'import webbrowser; webbrowser.get()' 2>/dev/null; \
	then $(BIN)/croupier play; else $(BIN)/croupier play --terminal; fi
	@echo "More: .venv/bin/croupier --help (or: source .venv/bin/activate, then croupier)"

demo: $(TOOLS)  ## build a table for browsers without an install, a static folder, into build/demo
	@$(BIN)/python -m website.demo

extras: $(EXTRAS)  ## add what is optional to .venv: simulation, documents, PostgreSQL, cluster

# Between two thoughts: no types, no complete lists, ten examples of each property.
CHECKED := tests/facts tests/submission tests/table tests/test_house_rules.py
UNCHECKED := tests/table/test_properties.py::test_walks_come_through_most_parts_of_a_table
check: $(TOOLS)  ## check engine, settlement, style and format; a minute, once the tools are there
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/pytest -q -n 2 --dist worksteal --hypothesis-profile quick $(CHECKED) \
		$(UNCHECKED:%=--deselect %)

# A test that hangs says where and fails: it never holds up the run.
STUCK_S := 300
test: $(TOOLS)  ## run the tests; minutes
	@$(BIN)/pytest -n 3 --dist worksteal \
		-o faulthandler_timeout=$(STUCK_S) -o faulthandler_exit_on_timeout=true

NODE := $(shell command -v npm)
WITHOUT_NODE := $(if $(CI),echo "The pages' JavaScript is checked with Node: install it."; exit 1,\
	echo "Without Node the types of the pages' JavaScript are not checked.")
lint: $(TOOLS) $(if $(NODE),build/node/ready)  ## check style, format and types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(if $(NODE),build/node/node_modules/.bin/tsc,$(WITHOUT_NODE))

prove: $(TOOLS)  ## run the long proofs: complete enumerations, long random comparisons
	@$(BIN)/pytest -n 3 --dist worksteal -m "prove or hypothesis" --hypothesis-profile thorough

mutants: $(TOOLS)  ## break every enforced clause and see a test fail; CLAUSE="UTH-S 11.A" for one
	@$(BIN)/python -m tests.mutants $(if $(CLAUSE),--clause "$(CLAUSE)")

soak: $(TOOLS)  ## look for faults of the pit for HOURS=1, with new seeds, on one core
	@nice $(BIN)/python -m soak --hours $(or $(HOURS),1) --report docs/soak.md

bench: .venv/measured  ## measure speed, in one table; under ten minutes
	@$(BIN)/python -m bench

golden: $(TOOLS)  ## write the golden rounds anew
	@$(BIN)/python -m tests.golden

trace: $(TOOLS)  ## write the tests that cite each clause into the traceability lists
	@$(BIN)/python -m tests.trace

solutions: $(TOOLS)  ## count the shipped rules and keep their solutions in the package; a minute
	@$(BIN)/python -m tests.shipped_solutions

pages: $(TOOLS)  ## write what the program says of itself into the docs, and the pages' types
	@$(BIN)/python -m tests.help_pages
	@$(BIN)/python -m website.third_parties
	@$(BIN)/python -m tests.page_types

site: $(TOOLS) demo  ## build the docs site, strictly, with the demo in it, into build/site
	@$(BIN)/mkdocs build --quiet

pins: UV := build/pins/bin/uv
pins: COMPILE = $(UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --custom-compile-command 'make pins' $(if $(UPGRADE),--upgrade)
pins:  ## pin the requirements, with hashes; UPGRADE=1 takes the newest releases
	@$(PYTHON) -m venv build/pins
	@build/pins/bin/pip install --quiet --disable-pip-version-check uv==0.13.7
	@$(COMPILE) pyproject.toml --output-file requirements/run.txt
	@$(COMPILE) requirements/build.in --constraint requirements/run.txt \
		--output-file requirements/build.txt
	@$(COMPILE) pyproject.toml --all-extras --constraint requirements/run.txt \
		--output-file requirements/extras.txt
	@$(COMPILE) pyproject.toml --all-extras requirements/build.in requirements/dev.in \
		--constraint requirements/extras.txt --constraint requirements/build.txt \
		--output-file requirements/dev.txt
	@$(COMPILE) requirements/bench.in --constraint requirements/dev.txt \
		--output-file requirements/bench.txt

clean:  ## remove everything that make made
	@rm -rf .venv build dist .pytest_cache .hypothesis .mypy_cache .ruff_cache
	@find . -name __pycache__ -prune -exec rm -rf {} +

# Wheels only, so that nothing without a pinned hash ever runs.
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL_PINNED := $(INSTALL) --only-binary :all: --require-hashes

.venv/pinned: requirements/run.txt requirements/build.txt
	@$(PYTHON) $(SUITABLE) || { \
		echo "Croupier needs Python 3.11 or newer with venv: install it, or name it (make PYTHON=...)."; \
		exit 1; }
	@echo "Setting up .venv with $$($(PYTHON) --version); once, a minute or so and 200 MB"
	@$(PYTHON) -m venv --clear .venv
	@echo "  installing what Croupier runs on"
	@$(INSTALL_PINNED) -r requirements/run.txt -r requirements/build.txt
	@touch $@

$(READY): .venv/pinned pyproject.toml
	@echo "  installing Croupier itself"
	@$(INSTALL) --no-deps --no-build-isolation --check-build-dependencies --editable .
	@touch $@

$(EXTRAS): $(READY) requirements/extras.txt
	@echo "  installing what is optional"
	@$(INSTALL_PINNED) -r requirements/extras.txt
	@touch $@

$(TOOLS): $(READY) requirements/dev.txt
	@echo "  installing what tests and builds it; a minute or two"
	@$(INSTALL_PINNED) -r requirements/dev.txt
	@touch $@

# Node checks the types of the pages' JavaScript, and does nothing else; npm refuses another hash.
build/node/ready: requirements/node/package.json requirements/node/package-lock.json
	@mkdir -p build/node
	@cp requirements/node/*.json build/node
	@npm ci --prefix build/node --ignore-scripts --no-audit --no-fund --silent
	@touch $@

.venv/measured: $(TOOLS) requirements/bench.txt
	@echo "  installing what Croupier is measured against"
	@$(INSTALL_PINNED) -r requirements/bench.txt
	@touch $@
