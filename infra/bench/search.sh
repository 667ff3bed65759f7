#!/usr/bin/env bash
# make bench-search: the search that goes anywhere among 100,000 orders, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/bench/search.py
