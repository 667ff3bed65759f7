#!/usr/bin/env bash
# Writes database, files and the generated secret of one moment into one archive: infra/backup.sh FILE.tar
# The database is that of DATABASE_URL, or the SQLite file in DATA_DIR. Pictures in a bucket (S3_BUCKET) have the bucket's
# own backup. The product may run meanwhile. The archive holds the secret: keep it as one.
set -euo pipefail
file=${1:+$(realpath -m "$1")}
cd "$(dirname "$0")/.."
. infra/setup/lib.sh

[ $# = 1 ] || fail "usage: infra/backup.sh FILE.tar"
data=${DATA_DIR:-$PWD/var}
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
umask 077

# The files after the database: a picture that a row names is there, one that no row names yet does no harm.
if [ -n "${DATABASE_URL:-}" ]; then
  pg_dump --format=custom --no-owner --file="$place/database" "$DATABASE_URL"
else
  .venv/bin/python - "$data/obrador.sqlite3" "$place/database" <<'PYTHON'
import sqlite3, sys
with sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True) as source, sqlite3.connect(sys.argv[2]) as copy:
    source.backup(copy)
PYTHON
fi
mkdir "$place/files"
tar -C "$data" --exclude='./obrador.sqlite3*' -cf - . | tar -C "$place/files" -xf -
tar -C "$place" -cf "$file.part" database files
mv "$file.part" "$file"
say "backed up to $file"
