# make run starts a shop with demo data, make dev the same to work on, make test proves the checkout. Each brings what it needs.
SHELL := bash
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Where the machine forbids bytecode, every process of the suite would compile the product anew.
export PYTHONDONTWRITEBYTECODE :=
# Runs a Python module on a temporary PostgreSQL and Redis.
ON_SERVERS := infra/setup/on-servers.sh

.PHONY: run dev cluster demo pictures release look test test-servers check check-python check-web unit web-unit e2e contract docs licenses sbom format extra fuzz walk mutants check-bench check-manifests measurements backtest bench-live bench-sign-in bench-capacity bench-calls bench-amplification bench-pages bench-reload bench-scale bench-metal bench-forecasts bench-stations bench-pooled lock setup setup-unit setup-extra

run:
	@infra/setup/ensure.sh run
	@infra/setup/run.sh

# Server with autoreload, worker, and web client with hot reload, on one address. PORT: another than 5173.
dev:
	@infra/setup/ensure.sh code
	@infra/setup/dev.sh

# A whole installation on this machine. PORT: of nginx.
cluster: setup
	PROGRAMS=nginx $(ON_SERVERS) infra.chaos.cluster

setup:
	@infra/setup/ensure.sh dev

setup-unit:
	@infra/setup/ensure.sh unit

setup-extra:
	@infra/setup/ensure.sh extra

# The journeys, and beside them the tests that need no browser.
test: setup
	@$(MAKE) --no-print-directory check
	@infra/setup/walk.sh web-unit unit

# What PostgreSQL and Redis can change (tests/on_servers.py), on those that DATABASE_URL and REDIS_URL name.
test-servers: setup
	@UNIT=--servers PROJECT=servers infra/setup/walk.sh unit

check: setup
	@$(MAKE) --no-print-directory -j2 --output-sync=target check-python check-web

check-python:
	ruff format --check .
	ruff check .
	mypy
	lint-imports
	infra/setup/contract-drift.sh
	python manage.py lintmigrations

check-web:
	cd web && npm run --silent check

# The types of the programs that make test does not need: benchmarks, faults, fuzzing and mutants.
check-bench: setup-extra
	mypy -p infra.bench -p infra.backtest -p infra.chaos -p tests.fuzz -m tests.mutants

# The manifests of Kubernetes against its schemas and the rules of checkov.
check-manifests:
	infra/setup/manifests.sh

# ONE: a file, a folder or a test, with options of pytest: in one process, and without a build of the web client.
unit: $(if $(ONE),setup-unit,setup)
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) pytest $(if $(ONE),-n 0 $(ONE),-n 2 --dist worksteal $(UNIT))

# The tests that need an S3 service, Redis Sentinels or a fuzzer: a minute. ONE: one of them.
extra: setup-extra
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) pytest -n 2 $(or $(ONE),tests/extra)

# ONE: a file or a folder of the web client, as src/live.
web-unit: $(if $(ONE),setup-unit,setup)
	cd web && npm run --silent test -- $(ONE)

# PROJECT: screens or servers; all journeys without it.
e2e: setup
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) npm --prefix web run --silent e2e -- $(PROJECT:%=--project=%)

# The reference pages of infra/docs, from the API, the headers of answers and the imports.
docs: setup-unit
	python manage.py export_docs
	python infra/setup/architecture.py

# The contract of the API and of live events, the client's tables, and the client's types from both.
contract: setup-unit
	python manage.py export_contract
	node web/tools/openapi/generate.mjs

demo: setup
	python manage.py migrate --verbosity 0
	python manage.py demo

# The README's pictures and its film, of a demo workshop of their own, in the morning.
pictures: setup
	@PICTURES=$$(mktemp -d) && trap 'rm -rf "$$PICTURES"' EXIT && export PICTURES && \
	PLANT_TIME_ZONE=$$(infra/setup/plant.sh) infra/setup/demo.sh infra/docs/pictures.mjs && python infra/docs/pictures.py "$$PICTURES"
	@. infra/setup/lib.sh && . infra/setup/web.sh && web_sources >infra/docs/pictures.build

# Whether a release can be tagged: one version in all places, a heading in the changelog, and pictures of this client.
release: check
	@infra/setup/release.sh

# Every page at every size, in both languages and themes. LOOK_SIZES: some widths (390,1920); LOOK_PATHS: some pages (a
# regular expression); LOOK_PICTURES: a folder for pictures of them.
look: setup
	infra/setup/demo.sh tests/look/look.mjs

