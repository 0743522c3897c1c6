#!/usr/bin/env bash
# Starts the service as a newcomer does, uses it, runs a command with it, and ends it: served.sh [COMMAND…]
# It has an empty HOME, an empty data directory and a free port. The command gets ENGRAM_URL, the files KEY_FILE and
# TOKEN_FILE with the key and the admin token, DATABASE_FOLDER, NODE, ROOT, and FOLDER for its own files.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

export ROOT=$PWD FOLDER NODE=$PWD/node_modules/.bin/node
FOLDER=$(mktemp -d)
export KEY_FILE=$FOLDER/data/key TOKEN_FILE=$FOLDER/data/admin-token
export DATABASE_FOLDER=$FOLDER/data/v3/do/engram-Database
service=
finish() {
  if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; fi
  rm -rf "$FOLDER"
}
trap finish EXIT
# Without these, a signal would skip the end above.
trap 'exit 130' INT
trap 'exit 143' TERM

mkdir "$FOLDER/home"
HOME=$FOLDER/home PORT=0 ENGRAM_DATA=$FOLDER/data npm start >"$FOLDER/log" 2>&1 &
service=$!
until grep -q 'Press Ctrl-C to stop' "$FOLDER/log"; do
  kill -0 "$service" 2>/dev/null || { hide_keys "$FOLDER/log"; echo "The service did not start."; exit 1; }
  sleep 0.2
done
hide_keys "$FOLDER/log"
ENGRAM_URL=$(sed -n 's/^ *URL *//p' "$FOLDER/log")
export ENGRAM_URL

bash -c "$(grep -m 1 '^  curl ' "$FOLDER/log")" | grep '"id":"conv_'
ENGRAM_API_KEY=$(cat "$KEY_FILE") "$NODE" examples/quickstart/quickstart.ts
curl -fsS "$ENGRAM_URL/v1/search" -H "authorization: Bearer $(cat "$KEY_FILE")" -H 'content-type: application/json' \
  -d '{"query":"refund","mode":"keyword"}' | grep -o 'Your refund left us on Tuesday'

[ $# -eq 0 ] || "$@"

kill "$service"
wait "$service" || true
service=
if curl -s -o /dev/null "$ENGRAM_URL/health"; then echo "The service still answers after SIGTERM."; exit 1; fi
echo "The service ended."
