#!/usr/bin/env bash
# Every fault of the cluster in turn under load, and one table of what came of it; ends with 1 where anything is lost or
# doubled, or where anybody was refused outside a fault's own seconds. CHAOS_FAULTS=nginx,Redis: only those.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
ensure_servers nginx
measure_on_own_servers
export CHAOS_POSTGRESQL=$DATABASE_URL CHAOS_POSTGRESQL_DATA=$servers_place/pg/data
# What the processes say of what is done to them is read only where the script itself fails.
PYTHONPATH=$PWD:$PWD/infra/bench python infra/chaos/all.py 2>"$servers_place/log" || {
  status=$?
  tail -n 30 "$servers_place/log" | cut -c 1-400 >&2
  exit $status
}
