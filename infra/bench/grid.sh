#!/usr/bin/env bash
# make bench-grid: an order of 200 lines pasted, saved and written in, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/grid.py
