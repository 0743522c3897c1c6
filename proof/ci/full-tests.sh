#!/usr/bin/env bash
# What `npm test` leaves out: the larger sizes and the further cases of tests.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "The long tests at full size"
npm run test:full -- --rest
