#!/usr/bin/env bash
# The MCP route, with the clients that people use, and the examples that need only the service.
set -euo pipefail
. "$ROOT/proof/ci/stages.sh"

say "The MCP route with people's clients"
mkdir "$FOLDER/mcp-clients"
cd "$FOLDER/mcp-clients"
"$NODE" "$ROOT/proof/ci/mcp-clients.mjs" "$ENGRAM_URL" "$(cat "$KEY_FILE")"

say "The MCP route with Claude Code and Codex themselves"
mkdir "$FOLDER/coding-agents"
cd "$FOLDER/coding-agents"
"$NODE" "$ROOT/proof/ci/coding-agents.mjs" "$ENGRAM_URL" "$(cat "$KEY_FILE")"

say "The plugin in Claude Code and Codex"
"$NODE" "$ROOT/proof/ci/plugin.mjs" "$ENGRAM_URL" "$(cat "$KEY_FILE")"
