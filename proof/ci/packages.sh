#!/usr/bin/env bash
# The packages that a release publishes, and the database that an older SQLite must read.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"

say "The packages as they are published, each installed alone into an empty project"
(cd "$ROOT" && npm run -s packages -- "$FOLDER/packages")
"$NODE" "$ROOT/sdk/check-package.ts"
mkdir "$FOLDER/installed"
cd "$FOLDER/installed"
"$NODE" "$ROOT/proof/ci/installed.mjs" "$FOLDER/packages"

say "The code of the documents, run as it stands in an empty folder"
mkdir "$FOLDER/steps"
cd "$FOLDER/steps"
"$NODE" "$ROOT/proof/ci/steps.mjs" "$FOLDER/packages"

say "The service ends with whatever launched it"
mkdir "$FOLDER/launchers"
cd "$FOLDER/launchers"
"$NODE" "$ROOT/proof/ci/launchers.mjs" "$FOLDER/packages"

say "A unit of systemd, nginx in front, backup and restore"
need nginx nginx-light
need sqlite3 sqlite3
mkdir "$FOLDER/running"
cd "$FOLDER/running"
"$NODE" "$ROOT/proof/ci/running.mjs"

say "The SDK in every runtime it is for"
mkdir "$FOLDER/runtimes"
cd "$FOLDER/runtimes"
"$NODE" "$ROOT/proof/ci/runtimes.mjs" \
  "$(echo "$FOLDER"/packages/engram-sdk-*.tgz)" "$ENGRAM_URL" "$(cat "$KEY_FILE")"

say "Every ordinary table of the database, read by the distribution's sqlite3"
need sqlite3 sqlite3
"$ROOT/proof/ci/sqlite-tables.sh" "$DATABASE_FOLDER"/*.sqlite
