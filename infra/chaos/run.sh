#!/usr/bin/env bash
# Faults under load, and every client's state compared with the database after each: servers killed, Redis
# killed, PostgreSQL killed, sockets cut. An argument names the movement log to work on; CHAOS_FAULTS chooses the faults.
set -euo pipefail
log=${1:+$(realpath "$1")}
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH=$PWD DJANGO_SETTINGS_MODULE=project.settings

trap stop_servers EXIT
trap 'exit 143' INT TERM
start_servers durable
export CHAOS_POSTGRESQL=$DATABASE_URL CHAOS_POSTGRESQL_DATA=$servers_place/pg/data
DATA_DIR=$(mktemp -d "$servers_place/data.XXXXXX")
export DATA_DIR
python infra/chaos/run.py ${log:+"$log"}
