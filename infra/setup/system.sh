# What comes from the operating system: Pango and HarfBuzz for work sheets, programs and Chromium for tests;
# sourced by ensure.sh.

# The list is read whole: a grep that stops early would end ldconfig with a broken pipe.
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

# The shell draws to no screen, which is quicker; not every Debian has it.
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

# A sheet is drawn by pdftoppm and its code read by zbarimg: decoders that are not ours. The tour is run with curl.
# Backups go into a restic repository.
ensure_test_programs() {
  local missing=()
  command -v curl >/dev/null 2>&1 || missing+=(curl)
  command -v pdftoppm >/dev/null 2>&1 || missing+=(poppler-utils)
  command -v restic >/dev/null 2>&1 || missing+=(restic)
  command -v zbarimg >/dev/null 2>&1 || missing+=(zbar-tools)
  [ ${#missing[@]} = 0 ] || apt_install "${missing[@]}" ||
    fail "tests need ${missing[*]}: install them."
}
