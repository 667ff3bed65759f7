#!/usr/bin/env bash
# Compiles the locks from pyproject.toml, with hashes and without index addresses, for every Python from 3.12 on.
# Arguments go to uv, for example --upgrade.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/python.sh
uv=$(bring_uv)
hand_pip_index_to_uv
compile() {
  "$uv" pip compile -q --universal --python-version 3.12 --generate-hashes --no-header --no-annotate --no-emit-index-url "$@"
}
compile pyproject.toml --group build -o requirements.lock "$@"
compile pyproject.toml --group dev -c requirements.lock -o requirements-dev.lock "$@"
compile pyproject.toml --group extra -c requirements-dev.lock -o requirements-extra.lock "$@"
compile --group uv -o infra/setup/uv.lock "$@"
