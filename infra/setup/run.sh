#!/usr/bin/env bash
# Starts Obrador: migrates, loads demo data into an empty database, starts a worker, and serves on HOST and PORT.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
export PATH="$PWD/.venv/bin:$PATH"
export HOST=${HOST:-127.0.0.1} PORT=${PORT:-8000} DATA_DIR=${DATA_DIR:-$PWD/var}

# Check the port first: daphne reports a used port late, and only in its log. It reports other wrong addresses well.
python - <<'PYTHON' || fail "port $PORT of $HOST is in use. Take another: PORT=$((PORT + 1)) make run"
import errno, os, socket, sys
try:
    family, kind, _, _, address = socket.getaddrinfo(os.environ["HOST"], os.environ["PORT"], type=socket.SOCK_STREAM)[0]
    with socket.socket(family, kind) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(address)
except OSError as error:
    sys.exit(error.errno == errno.EADDRINUSE)
PYTHON

python manage.py migrate --verbosity 0
python manage.py demo --if-empty

shown=$HOST
case $HOST in 127.0.0.1 | 0.0.0.0 | ::) shown=localhost ;; esac
printf '\n  Obrador  http://%s:%s   (Ctrl+C ends it)\n\n' "$shown" "$PORT"
# daphne replaces this process. The worker watches this process and ends with it.
python manage.py worker --with $$ &
exec daphne --verbosity 0 --bind "$HOST" --port "$PORT" project.asgi:application
