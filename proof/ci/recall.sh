#!/usr/bin/env bash
# The recall of searches, compared with the floors below which it may not fall.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "Recall on chats"
npm run -s bench:recall -- --set chats --scope shared --floors proof/bench/floors.json

say "Recall on notes"
npm run -s bench:recall -- --set notes --floors proof/bench/floors.json
