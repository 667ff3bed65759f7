#!/usr/bin/env bash
# Writes the three lock files, with hashes and without index addresses, for every Python from 3.12 on. Arguments go to
# uv, for example --upgrade.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/python.sh
uv=$(bring_uv)
hand_pip_index_to_uv
compile() {
  "$uv" pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate --no-emit-index-url "$@"
}
compile infra/requirements/build.in -o requirements.lock "$@"
compile infra/requirements/dev.in -c requirements.lock -o requirements-dev.lock "$@"
compile infra/requirements/uv.in -o infra/requirements/uv.lock "$@"
