#!/usr/bin/env bash
# The promises, tried on the running service, but for the one that needs the machine for itself.
set -euo pipefail
cd "$(dirname "$0")/../.."
. proof/ci/stages.sh

say "Promises tried on the running service"
npm run -s trials -- --short --except noisy-neighbour
