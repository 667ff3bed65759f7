#!/usr/bin/env bash
# make bench-amplification: what open screens ask while lines move, on a PostgreSQL and a Redis of their own. $1: a git
# revision to measure beside this checkout. AMPLIFICATION_SECONDS: how long to count, 60 by default.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/amplification.py "$@"
