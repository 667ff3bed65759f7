#!/usr/bin/env bash
# make upgrade: the last release at work while this checkout's migrations go through, on a PostgreSQL and a Redis of their
# own. $1: another revision than that of infra/setup/released.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
export PYTHONPATH=$PWD:$PWD/infra/bench
python infra/chaos/upgrade.py "$@"
