#!/usr/bin/env bash
# The simulated day at one append a second and the simulated hour at fifty, to their end. Both fail if the sweep does not
# keep up. They use one core each and run at the same time, for about ten minutes on an idle machine.
set -euo pipefail
cd "$(dirname "$0")/../.."

npm run -s sim -- --load day &
day=$!
npm run -s sim -- --load hour
wait "$day"
