#!/usr/bin/env bash
# Checks the manifests of Kubernetes. uv brings both programs into folders of their own, because checkov needs other
# versions of our packages.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/python.sh
uv=$(bring_uv)
hand_pip_index_to_uv
here=infra/deploy/kubernetes
mapfile -t files < <(find $here -name '[a-z]*.yaml' ! -name kustomization.yaml | sort)
"$uv" tool run -q --python .venv/bin/python kubernetes-validate@1.37.0 --strict "${files[@]}"
"$uv" tool run -q --python .venv/bin/python checkov@3.3.30 -d $here --config-file $here/.checkov.yaml
