#!/usr/bin/env bash
# demo.sh SCRIPT: runs a browser script against a temporary demo. The script gets BASE_URL, its address, and CHROMIUM.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
data=$(mktemp -d "${TMPDIR:-/tmp}/obrador.XXXXXX")
server=
end() {
  # The worker ends after the server, and both hold the pipe open. When `read` returns, neither writes any more.
  [ -z "$server" ] || { kill "$server" 2>/dev/null && read -r -u "$ended" || true; }
  rm -rf "$data"
}
trap end EXIT
export HOST=127.0.0.1 PORT=${PORT:-$(free_port)} DATA_DIR=$data
export BASE_URL=http://127.0.0.1:$PORT
export CHROMIUM=${CHROMIUM:-$(command -v /usr/bin/chromium-headless-shell || command -v chromium)}
exec {ended}< <(exec infra/setup/run.sh 3>&1 >"$data/log" 2>&1)
server=$!
until curl --silent --fail --output /dev/null "$BASE_URL/health/ready"; do
  kill -0 "$server" 2>/dev/null || { cat "$data/log" >&2; fail "The demo did not start."; }
  read -r -t 0.3 <> <(:) || true
done
node "$@"
