#!/usr/bin/env bash
# once.sh NAME COMMAND...: runs a check that depends only on the sources, unless it has passed with the same sources.
# So the second round of .ci/run, on other servers, does not lint the same files again.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
name=$1
shift
stamp=.venv/.passed-$name
sources() { git ls-files -z --cached --others --exclude-standard | xargs -0 sha256sum | sha256sum | cut -d' ' -f1; }
# If the sources cannot be listed or read, the check runs and its result is not remembered.
before=$(sources 2>/dev/null) || before=
if [ -n "$before" ] && stamp_says "$stamp" "$before"; then
  say "$name: passed with these very sources"
  exit 0
fi
"$@"
[ -z "$before" ] || printf '%s' "$before" >"$stamp"
