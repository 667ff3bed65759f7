#!/usr/bin/env bash
# Faults under load, and every client's state compared with the database after each: servers killed, Redis
# killed, PostgreSQL killed, sockets cut. An argument names the movement log to work on; CHAOS_FAULTS chooses the faults.
set -euo pipefail
log=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
[ -z "$log" ] || check_log "$log"

measure_on_own_servers
export CHAOS_POSTGRESQL=$DATABASE_URL CHAOS_POSTGRESQL_DATA=$servers_place/pg/data
python infra/chaos/run.py ${log:+"$log"}
