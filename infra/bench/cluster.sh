#!/usr/bin/env bash
# make bench-cluster: the three speeds of a whole installation, on a PostgreSQL and a Redis of their own. speeds.py says
# what is measured, and by which settings less of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
ensure_servers nginx
measure_on_own_servers
PATH="$(postgresql_bin):$PATH"
command -v pgbench >/dev/null 2>&1 || fail "pgbench is not installed."
# When each commit was made, and how often each statement ran: PostgreSQL says so from its next start on.
psql -q -d "$DATABASE_URL" -c "ALTER SYSTEM SET track_commit_timestamp = on" \
  -c "ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'"
(cd "$servers_place" && as_postgres pg_ctl -D "$servers_place/pg/data" -w -t 60 -m fast -l "$servers_place/pg/log" restart >/dev/null)
psql -q -d "$DATABASE_URL" -c "CREATE EXTENSION pg_stat_statements"
(cd infra/bench/live && npm ci --silent)
# What the processes say is read only where the script itself fails.
PYTHONPATH=$PWD:$PWD/infra/chaos:$PWD/infra/bench/live python infra/bench/speeds.py 2>"$servers_place/log" || {
  status=$?
  tail -n 30 "$servers_place/log" | cut -c 1-400 >&2
  exit $status
}
