#!/usr/bin/env bash
# make bench-floor: a station and a board in two browsers, then what a board takes of the machine, on a PostgreSQL and a
# Redis of their own. FLOOR_PRESSES: how many presses are timed, 60 by default. FLOOR_WAITING: how many movements wait for
# the network, 200 by default. BOARD_SECONDS: how long to measure the latter, 600 by default; 0 leaves it out.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/floor.py
[ "${BOARD_SECONDS:-600}" = 0 ] || python infra/bench/board.py
