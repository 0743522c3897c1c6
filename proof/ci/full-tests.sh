#!/usr/bin/env bash
# The tests that `npm test` runs at a smaller size.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "The long tests at full size"
npm run test:full -- --rest
