#!/usr/bin/env bash
# walk.sh TARGETS...: runs the browser's journeys and, at the same time with low priority, the tests of these targets of
# the Makefile, each also if another one fails: a browser waits more than it computes. The output of the tests is shown
# when the journeys have ended.
set -uo pipefail
cd "$(dirname "$0")/../.."
said=$(mktemp)
set -m # puts the tests into their own process group, so that one kill ends them all
nice -n 19 make --no-print-directory --keep-going "$@" >"$said" 2>&1 &
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
