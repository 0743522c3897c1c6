#!/usr/bin/env bash
# The recall of searches and the rules for entities, compared with the floors below which they may not fall.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "Recall on chats"
npm run -s bench:recall -- --set chats --scope shared --floors proof/bench/floors.json

say "Recall on notes"
npm run -s bench:recall -- --set notes --floors proof/bench/floors.json

say "Questions in other words than the notes of small stores"
npm run -s test:full -- proof/bench/test/small-stores

say "Entities by rule, no lower than they were"
npm run -s bench:entities -- --floors proof/bench/entity-floors.json

say "Relevance in small and large stores"
npm run -s bench:relevance -- --chats --check
