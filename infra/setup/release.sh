#!/usr/bin/env bash
# Fails if this checkout is not ready to be tagged as a release: says what to do.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/setup/lib.sh
. infra/setup/web.sh
version=$(sed -n 's/^VERSION = "\(.*\)"$/\1/p' project/settings.py)
[ -n "$version" ] || fail "project/settings.py names no VERSION."
grep -q "^version = \"$version\"$" pyproject.toml || fail "pyproject.toml has another version than project/settings.py, $version."
grep -q "^  \"version\": \"$version\",$" web/package.json || fail "web/package.json has another version than project/settings.py, $version."
grep -q "^## $version " CHANGELOG.md || fail "CHANGELOG.md has no heading \"## $version\" with its day."
stamp_says infra/docs/pictures.build "$(web_sources)" || fail "the README's pictures show another client: run make pictures, and look at them."
[ -z "$(git status --porcelain)" ] || fail "there are changes that are not committed."
say "$version can be tagged"
