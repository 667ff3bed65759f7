#!/usr/bin/env bash
# make fuzz: every operation of the API as five callers, on a PostgreSQL and a Redis of their own.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
measure_on_own_servers
python infra/chaos/fuzz.py
