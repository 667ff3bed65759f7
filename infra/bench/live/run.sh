#!/usr/bin/env bash
# Live delivery beside the raw broadcaster, on a PostgreSQL and a Redis of their own. LIVE_SOCKETS, LIVE_RATE,
# LIVE_SECONDS and LIVE_RUNS change how many, how fast, how long and how often.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH=$PWD DJANGO_SETTINGS_MODULE=project.settings

(cd infra/bench/live && npm ci --silent)
trap stop_servers EXIT
trap 'exit 143' INT TERM
start_servers durable
DATA_DIR=$(mktemp -d "$servers_place/data.XXXXXX")
export DATA_DIR
python infra/bench/live/run.py
