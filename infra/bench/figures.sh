#!/usr/bin/env bash
# make bench-figures FILE=LOG.csv: a log replayed and its figures compared, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
check_log "${1:-}"
measure_on_own_servers
python infra/bench/replayed.py "$@"
