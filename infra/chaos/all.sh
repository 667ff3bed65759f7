#!/usr/bin/env bash
# Causes every fault of the cluster in turn under load, on temporary servers: all.py says what is judged, and by which
# settings there is less of it.
set -euo pipefail
cd "$(dirname "$0")/../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# The processes complain about every fault. Their complaints are shown only if the run itself fails.
PROGRAMS=nginx infra/setup/on-servers.sh infra.chaos.all 2>"$log" || {
  status=$?
  tail -n 30 "$log" | cut -c 1-400 >&2
  exit $status
}
