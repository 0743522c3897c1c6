#!/usr/bin/env bash
# The service, compared with its OpenAPI document and with the site's collection of requests.
set -euo pipefail
. "$CLONE/proof/ci/stages.sh"

say "Every operation asked by a generator of requests, answered as its document says"
command -v java >/dev/null || { apt-get update -q && apt-get install -y -q default-jre-headless; } >/dev/null
mkdir "$FOLDER/specmatic" "$FOLDER/contract"
cd "$FOLDER/specmatic"
printf '{"private":true}\n' >package.json
npm install --no-audit --no-fund --ignore-scripts specmatic@2.55.1
"$NODE" "$FOLDER/engram/proof/ci/contract.mjs" \
  "$ENGRAM_URL" "$(cat "$TOKEN_FILE")" node_modules/specmatic/specmatic.jar "$FOLDER/contract"

say "The site's collection of requests, each understood as it stands"
mkdir "$FOLDER/collection"
cd "$FOLDER/collection"
"$NODE" "$FOLDER/engram/proof/ci/collection.mjs" \
  "$CLONE/site/dist/generated/engram.postman_collection.json" "$FOLDER/engram/spec/openapi.json" \
  "$ENGRAM_URL" "$(cat "$KEY_FILE")" "$(cat "$TOKEN_FILE")"
