#!/usr/bin/env bash
# make bench-catalogs: import, workbook and lists of catalogs, on a PostgreSQL of its own. $1: a tariff list, CSV.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/catalogs.py "$@"
