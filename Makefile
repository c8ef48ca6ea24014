# redraft: `make demo` draws something, `make test` proves that it works.

.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: help setup demo test check format lint types quick pythons bench docs clean

help: ## This list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

setup: $(READY) ## Make .venv with everything that the studios and the tests need

$(READY): pyproject.toml uv.lock scripts/setup.sh scripts/uv.txt
	@sh scripts/setup.sh $(VENV)
	@touch $(READY)

demo: setup ## Draw a sentence with the built-in offline model: no key, no network
	@$(BIN)/redraft sketch "a house with two windows and a door, a tree to its left, the sun above"
	@echo "next: . $(BIN)/activate    # then redraft is a command: redraft view, redraft sketch \"…\""

test: setup ## All tests, against the real parts
	@sh scripts/real_parts.sh
	@$(BIN)/pytest -n 2 --dist loadfile -m "not timed"
	@$(BIN)/pytest -m timed  # one at a time: what they wait for comes late on a busy machine

check: setup format lint ## Format, lint, types of the sources and the quick tests, in about two minutes
	@$(MAKE) --no-print-directory -j2 types quick TYPED=src

format:
	@$(BIN)/ruff format --check .

lint:
	@$(BIN)/ruff check .
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.dependabot .github/dependabot.yml
	@$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-issue-forms $(filter-out %/config.yml,$(wildcard .github/ISSUE_TEMPLATE/*.yml))
	@$(BIN)/hadolint Containerfile

types:
	@$(BIN)/pyright $(TYPED)

quick: # files that are slow as a whole are not even collected
	@$(BIN)/pytest -q -n 2 -m "not slow and not real and not timed" --hypothesis-profile quick \
		$$(grep -rlE "^pytestmark = .*mark\.(slow|real)" tests | sed 's/^/--ignore=/')

pythons: setup ## The quick tests on Python 3.12 and 3.13, found by pyenv or uv
	@for version in 3.12 3.13; do \
		echo "== Python $$version"; \
		python=$$(ls "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$version.*/bin/python$$version 2>/dev/null | tail -n 1); \
		UV_PROJECT_ENVIRONMENT=$(VENV)/python$$version $(BIN)/uv sync --quiet --frozen --all-extras --no-extra lpips \
			--python "$${python:-$$version}" && \
		$(MAKE) --no-print-directory quick VENV=$(VENV)/python$$version || exit 1; \
	done

BENCHMARKS := cold_start decoupling loop_overhead rules_precision rules_recall rules_speed solver validity nsr1k actions views boards boards_saves placement precision shader_speed shader_target glsl_errors fix_lookup scene_speed bpy_errors variety idea_selection fuzz view telemetry batch throughput kills

bench: setup ## The benchmarks behind the figures in the documentation
	@for name in $(BENCHMARKS); do echo "== $$name"; $(BIN)/python benchmarks/$$name.py || echo "(an aim was missed)"; done

docs: setup ## The documentation as a site, in site/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict && echo "site/index.html"

clean: ## Remove .venv and caches, never runs
	@rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis
