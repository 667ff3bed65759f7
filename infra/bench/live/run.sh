#!/usr/bin/env bash
# Live delivery beside the raw broadcaster, on a PostgreSQL and a Redis of their own. LIVE_SOCKETS, LIVE_RATE,
# LIVE_SECONDS and LIVE_RUNS change how many, how fast, how long and how often.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. infra/setup/lib.sh
. infra/setup/servers.sh

measure_on_own_servers
(cd infra/bench/live && npm ci --silent)
python infra/bench/live/run.py
