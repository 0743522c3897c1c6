#!/bin/sh
# Create a conversation, append to it and find it again, using only curl. Needs a running service: npm start
set -eu

fail() {
  printf '%s\n' "$1" >&2
  exit 1
}

url=${ENGRAM_URL:-http://127.0.0.1:26366}
key_file=$(dirname "$0")/../../.engram/key
key=${ENGRAM_API_KEY:-$(cat "$key_file" 2>/dev/null || true)}
[ -n "$key" ] || fail 'No key: start the service with npm start, or set ENGRAM_API_KEY.'

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
