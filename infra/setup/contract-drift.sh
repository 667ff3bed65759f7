#!/usr/bin/env bash
# Fails if the committed contract or a reference page differs from the one that the code exports.
set -euo pipefail
cd "$(dirname "$0")/../.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
mkdir "$fresh/root" "$fresh/docs"
python manage.py export_contract "$fresh/root" >/dev/null
python manage.py export_docs "$fresh/docs"
python infra/setup/architecture.py "$fresh/docs"

# same MADE KEPT TARGET: fails unless each file below the folder MADE is the same below KEPT. `make TARGET` writes the
# files.
same() {
  local file
  (cd "$1" && find . -type f) | while read -r file; do
    diff -u "$2/$file" "$1/$file" >"$fresh/diff" || {
      head -n 40 "$fresh/diff" | cut -c1-400
      echo "$2/$file is out of date: run make $3" >&2
      exit 1
    }
  done
}
same "$fresh/root" . contract
same "$fresh/docs" infra/docs docs
