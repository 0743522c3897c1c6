#!/usr/bin/env bash
# The packages that a release publishes.
set -euo pipefail
. "$CLONE/proof/ci/stages.sh"

say "The packages as they are published, installed into an empty project and used"
(cd "$CLONE" && npm run -s release -- --dry-run --keep "$FOLDER/packages")

say "The SDK in every runtime it is for"
mkdir "$FOLDER/runtimes"
cd "$FOLDER/runtimes"
"$NODE" "$FOLDER/engram/proof/ci/runtimes.mjs" \
  "$(echo "$FOLDER"/packages/engram-sdk-*.tgz)" "$ENGRAM_URL" "$(cat "$KEY_FILE")"
