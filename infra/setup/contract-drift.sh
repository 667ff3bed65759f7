#!/usr/bin/env bash
# Fails where the committed contract is not the one the code exports.
set -euo pipefail
cd "$(dirname "$0")/../.."
fresh=$(mktemp -d)
trap 'rm -rf "$fresh"' EXIT
python manage.py export_contract "$fresh" >/dev/null
for file in "$fresh"/*; do
  diff -u "web/src/contract/$(basename "$file")" "$file" >"$fresh.diff" || {
    head -n 40 "$fresh.diff"
    rm -f "$fresh.diff"
    echo "web/src/contract/$(basename "$file") is out of date: run make contract" >&2
    exit 1
  }
done
rm -f "$fresh.diff"
