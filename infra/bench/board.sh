#!/usr/bin/env bash
# make bench-board: what a board on a wall takes of the machine, on a PostgreSQL and a Redis of their own. BOARD_SECONDS:
# how long to measure, 600 by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/board.py
