# Installs Python, uv and the virtual environment. Sourced by ensure.sh and lock.sh.

# Prints the path of a working uv: the machine's own, else one that pip installs into .venv-uv from a lock with hashes.
bring_uv() {
  if works uv --version; then
    command -v uv
    return
  fi
  if works .venv-uv/bin/uv --version; then
    echo "$PWD/.venv-uv/bin/uv"
    return
  fi
  local python
  python=$(find_python) || python=$(command -v python3) || { apt_install python3-venv && python=$(command -v python3); } ||
    fail "neither uv nor Python is here. Install python3-venv (Debian) or uv, then run this again."
  say "bringing uv"
  rm -rf .venv-uv
  if ! "$python" -m venv .venv-uv >/dev/null 2>&1; then
    rm -rf .venv-uv
    apt_install python3-venv && "$python" -m venv .venv-uv >/dev/null 2>&1 ||
      fail "cannot make a virtual environment with $python. Install python3-venv (Debian) or uv, then run this again."
  fi
  .venv-uv/bin/python -m pip install -q --disable-pip-version-check --require-hashes -r infra/setup/uv.lock ||
    fail "uv could not be installed by pip; its message stands above."
  echo "$PWD/.venv-uv/bin/uv"
}

# uv does not read pip's configuration. If the machine names its index only there, hand the index to uv.
hand_pip_index_to_uv() {
  [ -z "${UV_DEFAULT_INDEX:-}${UV_INDEX_URL:-}${UV_INDEX:-}${UV_CONFIG_FILE:-}" ] || return 0
  [ ! -f "${XDG_CONFIG_HOME:-$HOME/.config}/uv/uv.toml" ] && [ ! -f /etc/uv/uv.toml ] || return 0
  local index
  index=${PIP_INDEX_URL:-$(python3 -m pip config get global.index-url 2>/dev/null || true)}
  [ -z "$index" ] || export UV_DEFAULT_INDEX="$index"
}

# Prints the lock file of a mode.
lock_of() { if [ "$1" = run ]; then echo requirements.lock; else echo "requirements-$1.lock"; fi; }

# Installs the packages of a lock into .venv. $1: run | dev | extra. Each of these holds the ones before it.
ensure_python() {
  local mode=$1 lock wanted uv python larger enough=
  lock=$(lock_of "$mode")
  wanted="$mode $(fingerprint "$lock")"
  if python_fits .venv/bin/python; then
    for larger in run dev extra; do
      [ "$larger" != "$mode" ] || enough=yes
      [ -z "$enough" ] || ! stamp_says .venv/.synced "$larger $(fingerprint "$(lock_of "$larger")")" || return 0
    done
  fi
  uv=$(bring_uv)
  hand_pip_index_to_uv
  if ! python_fits .venv/bin/python; then
    say "creating .venv"
    if python=$(find_python); then
      "$uv" venv -q --clear --no-project --python "$python" .venv || fail "the virtual environment could not be created."
    else
      "$uv" venv -q --clear --no-project --python 3.13 .venv ||
        fail "Python 3.12 or newer is needed: none was found here, and uv could not bring one. Install python3.13."
    fi
  fi
  say "installing Python packages from $lock"
  VIRTUAL_ENV=$PWD/.venv "$uv" pip sync -q --compile-bytecode --require-hashes "$lock" || fail "the packages of $lock could not be installed."
  printf '%s' "$wanted" >.venv/.synced
}
