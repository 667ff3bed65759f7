#!/usr/bin/env bash
# make bench-operations: work sheets, alerts and the time to a notification, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
failed=0
python infra/bench/sheets.py || failed=1
python infra/bench/alerts.py || failed=1
python infra/bench/notified.py || failed=1
exit $failed
