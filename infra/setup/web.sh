# Installs the web client's packages and builds it. Sourced by ensure.sh. Node comes with .venv, which is first on PATH.

ensure_web_packages() {
  local wanted
  wanted=$(fingerprint web/package.json web/package-lock.json web/tools)
  stamp_says web/node_modules/.synced "$wanted" && return 0
  say "installing web packages"
  (cd web && npm ci --silent --no-audit --no-fund </dev/null) || fail "npm ci failed in web/."
  printf '%s' "$wanted" >web/node_modules/.synced
}

# The types of the contract: `tsc` reads them, the built client needs none of them.
ensure_web_types() {
  local wanted
  wanted=$(fingerprint infra/docs/contract.json web/src/contract/tables.json web/tools/openapi)
  stamp_says web/.contract/.made "$wanted" && return 0
  say "making the types of the contract"
  node web/tools/openapi/generate.mjs || fail "the types of infra/docs/contract.json could not be made."
  printf '%s' "$wanted" >web/.contract/.made
}

# Prints a hash of all that the built client is made of.
web_sources() { fingerprint web/src web/public web/index.html web/vite.config.ts web/tsconfig.json web/package-lock.json; }

ensure_web_build() {
  local wanted
  wanted=$(web_sources)
  [ -f web/dist/index.html ] && stamp_says web/node_modules/.built "$wanted" && return 0
  say "building the web client"
  (cd web && npm run --silent build </dev/null >node_modules/.build.log 2>&1) ||
    { cat web/node_modules/.build.log >&2; fail "the web client does not build."; }
  .venv/bin/python -m servestatic.compress --quiet web/dist || fail "the built web client could not be compressed."
  printf '%s' "$wanted" >web/node_modules/.built
}
