#!/usr/bin/env bash
# make bench-catalogs: import, workbook and lists of catalogs, on a PostgreSQL of its own. $1: a tariff list, CSV.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH=$PWD DJANGO_SETTINGS_MODULE=project.settings
trap stop_servers EXIT
trap 'exit 143' INT TERM
start_servers durable
DATA_DIR=$(mktemp -d "$servers_place/data.XXXXXX")
export DATA_DIR
python infra/bench/catalogs.py "$@"
