# A new machine needs only Python 3.11 or later and make: `make run` and `make test` install the rest.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
CLIENT := clients/typescript
PROCESSES ?= logical
PARALLEL := --numprocesses $(PROCESSES) --dist loadgroup --no-loadscope-reorder
PYTEST := $(BIN)/pytest $(PARALLEL)

.DEFAULT_GOAL := help
.PHONY: run test test-unit test-all check dev bench help coverage kernels \
  locked deployment style types imports dead-code plain-words translations docs hooks \
  chaos load backup words lock client dist train font clean chromium libfaketime npm-packages

run: $(VENV)/.run ## Install the requirements and start the whole system
	@echo "Starting Tilework"
	@$(BIN)/tilework up

test: $(VENV)/.test chromium kernels ## Run the unit, integration and smoke tests, after installing their requirements
	$(PYTEST) tests/unit tests/integration tests/system/smoke

test-unit: $(VENV)/.test kernels ## Run the tests that need no server, process or browser
	$(PYTEST) tests/unit

test-all: $(VENV)/.test chromium libfaketime npm-packages kernels ## Run all tests, including those of whole systems and whole state spaces
	$(PYTEST)

check: locked deployment style types imports dead-code plain-words translations docs ## Check the lock files, manifests, style, types, imports, dead code, words, translations and docs

dev: $(VENV)/.dev ## Start a local system with automatic reload and debug pages
	@$(BIN)/python -m tools.devtools.live_system

bench: $(VENV)/.test ## Measure the figures of docs/performance.md that take minutes
	$(BIN)/python -m tools.benchmarks

help: ## List these; CONTRIBUTING.md has the rarer ones
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Tests.

coverage: $(VENV)/.test chromium libfaketime npm-packages kernels
	@rm -f .coverage .coverage.*
	TILEWORK_ROOT=$(CURDIR) $(BIN)/coverage run -m pytest $(PARALLEL) --timeout 900; code=$$?; \
	TILEWORK_ROOT=$(CURDIR) $(BIN)/coverage combine --quiet && \
	TILEWORK_ROOT=$(CURDIR) $(BIN)/coverage report --skip-covered; exit $$code

kernels: $(VENV)/.test
	@$(BIN)/python -m tools.devtools.compile_kernels

CHAOS ?=

chaos: $(VENV)/.test libfaketime
	$(BIN)/python -m tools.chaos $(CHAOS)

LOAD ?=

load: $(VENV)/.test
	$(BIN)/python -m tools.benchmarks load $(LOAD)

# The database of docker-compose.yml; docs/operations.md says how to restore it.
backup:
	@file=tilework-$$(date -u +%Y%m%dT%H%M%SZ).dump; \
	docker compose exec -T database pg_dump --username=tilework --format=custom tilework > $$file.part \
	  && mv $$file.part $$file && echo "$$file written" || { rm -f $$file.part; exit 1; }

# Parts of `make check`.

locked: $(VENV)/.dev
	$(BIN)/python -m tools.devtools.lock --check

deployment: $(VENV)/.dev
	$(BIN)/pytest -q tests/unit/deploy

style: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.dev
	$(BIN)/mypy

imports: $(VENV)/.dev
	$(BIN)/lint-imports

dead-code: $(VENV)/.dev
	$(BIN)/vulture

plain-words: $(VENV)/.dev
	$(BIN)/python -m tools.devtools.plain_words

translations: $(VENV)/.dev
	$(BIN)/pytest -q tests/unit/translations/test_translations.py

docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

hooks: $(VENV)/.dev
	$(BIN)/pre-commit install

# Files that are made from others: catalogues, lock files, the TypeScript client, archives, weights.

# The first argument of errors and messages is their code; the template follows it.
MESSAGES := -k Message:2 -k plural:2,3 -k Problem:3 -k AlgorithmFacts:1 -k HeuristicFacts:1 -k CodeLine:1 -k Subcommand:2 -k gettext_noop -k say_words \
  $(shell sed -n 's/^class \([A-Za-z]*\).*/-k \1:2/p' core/errors.py)
EXTRACT  := pybabel -q extract $(MESSAGES) --no-location --sort-output --width 100
UPDATE   := pybabel -q update --width 100 --locale pt --no-fuzzy-matching --ignore-obsolete

words: $(VENV)/.test
	@for package in core web; do \
	  case $$package in core) folders="core worker tilework" ;; web) folders=web ;; esac; \
	  $(BIN)/$(EXTRACT) -k lazy_gettext -F $$package/translations/babel.cfg -o $$package.pot $$folders && \
	  $(BIN)/$(UPDATE) -i $$package.pot -d $$package/translations && rm $$package.pot && \
	  $(BIN)/pybabel -q compile --locale pt -d $$package/translations || exit; \
	done

UPGRADE ?=

lock: $(VENV)/.dev
	$(BIN)/python -m tools.devtools.lock $(UPGRADE)

client: $(VENV)/.test npm-packages
	$(BIN)/python -m tools.devtools.typescript_types
	@mkdir -p dist
	cd $(CLIENT) && npm pack --silent --pack-destination $(CURDIR)/dist

dist: $(VENV)/.dev
	rm -rf dist
	$(BIN)/python -m hatchling build

train: $(VENV)/.training
	$(BIN)/python -m tools.training
	$(BIN)/python -m tools.training.digits

font: $(VENV)/.test
	$(BIN)/python -m tools.devtools.display_font

clean:
	rm -rf $(VENV) $(CLIENT)/node_modules

# What the targets above need.

# Installing the checkout compiles its translations. The lock file also contains what that needs, so
# nothing else is downloaded.
TRANSLATIONS := $(wildcard */translations/*/LC_MESSAGES/*.po)

$(patsubst %,$(VENV)/.%,run tracing test dev training): $(VENV)/.%: requirements/%.txt pyproject.toml hatch_build.py $(TRANSLATIONS)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "Tilework needs Python 3.11 or later; try: make PYTHON=python3.12"; exit 2; }
	@$(PYTHON) tools/devtools/install.py $<
	@touch $@

# Requirements of the tests that are not Python packages: a browser, libfaketime for clock faults,
# and the packages of the TypeScript client.
chromium:
	@command -v chromium >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    apt-get update -qq && apt-get install -qq -y chromium >/dev/null; } || \
	  { echo "The browser tests need Chromium: sudo apt-get install chromium"; exit 2; }

libfaketime:
	@[ -n "$$(find /usr/lib /usr/lib64 /usr/local/lib -path '*/faketime/libfaketime.so.1' \
	    -print -quit 2>/dev/null)" ] || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    apt-get update -qq && apt-get install -qq -y libfaketime >/dev/null; } || \
	  { echo "The random faults need libfaketime: sudo apt-get install libfaketime"; exit 2; }

npm-packages: $(CLIENT)/node_modules/.installed

$(CLIENT)/node_modules/.installed: $(CLIENT)/package.json $(CLIENT)/package-lock.json
	@command -v npm >/dev/null || \
	  { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
	    apt-get update -qq && apt-get install -qq -y nodejs npm >/dev/null; } || \
	  { echo "The TypeScript client needs Node.js: sudo apt-get install nodejs npm"; exit 2; }
	npm ci --prefix $(CLIENT) --no-audit --no-fund --loglevel error
	@touch $@
