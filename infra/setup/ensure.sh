#!/usr/bin/env bash
# Installs what is needed to run the product (ensure.sh run), to work on the code (ensure.sh code), to run the tests
# (ensure.sh dev), to run tests without a browser (ensure.sh unit), or to run the tests and programs that need the
# packages of the group `extra` (ensure.sh extra). Does nothing for what is installed already.
set -euo pipefail
cd "$(dirname "$0")/../.."
mode=${1:-run}
. infra/setup/lib.sh
. infra/setup/python.sh
. infra/setup/web.sh
. infra/setup/system.sh

# Two starts from one checkout wait for each other.
if command -v flock >/dev/null 2>&1; then
  exec 9>.setup.lock
  flock 9
fi

case $mode in
  unit | dev) ensure_python dev ;;
  extra) ensure_python extra ;;
  *) ensure_python run ;;
esac
export PATH="$PWD/.venv/bin:$PATH"
ensure_libraries
ensure_web_packages
[ "$mode" = run ] || ensure_web_types
[ "$mode" = unit ] || [ "$mode" = code ] || ensure_web_build
if [ "$mode" = dev ]; then
  ensure_test_programs
  ensure_chromium
fi
if [ "$mode" = extra ] && ! command -v redis-server >/dev/null 2>&1; then
  apt_install redis-server || fail "this Debian package is needed: redis-server"
fi
