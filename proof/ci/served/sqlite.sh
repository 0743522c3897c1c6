#!/usr/bin/env bash
# The database's file, by the SQLite of the distribution: an older one than D1's.
set -euo pipefail
. "$CLONE/proof/ci/stages.sh"

say "Every ordinary table of the database, read by the distribution's sqlite3"
command -v sqlite3 >/dev/null || { apt-get update -q && apt-get install -y -q sqlite3; } >/dev/null
"$CLONE/proof/ci/sqlite-tables.sh" "$FOLDER"/engram/.engram/v3/d1/miniflare-D1DatabaseObject/*.sqlite
