# make plan   solve the bundled scenario, print the answer, write the workbook
# make test   install the test tools, run every check and every test
# make app    open the app on this machine only
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
LANGUAGE ?=

.PHONY: plan test app accuracy clean

$(BIN)/hwcost: requirements.txt pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "hwcost needs Python 3.11 or newer: make plan PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(BIN)/pytest: $(BIN)/hwcost
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[test]'
	@touch $@

plan: $(BIN)/hwcost
	@mkdir -p out
	$(BIN)/hwcost plan --xlsx out/justification.xlsx $(if $(LANGUAGE),--lang $(LANGUAGE))

test: $(BIN)/pytest
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

app: $(BIN)/hwcost
	$(BIN)/hwcost app

clean:
	rm -rf $(VENV) out build dist *.egg-info
