#!/usr/bin/env bash
# The pages that people read, in a browser.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"

say "The docs page in a browser"
need chromium chromium
"$NODE" "$ROOT/proof/ci/docs-page.mjs" \
  "$ENGRAM_URL" "$(cat "$KEY_FILE")" "$(cat "$TOKEN_FILE")" "$FOLDER/docs.png"

say "The console in a browser"
# Screenshots of every screen, which the workflow keeps.
rm -rf "$ROOT/proof/artifacts/console"
"$NODE" "$ROOT/console/browser/console.ts" "$ENGRAM_URL" "$(cat "$TOKEN_FILE")" "$ROOT/proof/artifacts/console"

say "The documentation site, page by page, in a browser"
(cd "$ROOT" && npm run -s site)
"$NODE" "$ROOT/proof/ci/site.mjs" "$ROOT/site" "$FOLDER/site"
