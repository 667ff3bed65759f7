# Helpers shared by the set-up steps; sourced, never run.

say() { printf '\033[2m· %s\033[0m\n' "$*" >&2; }
fail() { printf 'obrador: %s\n' "$*" >&2; exit 1; }

# Whether a command exists and succeeds: a shim that only prints an error does not count.
works() { "$@" >/dev/null 2>&1; }

python_fits() { works "$1" -c 'import sys; sys.exit(sys.version_info < (3, 12))'; }

# Prints the path of a Python 3.12 or newer. Returns 1 if there is none.
find_python() {
  local candidate
  for candidate in python3 python3.14 python3.13 python3.12 \
    "$HOME"/.pyenv/versions/3.1[34]*/bin/python "$HOME"/.pyenv/versions/3.12*/bin/python; do
    if command -v "$candidate" >/dev/null 2>&1 && python_fits "$candidate"; then
      "$candidate" -c 'import sys; print(sys.executable)'
      return 0
    fi
  done
  return 1
}

# Runs a command as root. Returns 1 if that needs a password.
as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif works sudo -n true; then
    sudo -n "$@"
  else
    return 1
  fi
}

# $1: a movement log. Ends the script if the file cannot be read.
check_log() {
  [ -n "${1:-}" ] || fail "name a movement log: CSV with at, direction, case_id, part, order_qty, process, worker."
  [ -f "$1" ] && [ -r "$1" ] || fail "$1 cannot be read: there is no such file."
}

# Installs Debian packages. Prints the log only if that fails. Returns 1 if it fails or this machine does not allow it.
apt_install() {
  command -v apt-get >/dev/null 2>&1 || return 1
  as_root true || return 1
  say "installing $*"
  local log
  log=$(mktemp)
  if as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >"$log" 2>&1 </dev/null ||
    { as_root apt-get update -q >"$log" 2>&1 </dev/null &&
      as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; }; then
    rm -f "$log"
    return 0
  fi
  tail -n 20 "$log" >&2
  rm -f "$log"
  return 1
}

# Prints a hash of the content of files and folders. It changes if and only if something in them changes.
fingerprint() {
  { find "$@" -name node_modules -prune -o -name .vite -prune -o -type f -print0 2>/dev/null || true; } |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -d' ' -f1
}

stamp_says() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# together COMMAND...: runs the commands at the same time. When one of them ends, or at Ctrl+C, it ends the others.
together() {
  local command process
  together=()
  trap 'kill "${together[@]}" 2>/dev/null || true; wait' EXIT
  trap 'exit 0' INT
  trap 'exit 143' TERM
  for command in "$@"; do
    bash -c "exec $command" &
    together+=("$!")
  done
  # Polls, because `wait -n` misses a process that ended before the call. Ctrl+C interrupts `wait` at once, but not a
  # command in the foreground, so the sleep is in the background.
  while true; do
    sleep 0.5 &
    wait "$!"
    for process in "${together[@]}"; do
      kill -0 "$process" 2>/dev/null || return 1
    done
  done
}
