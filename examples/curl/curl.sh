#!/bin/sh
# Create a conversation, append to it and find it again, using only curl. Needs a running service: npm start
set -eu

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

url=${ENGRAM_URL:-}
key=${ENGRAM_API_KEY:-}
# Otherwise the service that runs on this machine, as `engram login` finds it: a file each with its address and its data.
for file in "${XDG_STATE_HOME:-$HOME/.local/state}"/engram/services/*.json; do
  [ -f "$file" ] || continue
  local_url=$(sed -n 's/.*"url":"\([^"]*\)".*/\1/p' "$file")
  data=$(sed -n 's/.*"data":"\([^"]*\)".*/\1/p' "$file")
  pid=$(sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$file")
  kill -0 "$pid" 2>/dev/null && [ "${url:-$local_url}" = "$local_url" ] || continue
  url=$local_url
  key=${key:-$(cat "$data/key")}
done
[ -n "$url" ] && [ -n "$key" ] ||
  fail 'No key: start the service with npm start, or set ENGRAM_URL and ENGRAM_API_KEY.'

# post PATH JSON: prints the response; for an error status, prints it as an error and exits.
post() {
  answer=$(curl --silent --show-error --fail-with-body "$url$1" \
    --header "authorization: Bearer $key" --header 'content-type: application/json' --data "$2") ||
    fail "POST $1 failed: $answer"
  printf '%s\n' "$answer"
}

conversation=$(post /v1/conversations '{"title":"Order 1029"}')
id=$(printf '%s' "$conversation" | sed -n 's/.*"id":"\(conv_[^"]*\)".*/\1/p')
[ -n "$id" ] || fail "No conversation id in: $conversation"

appended=$(post "/v1/conversations/$id/messages" '{
  "messages": [
    { "role": "user", "content": "The kettle leaks. I sent it back, when do I get my money?" },
    { "role": "assistant", "content": "Your refund left us on Tuesday. The bank takes three days." }
  ],
  "wait": "indexed"
}')
case $appended in
  *'"last_sequence":2'*) ;;
  *) fail "Two messages should be stored, but: $appended" ;;
esac

found=$(post /v1/search "{ \"query\": \"payment for a returned appliance\", \"conversation_id\": \"$id\", \"limit\": 1 }")
case $found in
  *"$id"*'Your refund left us on Tuesday.'*) printf 'Found in %s: Your refund left us on Tuesday.\n' "$id" ;;
  *) fail "The refund should be found, but: $found" ;;
esac
