#!/usr/bin/env bash
# make bench-capacity FILE=LOG.csv: what an installation takes at rest, and the bytes of its rows, on servers of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
check_log "${1:-}"
measure_on_own_servers
python infra/bench/capacity.py "$@"
