# Choirbook. `make play` runs it, `make test` tests it.
SHELL := /bin/sh
.DEFAULT_GOAL := play
.NOTPARALLEL:
.PHONY: play test test-fast test-long fuzz lint audit lock messages screenshots bench crash load bench-live admin-password clean environment environment-dev

PORT ?= 8000
HOST ?= 0.0.0.0
python := .venv/bin/python

play: environment  ## run Choirbook on this network; PORT=8001 for another port
	@$(python) manage.py collectstatic --noinput --verbosity 0
	@exec $(python) manage.py gamenight --host $(HOST) --port $(PORT)

test: environment-dev  ## all tests, on SQLite and PostgreSQL, and in a browser
	@tools/test.sh

test-fast: environment-dev  ## the rules, and everything on SQLite
	@tools/test.sh fast

test-long: environment-dev  ## also the browser over every page, on both databases
	@tools/test.sh long

fuzz: environment-dev  ## 10,000 files that are a little wrong, imported; MANY=500 for another number
	@CHOIRBOOK_MUTATIONS=$${MANY-10000} $(python) -m pytest -n 2 -rP tests/campaign/imports/test_fuzz.py

lint: environment-dev  ## format, lint, layers, templates, migrations
	@tools/lint.sh

audit: environment-dev  ## known holes in the pinned packages; needs the internet
	@$(python) -m tools.audit

lock: environment-dev  ## pin the dependencies of pyproject.toml again, with hashes
	@tools/lock.sh

messages: environment-dev  ## bring the translations up to the texts, and compile them
	@$(python) -m tools.messages $(LANGUAGE)

screenshots: environment-dev  ## pictures of the pages into docs/img/
	@CHROMIUM="$$(tools/chromium.sh)" $(python) -m tools.screenshots

bench: environment-dev  ## how quick everything is, beside what it is compared with
	@CHROMIUM="$$(tools/chromium.sh)" $(python) -m bench

crash: environment-dev  ## kills, power cuts, a full and a locked database, load: the long run
	@$(python) -m tests.crash

load: environment-dev  ## 8 writers and 20 readers at once, on both databases
	@$(python) -m tests.crash --only load

bench-live: environment-dev  ## how long until the other phones show a tap
	@$(python) -m bench.live

admin-password: environment  ## set and print a new password for /admin/
	@$(python) manage.py admin_password

clean:  ## remove what can be made again; the data in var/ stays
	rm -rf .venv .pytest_cache .ruff_cache .hypothesis test-results var/static
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

environment:
	@tools/environment.sh requirements.txt

environment-dev:
	@tools/environment.sh requirements-dev.txt
