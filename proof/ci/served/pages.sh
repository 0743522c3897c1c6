#!/usr/bin/env bash
# The pages that people read, in a browser.
set -euo pipefail
. "$CLONE/proof/ci/stages.sh"

say "The docs page in a browser"
command -v chromium >/dev/null || { apt-get update -q && apt-get install -y -q chromium; } >/dev/null
mkdir "$FOLDER/browser"
cd "$FOLDER/browser"
printf '{"private":true}\n' >package.json
npm install --no-audit --no-fund playwright-core@1.65.1
"$NODE" "$FOLDER/engram/proof/ci/docs-page.mjs" \
  "$ENGRAM_URL" "$(cat "$KEY_FILE")" "$(cat "$TOKEN_FILE")" "$FOLDER/docs.png"

say "The documentation site, page by page, in a browser"
(cd "$CLONE" && npm run -s site)
"$NODE" "$CLONE/proof/ci/site.mjs" "$CLONE/site" "$FOLDER/site"
