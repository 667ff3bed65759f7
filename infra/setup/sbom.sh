#!/usr/bin/env bash
# Writes what the product consists of, as CycloneDX, from the locks: var/sbom/python.json and var/sbom/web.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
export PATH="$PWD/.venv/bin:$PATH"
mkdir -p var/sbom
cyclonedx-py requirements requirements.lock --output-reproducible --output-format JSON -o var/sbom/python.json
# `npm sbom --omit dev` leaves out what a development package needs too, as React. So they are taken out before.
product=$(mktemp -d)
trap 'rm -rf "$product"' EXIT
cp web/package.json web/package-lock.json "$product"
(
  cd "$product"
  npm pkg delete devDependencies workspaces
  npm install --package-lock-only --offline --ignore-scripts --no-audit --no-fund >&2
  npm sbom --package-lock-only --sbom-format cyclonedx
) >var/sbom/web.json
say "var/sbom/python.json, var/sbom/web.json"
