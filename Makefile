# make run starts a shop with demo data, make dev the same to work on, make test proves the checkout. Each brings what it needs.
SHELL := bash
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Where the machine forbids bytecode, every process of the suite would compile the product anew.
export PYTHONDONTWRITEBYTECODE :=
# Runs a Python module on a temporary PostgreSQL and Redis.
ON_SERVERS := infra/setup/on-servers.sh

.PHONY: run dev cluster demo pictures look test without-browser check check-python check-web unit web-unit e2e contract docs licenses format fuzz mutants bench-live bench-opening bench-catalogs bench-operations bench-scale bench-figures bench-calls bench-amplification bench-cluster bench-board bench-grid bench-floor bench-stations bench-search bench-pages lock setup setup-unit

run:
	@infra/setup/ensure.sh run
	@infra/setup/run.sh

# Server with autoreload, worker, and web client with hot reload, on one address. PORT: another than 5173.
dev:
	@infra/setup/ensure.sh code
	@infra/setup/dev.sh

# A whole installation on this machine, for tests and benchmarks. PORT: of nginx.
cluster: setup
	infra/chaos/cluster.sh

setup:
	@infra/setup/ensure.sh dev

setup-unit:
	@infra/setup/ensure.sh unit

# What depends on the sources alone is not done again for the same sources on other servers.
test: setup
	@infra/setup/once.sh check $(MAKE) --no-print-directory check
	@infra/setup/walk.sh

without-browser:
	@infra/setup/once.sh web-unit $(MAKE) --no-print-directory web-unit
	@$(MAKE) --no-print-directory unit

check: setup
	@$(MAKE) --no-print-directory -j2 --output-sync=target check-python check-web

check-python:
	ruff format --check .
	ruff check .
	mypy
	cd infra/bench && PYTHONPATH=../.. MYPYPATH=../..:.:../chaos mypy --config-file ../../pyproject.toml *.py live/*.py movement_log/*.py
	cd infra/chaos && PYTHONPATH=../.. MYPYPATH=../..:.:../bench mypy --config-file ../../pyproject.toml *.py
	lint-imports
	infra/setup/contract-drift.sh
	python manage.py lintmigrations

check-web:
	cd web && npm run --silent check

# ONE: a file, a folder or a test, with options of pytest: in one process, and without a build of the web client.
unit: $(if $(ONE),setup-unit,setup)
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) pytest $(if $(ONE),-n 0 $(ONE),-n 2 --dist worksteal $(UNIT))

# ONE: a file or a folder of the web client, as src/live.
web-unit: $(if $(ONE),setup-unit,setup)
	cd web && npm run --silent test -- $(ONE)

# PROJECT: screens or servers; all journeys without it. PART: 1/2 or 2/2 of the journeys that depend on the client alone;
# all of them without it.
e2e: setup
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) E2E_PART=$(PART) npm --prefix web run --silent e2e -- $(PROJECT:%=--project=%)

# The reference pages of infra/docs, from the API, the event types, the headers of answers and the imports.
docs: setup
	python manage.py export_docs
	python infra/setup/architecture.py

# The client's types, from the API and the event types.
contract: setup
	python manage.py export_contract web/src/contract
	cd web && npm run --silent contract

demo: setup
	python manage.py migrate --verbosity 0
	python manage.py demo

# The README's pictures, of a demo workshop of their own, in the morning.
pictures: setup
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) infra/setup/demo.sh infra/docs/pictures.mjs

# Every page at every size, in both languages and themes. LOOK_SIZES: some widths (390,1920); LOOK_PATHS: some pages (a
# regular expression); LOOK_PICTURES: a folder for pictures of them.
look: setup
	infra/setup/demo.sh tests/look/look.mjs

# Every operation of the API with good and bad data, and sequences of them, as five callers, on servers of its own.
# SEED: that of an earlier run. FUZZ_SECONDS: for each caller. CALLERS: some of them (nobody,display).
fuzz: setup
	SEED=$(SEED) FUZZ_SECONDS=$(FUZZ_SECONDS) CALLERS="$(CALLERS)" $(ON_SERVERS) tests.fuzz

# Makes small changes in rules, guards, money and the mask, one at a time: do the tests notice?
mutants: setup
	python tests/mutants.py

format: setup
	ruff format .
	ruff check --fix .
	cd web && npm run --silent format

# Measures, never judges: infra/docs/measurements.md has the last figures.
bench-live: setup
	infra/bench/run.sh

# How long sockets take to open.
bench-opening: setup
	infra/bench/live/opening.sh

# FILE: the tariff list to import; one is made up without it.
bench-catalogs: setup
	infra/bench/catalogs.sh $(FILE)

# Work sheets and alerts.
bench-operations: setup
	infra/bench/operations.sh

# Lists and reports at 10,000, 100,000 and 1,000,000 lines. LINES: stop at so many.
bench-scale: setup
	infra/bench/scale.sh $(LINES)

# A movement log replayed, and its figures compared with those of the log alone. FILE: the log.
bench-figures: setup
	infra/bench/figures.sh $(FILE)

# What each kind of call costs the server. BASE: a git revision to measure beside this checkout.
bench-calls: setup
	infra/bench/calls.sh $(BASE)

# What open screens ask while lines move. BASE: a git revision to measure beside this checkout.
bench-amplification: setup
	infra/bench/amplification.sh $(BASE)

# Live screens, reconnects and writers on the cluster, beside what they are held against. CLUSTER_SCREENS=50
# CLUSTER_SECONDS=5 and the like: less of it.
bench-cluster: setup
	infra/bench/cluster.sh

# What a board on a wall takes of the machine. BOARD_SECONDS: how long to measure.
bench-board: setup
	infra/bench/board.sh

# An order of 200 lines pasted into its grid, written in and saved.
bench-grid: setup
	infra/bench/grid.sh

# A press at a station until it is seen, and what a board takes. FLOOR_PRESSES: how many; BOARD_SECONDS: as above.
bench-floor: setup
	infra/bench/floor.sh

# A movement log pressed at stations that lose the network in turns. FILE: the log. ROWS: its first ones only.
bench-stations: setup
	infra/bench/stations.sh $(FILE) $(ROWS)

# The search that goes anywhere, among 100,000 orders.
bench-search: setup
	infra/bench/search.sh

# When the sign-in stands on a slow machine, and how far the parts of each page jump while it loads.
bench-pages: setup
	infra/setup/demo.sh infra/bench/pages.mjs

# Newer versions within infra/requirements/*.in.
lock: setup
	infra/setup/lock.sh

# The licences of what is shipped, from the packages that the locks name and that are installed.
licenses: setup
	python infra/setup/licenses.py
