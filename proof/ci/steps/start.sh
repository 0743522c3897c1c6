#!/usr/bin/env bash
# Runs a command that starts the service until it is ready, then ends it: start.sh COMMAND…
set -euo pipefail
set -m
log=$(mktemp)
PORT=0 "$@" >"$log" 2>&1 &
service=$!
trap 'kill -- -"$service" 2>/dev/null || true; rm -f "$log"' EXIT
for _ in $(seq 300); do
  if grep -q 'Engram is ready' "$log"; then exit 0; fi
  kill -0 "$service" || { cat "$log" >&2; exit 1; }
  sleep 0.1
done
echo "not ready: $*" >&2
exit 1
