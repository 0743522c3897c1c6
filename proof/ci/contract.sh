#!/usr/bin/env bash
# The service, compared with its OpenAPI document and with the site's collection of requests.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"

say "Every operation asked by a generator of requests, answered as its document says"
need java default-jre-headless
mkdir "$FOLDER/specmatic" "$FOLDER/contract"
cd "$FOLDER/specmatic"
printf '{"private":true}\n' >package.json
npm install --no-audit --no-fund --ignore-scripts specmatic@2.55.1
"$NODE" "$ROOT/proof/ci/contract.mjs" \
  "$ENGRAM_URL" "$(cat "$TOKEN_FILE")" node_modules/specmatic/specmatic.jar "$FOLDER/contract"

say "The site's collection of requests, each understood as it stands"
(cd "$ROOT" && npm run -s site)
mkdir "$FOLDER/collection"
cd "$FOLDER/collection"
"$NODE" "$ROOT/proof/ci/collection.mjs" \
  "$ROOT/site/dist/generated/engram.postman_collection.json" "$ROOT/spec/openapi.json" \
  "$ENGRAM_URL" "$(cat "$KEY_FILE")" "$(cat "$TOKEN_FILE")"