# Every operation of the API with good and bad data, and sequences of them, as five callers, on servers of its own.
# SEED: that of an earlier run. FUZZ_SECONDS: for each caller. CALLERS: some of them (nobody,display).
fuzz: setup-extra
	SEED=$(SEED) FUZZ_SECONDS=$(FUZZ_SECONDS) CALLERS="$(CALLERS)" $(ON_SERVERS) tests.fuzz

# 10,000 presses at random: do the records still follow from the movements? And four times 2,000: does each account of
# metal hold what a count would find? On the database that DATABASE_URL names.
walk: setup-unit
	OBRADOR_PROPERTY_STEPS=10000 pytest -n 0 -o faulthandler_timeout=0 tests/property/test_records_follow_movements.py
	OBRADOR_PROPERTY_STEPS=2000 pytest -n 0 -o faulthandler_timeout=0 tests/property/test_true_weights.py

# Makes small changes in rules, guards, money and the mask, one at a time: do the tests notice?
mutants: setup-extra
	python tests/mutants.py

format: setup
	ruff format .
	ruff check --fix .
	cd web && npm run --silent format

# Runs the benchmarks one after the other and writes infra/docs/measurements.md. ONLY: some of them (live,calls). FILE: a
# movement log, without which the backtest and the stations are left out.
measurements: setup
	ONLY=$(ONLY) FILE=$(FILE) python -m infra.bench.measurements

# How often forecasts would have come true on a movement log, beside base rates. LOG: the log.
backtest: setup-unit
	@. infra/setup/lib.sh; check_log "$(LOG)"
	@python -m infra.backtest "$(LOG)"

# Live delivery beside a raw Node broadcaster. LIVE_SOCKETS, LIVE_RATE, LIVE_SECONDS, LIVE_RUNS: less of it.
bench-live: setup
	$(ON_SERVERS) infra.bench live

# The time of a refused sign-in, by its reason.
bench-sign-in: setup
	$(ON_SERVERS) infra.bench sign-in

# What an installation takes at rest, and the bytes of its rows: infra/docs/capacity.md. FILE: a movement log.
bench-capacity: setup
	$(ON_SERVERS) infra.bench capacity $(FILE)

# What each kind of call costs the server. BASE: a git revision to measure beside this checkout.
bench-calls: setup
	$(ON_SERVERS) infra.bench calls $(BASE)

# What open screens ask while lines move. BASE: a git revision to measure beside this checkout.
bench-amplification: setup
	$(ON_SERVERS) infra.bench amplification $(BASE)

# The largest paint of the sign-in and of a customer's page on a slow machine, and how far the parts of each page jump while it loads.
bench-pages: setup
	infra/setup/demo.sh infra/bench/pages.mjs

# From a reload of the list of lines to its rows, over three networks, and the requests of a first and of a later visit.
bench-reload: setup
	infra/setup/demo.sh infra/bench/reload.mjs

# Lists and reports at 10,000, 100,000 and 1,000,000 lines. LINES: stop at so many.
bench-scale: setup
	$(ON_SERVERS) infra.bench scale $(LINES)

# The page of balances at 10,000 and 1,000,000 entries of metal, and the closing of 100 people's day. ENTRIES: stop at so
# many.
bench-metal: setup
	$(ON_SERVERS) infra.bench metal $(ENTRIES)

# The forecasts of 500 open lines, and the list of lines while they are made.
bench-forecasts: setup
	$(ON_SERVERS) infra.bench forecasts

# A movement log played over HTTP, then pressed at stations that lose the network in turns. FILE: the log. ROWS: its first
# ones only.
bench-stations: setup
	@. infra/setup/lib.sh; check_log "$(FILE)"
	$(ON_SERVERS) infra.bench stations $(FILE) $(ROWS)

# A movement log played straight and through PgBouncer, and PostgreSQL's sessions meanwhile. FILE: the log. ROWS: its first
# ones only.
bench-pooled: setup
	@. infra/setup/lib.sh; check_log "$(FILE)"
	PROGRAMS=pgbouncer $(ON_SERVERS) infra.bench pooled $(FILE) $(ROWS)

# Newer versions within the bounds of pyproject.toml.
lock: setup
	infra/setup/lock.sh

# What the product consists of, as CycloneDX: var/sbom/python.json and var/sbom/web.json.
sbom: setup-extra
	infra/setup/sbom.sh

# The licences of what is shipped, from the packages that the locks name and that are installed.
licenses: setup
	python infra/setup/licenses.py
