#!/usr/bin/env bash
# The browser's journeys, and beside them the tests that need no browser, behind in the queue for a core: a browser
# waits more than it computes. What those tests say is shown when the journeys have ended.
set -uo pipefail
cd "$(dirname "$0")/../.."
said=$(mktemp)
set -m # a group of their own, so that they end as one
nice -n 19 make --no-print-directory without-browser >"$said" 2>&1 &
beside=$!
trap 'kill -- -$beside 2>/dev/null; rm -f "$said"' EXIT
trap 'exit 143' INT TERM
make --no-print-directory e2e
journeys=$?
wait "$beside"
tests=$?
cat "$said"
[ "$journeys" = 0 ] || echo "The browser's journeys failed: see above." >&2
exit $((journeys != 0 || tests != 0))
