#!/usr/bin/env bash
# The MCP route, with the clients that people use.
set -euo pipefail
. "$CLONE/proof/ci/stages.sh"

say "The MCP route with people's clients"
mkdir "$FOLDER/mcp-clients"
cd "$FOLDER/mcp-clients"
"$NODE" "$FOLDER/engram/proof/ci/mcp-clients.mjs" "$ENGRAM_URL" "$(cat "$KEY_FILE")"

say "The MCP route with Claude Code and Codex themselves"
mkdir "$FOLDER/coding-agents"
cd "$FOLDER/coding-agents"
"$NODE" "$FOLDER/engram/proof/ci/coding-agents.mjs" "$ENGRAM_URL" "$(cat "$KEY_FILE")"
