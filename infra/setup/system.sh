# Installs what comes from the operating system: Pango and HarfBuzz for work sheets, programs and Chromium for tests.
# Sourced by ensure.sh.

# Reads the whole list: a grep that stops early would end ldconfig with a broken pipe.
has_library() {
  local known
  [ "$(uname)" = Linux ] || return 0
  known=$(PATH="$PATH:/sbin" ldconfig -p 2>/dev/null) || return 1
  [[ $known == *"$1"* ]]
}

ensure_libraries() {
  local missing=()
  has_library libpango-1.0.so.0 || missing+=(libpango-1.0-0)
  has_library libpangoft2-1.0.so.0 || missing+=(libpangoft2-1.0-0)
  has_library libharfbuzz-subset.so.0 || missing+=(libharfbuzz-subset0)
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" ||
    say "work sheets in PDF need ${missing[*]}: install them; everything else runs without."
}

# The headless shell is quicker, but not every Debian has it.
has_chromium() {
  if [ -n "${CHROMIUM:-}" ]; then
    [ -x "$CHROMIUM" ] || fail "CHROMIUM names no program: $CHROMIUM"
  else
    [ -x /usr/bin/chromium-headless-shell ] || [ -x /usr/bin/chromium ]
  fi
}

ensure_chromium() {
  has_chromium || apt_install chromium-headless-shell || apt_install chromium ||
    fail "browser tests need Chromium: install it, or name it in CHROMIUM."
}

# Tests render sheets with pdftoppm and read their codes with zbarimg, run the tour of the API with curl, and back up
# with restic.
ensure_test_programs() {
  local missing=()
  command -v curl >/dev/null 2>&1 || missing+=(curl)
  command -v pdftoppm >/dev/null 2>&1 || missing+=(poppler-utils)
  command -v restic >/dev/null 2>&1 || missing+=(restic)
  command -v zbarimg >/dev/null 2>&1 || missing+=(zbar-tools)
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" ||
    fail "tests need ${missing[*]}: install them."
}
