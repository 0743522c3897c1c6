#!/usr/bin/env bash
# The check of the sources, then a newcomer's clone and all that uses the service that it serves.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "Format, lint, types, generated files, import directions, documents"
npm run check

# The stages below read these.
export CLONE=$PWD FOLDER NODE ENGRAM_URL KEY_FILE TOKEN_FILE
FOLDER=$(mktemp -d)
NODE=$FOLDER/engram/node_modules/.bin/node
KEY_FILE=$FOLDER/engram/.engram/key
TOKEN_FILE=$FOLDER/engram/.engram/admin-token
PORT=${CI_PORT:-18787}
ENGRAM_URL=http://127.0.0.1:$PORT
service=
finish() {
  if [ -n "$service" ]; then kill "$service" 2>/dev/null || true; wait "$service" 2>/dev/null || true; fi
  rm -rf "$FOLDER"
}
trap finish EXIT
# Without these, a signal would skip the end above.
trap 'exit 130' INT
trap 'exit 143' TERM

say "A newcomer's clone: empty folder, empty HOME, the README's commands"
git clone --quiet . "$FOLDER/engram"
mkdir "$FOLDER/home"
(cd "$FOLDER/engram" && HOME=$FOLDER/home PORT=$PORT exec npm start) >"$FOLDER/log" 2>&1 &
service=$!
for _ in $(seq 600); do
  grep -q 'Engram is ready' "$FOLDER/log" && break
  kill -0 "$service" 2>/dev/null || { hide_keys "$FOLDER/log"; exit 1; }
  sleep 0.5
done
hide_keys "$FOLDER/log"
cd "$FOLDER/engram"
line=$(grep -m 1 '^  curl ' "$FOLDER/log")
bash -c "$line" | grep '"id":"conv_'
"$NODE" examples/quickstart/quickstart.ts
"$NODE" examples/agent-memory/agent.ts
"$NODE" examples/refund-triage/agent.ts
"$NODE" examples/mcp-client/client.ts
sh examples/curl/curl.sh
cd "$CLONE"

for stage in sqlite pages contract packages mcp; do "proof/ci/served/$stage.sh"; done

say "The service ends when asked to"
kill "$service"
wait "$service" || true
service=
if curl -s -o /dev/null "$ENGRAM_URL/health"; then echo "still serving"; exit 1; fi
