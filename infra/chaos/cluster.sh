#!/usr/bin/env bash
# make cluster: three web processes, two workers and the PDF service behind nginx, on a PostgreSQL and a Redis of their
# own, until Ctrl+C. PORT: of nginx.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
ensure_servers nginx
measure_on_own_servers
python infra/chaos/cluster.py
