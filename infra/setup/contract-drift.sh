#!/usr/bin/env bash
# Fails if the committed contract or a reference page differs from the one that the code exports.
set -euo pipefail
cd "$(dirname "$0")/../.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
mkdir "$fresh/contract" "$fresh/docs"
python manage.py export_contract "$fresh/contract" >/dev/null
python manage.py export_docs "$fresh/docs"
python infra/setup/architecture.py "$fresh/docs"

# same MADE KEPT TARGET: fails unless each file of the folder MADE is the same in KEPT. `make TARGET` writes the files.
same() {
  local file
  for file in "$1"/*; do
    diff -u "$2/$(basename "$file")" "$file" >"$fresh/diff" || {
      head -n 40 "$fresh/diff"
      echo "$2/$(basename "$file") is out of date: run make $3" >&2
      exit 1
    }
  done
}
same "$fresh/contract" web/src/contract contract
same "$fresh/docs" infra/docs docs
