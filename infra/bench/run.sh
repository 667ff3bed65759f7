#!/usr/bin/env bash
# make bench-live: the live delivery beside a raw baseline, lists, movements, sign-in, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
failed=0

if [ -x infra/bench/live/run.sh ]; then infra/bench/live/run.sh "$@" || failed=1; fi

measure_on_own_servers
# Lists first: the orders that the movements leave have histories of 200 records, which are another page's cost.
python infra/bench/lists.py || failed=1
python infra/bench/movements.py || failed=1
python infra/bench/sign_in.py || failed=1
exit $failed
