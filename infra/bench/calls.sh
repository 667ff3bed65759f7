#!/usr/bin/env bash
# make bench-calls: CPU and SQL statements of each kind of call, on a PostgreSQL and a Redis of their own. $1: a git
# revision to measure beside this checkout.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/calls.py "$@"
