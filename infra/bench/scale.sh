#!/usr/bin/env bash
# make bench-scale: lists and reports at up to a million lines, on a PostgreSQL and a Redis of their own. $1: how many lines.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/scale.py "$@"
