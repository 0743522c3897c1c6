#!/usr/bin/env bash
# Reads every ordinary table of the first of these files that holds Engram's: sqlite-tables.sh FILE…
# Fails if a table cannot be read, or if none of the files is Engram's database.
set -euo pipefail

TABLES="SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%'"
TABLES_MIN=20

for file in "$@"; do
  names=$(sqlite3 -readonly -bail "$file" "$TABLES")
  grep -qx organizations <<<"$names" || continue
  count=0
  while read -r name; do
    sqlite3 -readonly -bail "$file" "SELECT * FROM \"$name\"" >/dev/null
    count=$((count + 1))
  done <<<"$names"
  [ "$count" -ge "$TABLES_MIN" ] || { echo "only $count tables in $file"; exit 1; }
  echo "$count tables read by SQLite $(sqlite3 --version | cut -d' ' -f1)"
  exit 0
done
echo "none of these is Engram's database: $*"
exit 1
