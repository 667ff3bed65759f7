# Runs a temporary PostgreSQL and Redis on free ports, in a temporary folder. Sourced after lib.sh.
# start_servers sets DATABASE_URL, REDIS_URL, DATABASE_FOLDER (PostgreSQL's data) and DATABASE_LOG (its log). stop_servers
# ends both and deletes their data.

servers_place=
redis_pid=

# Prints the folder of initdb. Debian keeps it off the PATH.
postgresql_bin() {
  local bin
  bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -n | tail -n 1)
  if [ -n "$bin" ]; then
    echo "$bin"
  elif command -v initdb >/dev/null 2>&1; then
    dirname "$(command -v initdb)"
  else
    return 1
  fi
}

free_port() {
  .venv/bin/python -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# Installs PostgreSQL, Redis and the named programs if they are missing. A program's package has the same name.
ensure_servers() {
  local missing=() program
  export PATH="$PATH:/usr/sbin" # Debian keeps nginx off the PATH of most accounts
  postgresql_bin >/dev/null || missing+=(postgresql)
  command -v redis-server >/dev/null 2>&1 || missing+=(redis-server)
  for program in "$@"; do
    command -v "$program" >/dev/null 2>&1 || missing+=("$program")
  done
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" || fail "these Debian packages are needed: ${missing[*]}"
}

# Runs a command as another user if this one is root: PostgreSQL refuses to run as root.
as_postgres() {
  if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

# $1: `durable` keeps fsync on, as in production. Without it fsync is off, for tests.
start_servers() {
  local pg pg_port redis_port fast="-c fsync=off -c synchronous_commit=off -c full_page_writes=off"
  [ "${1:-}" != durable ] || fast=
  ensure_servers
  pg=$(postgresql_bin)
  servers_place=$(mktemp -d "${TMPDIR:-/tmp}/obrador.XXXXXX")
  chmod 755 "$servers_place"
  mkdir "$servers_place/pg"
  if [ "$(id -u)" = 0 ]; then
    id postgres >/dev/null 2>&1 || useradd --system --no-create-home postgres
    chown postgres "$servers_place/pg"
  fi
  pg_port=$(free_port)
  (
    cd "$servers_place"
    as_postgres "$pg/initdb" -D "$servers_place/pg/data" -U obrador --auth trust --encoding UTF8 --locale C.UTF-8 >/dev/null
    as_postgres "$pg/pg_ctl" -D "$servers_place/pg/data" -w -t 60 -l "$servers_place/pg/log" \
      -o "-p $pg_port -c listen_addresses=127.0.0.1 -c unix_socket_directories=$servers_place/pg -c max_connections=200 $fast" \
      start >/dev/null
    as_postgres "$pg/createdb" -h 127.0.0.1 -p "$pg_port" -U obrador obrador
  )
  redis_port=$(free_port)
  redis-server --port "$redis_port" --bind 127.0.0.1 --save '' --appendonly no --dir "$servers_place" \
    >"$servers_place/redis.log" 2>&1 &
  redis_pid=$!
  until [ "$(redis-cli -p "$redis_port" ping 2>/dev/null)" = PONG ]; do
    kill -0 "$redis_pid" 2>/dev/null || { cat "$servers_place/redis.log" >&2; fail "Redis did not start."; }
    sleep 0.1
  done
  export DATABASE_URL="postgres://obrador@127.0.0.1:$pg_port/obrador" REDIS_URL="redis://127.0.0.1:$redis_port/0"
  export DATABASE_FOLDER="$servers_place/pg/data" DATABASE_LOG="$servers_place/pg/log"
}

stop_servers() {
  [ -z "$redis_pid" ] || kill "$redis_pid" 2>/dev/null || true
  [ -n "$servers_place" ] || return 0
  if [ -f "$servers_place/pg/data/postmaster.pid" ]; then
    (cd "$servers_place" && as_postgres "$(postgresql_bin)/pg_ctl" -D "$servers_place/pg/data" -m immediate stop >/dev/null) || true
  fi
  rm -rf "$servers_place"
}
