#!/usr/bin/env bash
# The simulator and the recall floors.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "500 simulated runs in which everything goes wrong that can"
npm run -s sim -- --seeds 500

say "Recall on chats, no lower than it was"
npm run -s bench:recall -- --set chats --scope shared --floors proof/bench/floors.json

say "Recall on notes, no lower than it was"
npm run -s bench:recall -- --set notes --floors proof/bench/floors.json
