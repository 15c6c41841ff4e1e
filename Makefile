# make plan   solve the bundled scenario, print the answer, write the workbook to out/justification.xlsx
# make test   install the test tools, run every check and every test
# make app    open the app on this machine only
# make clean  remove what these wrote: the virtual environment, out/ and build folders
#
# PYTHON=python3.12 picks the interpreter of the virtual environment; HWCOST_LANG=zh or en picks the language.
PYTHON ?= python3
HWCOST_LANG ?=
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TESTABLE := $(VENV)/.testable
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
SPEAK := $(if $(HWCOST_LANG),--lang $(HWCOST_LANG))

.PHONY: plan test app clean

plan: $(INSTALLED)
	@mkdir -p out
	$(BIN)/hwcost plan --xlsx out/justification.xlsx $(SPEAK)

test: $(TESTABLE)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pytest -n auto

app: $(INSTALLED)
	$(BIN)/hwcost app $(SPEAK)

# The marks are written last, so that an installation that was interrupted is done again.
$(INSTALLED): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(0 if sys.version_info >= (3, 11) else "hwcost needs Python 3.11 or newer. If you have one: make $(MAKECMDGOALS) PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(PIP) --editable .
	@touch $@

$(TESTABLE): $(INSTALLED)
	$(PIP) --editable '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) out build dist *.egg-info
