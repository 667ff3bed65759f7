#!/usr/bin/env bash
# make bench-live: the live delivery beside a raw baseline, lists, movements, sign-in, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
export PATH="$PWD/.venv/bin:$PATH" PYTHONPATH=$PWD DJANGO_SETTINGS_MODULE=project.settings
failed=0

if [ -x infra/bench/live/run.sh ]; then infra/bench/live/run.sh "$@" || failed=1; fi

trap stop_servers EXIT
trap 'exit 143' INT TERM
start_servers durable
DATA_DIR=$(mktemp -d "$servers_place/data.XXXXXX")
export DATA_DIR
python infra/bench/movements.py || failed=1
python infra/bench/lists.py || failed=1
python infra/bench/sign_in.py || failed=1
exit $failed
