#!/usr/bin/env bash
# make bench-opening: LIVE_SOCKETS sockets (2,000) are opened as clients open them, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/live/opening.py
