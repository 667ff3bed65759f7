#!/usr/bin/env bash
# Puts a backup in the place of what is there: infra/restore.sh FILE.tar, with every process of the product stopped.
# Database and files become those of the backup; then the database is migrated and gets a new epoch, so that every open
# browser loads afresh: the ids of events that it remembers are of another history.
set -euo pipefail
file=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")/.."
. infra/setup/lib.sh

[ $# = 1 ] && [ -f "$file" ] || fail "usage: infra/restore.sh FILE.tar"
data=${DATA_DIR:-$PWD/var}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
tar -C "$place" -xf "$file"
[ -f "$place/database" ] && [ -d "$place/files" ] || fail "$file is no backup of this product."

mkdir -p "$data"
if [ -n "${DATABASE_URL:-}" ]; then
  pg_restore --clean --if-exists --no-owner --single-transaction --exit-on-error --dbname="$DATABASE_URL" "$place/database"
else
  [ "$(head -c 15 "$place/database")" = "SQLite format 3" ] || fail "$file is a backup of PostgreSQL: set DATABASE_URL."
  rm -f "$data"/obrador.sqlite3-*
  mv "$place/database" "$data/obrador.sqlite3"
fi
cp -a "$place/files/." "$data/"
.venv/bin/python manage.py migrate --verbosity 0
.venv/bin/python manage.py renew_epoch
say "restored from $file"
