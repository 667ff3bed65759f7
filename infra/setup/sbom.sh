#!/usr/bin/env bash
# Writes what the product consists of, as CycloneDX, from the locks: var/sbom/python.json and var/sbom/web.json.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
export PATH="$PWD/.venv/bin:$PATH"
mkdir -p var/sbom
cyclonedx-py requirements requirements.lock --output-reproducible --output-format JSON -o var/sbom/python.json
(cd web && npm sbom --package-lock-only --omit dev --sbom-format cyclonedx) >var/sbom/web.json
say "var/sbom/python.json, var/sbom/web.json"
