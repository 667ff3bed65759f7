#!/usr/bin/env bash
# Starts Obrador for development. The server restarts when a Python file changes. Vite replaces changed modules in the
# browser. Everything is on one port, PORT. It is not 8000, where the browser may cache the built client of `make run`.
# Ctrl+C ends everything.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/servers.sh
export PATH="$PWD/.venv/bin:$PATH"
export HOST=${HOST:-127.0.0.1} PORT=${PORT:-5173} DATA_DIR=${DATA_DIR:-$PWD/var}
export PUBLIC_URL=${PUBLIC_URL:-http://localhost:$PORT}
server=127.0.0.1:$(free_port)
export API_URL=http://$server # where Vite sends /api, /identity, /pdf and /ws

python manage.py migrate --verbosity 0
python manage.py demo --if-empty
printf '\n  Obrador  %s   (Ctrl+C ends it; the worker keeps the code that it started with)\n\n' "$PUBLIC_URL"
together \
  "python manage.py runserver --verbosity 0 $server" \
  "python manage.py worker --with $$" \
  "web/node_modules/.bin/vite web --clearScreen false --strictPort --host $HOST --port $PORT"
