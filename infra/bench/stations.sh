#!/usr/bin/env bash
# make bench-stations FILE=LOG.csv ROWS=N: a log's first rows pressed at stations in browsers, which lose the network in
# turns, and every history compared, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
check_log "${1:-}"
measure_on_own_servers
python infra/bench/stations.py "$@"
