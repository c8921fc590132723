# make run    the app, in a virtual environment of its own
# make test   every test, with a browser; also lint
# make bench  the benchmarks
PYTHON ?= python3
PORT ?= 8501
VENV := .venv
BIN := $(VENV)/bin
# One try a package index: where one cannot be reached, the others have what is needed.
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --retries 1

.PHONY: run test lint bench clean

run: $(VENV)/.app
	$(BIN)/streamlit run app.py --server.port $(PORT)

# Without a screen on every core, then in two browsers, each with a server of its own.
test: $(VENV)/.tests lint
	$(BIN)/python -m pytest tests --ignore tests/browser -n auto
	$(BIN)/python -m pytest tests/browser -n 2 --dist loadfile

lint: $(VENV)/.tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

bench: $(VENV)/.tests
	$(BIN)/python -m benchmarks

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

$(VENV)/.tests: tests/requirements.txt $(VENV)/.app
	$(PIP) -r tests/requirements.txt
	$(BIN)/python -m tests.browser.chromium
	@touch $@
