#!/usr/bin/env bash
# on-servers.sh MODULE ARGUMENTS...: runs a Python module on a temporary PostgreSQL and Redis, with a folder for files.
# Benchmarks, faults and fuzzing run so. PROGRAMS: Debian packages that the module needs too, as nginx.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
ensure_servers ${PROGRAMS:-}
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH=$PWD DJANGO_SETTINGS_MODULE=project.settings
trap stop_servers EXIT
trap 'exit 143' INT TERM
start_servers durable
DATA_DIR=$(mktemp -d "$servers_place/data.XXXXXX")
export DATA_DIR
python -m "$@"
