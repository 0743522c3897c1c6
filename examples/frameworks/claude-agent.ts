// A session of the Claude Agent SDK that is stored in Engram and resumed from there. Needs a running service.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { query } from "@anthropic-ai/claude-agent-sdk";
import { EngramSessionStore } from "@engram/sdk/claude-agent";
import { engram } from "./client.ts";

const sessionStore = new EngramSessionStore(engram, { user_id: "maria" });

const { session_id: resume } = await ask("I'm allergic to walnuts, badly.");
// Simulates another machine, which has only the session's id.
const { result } = await ask("Could you book me a table for dinner?", resume);
console.log(`agent: ${result}`);
assert.equal(result, "Booked for eight. I told the kitchen about your allergy to walnuts.");

/** Run one turn with an empty configuration directory, so that no local transcript exists. */
async function ask(prompt: string, resume?: string) {
  const CLAUDE_CONFIG_DIR = await mkdtemp(join(tmpdir(), "engram-claude-"));
  // A script in place of Claude Code. Without this option, Claude answers.
  const pathToClaudeCodeExecutable = fileURLToPath(new URL("claude-code.ts", import.meta.url));
  try {
    const env = { ...process.env, CLAUDE_CONFIG_DIR };
    const options = {
      sessionStore,
      env,
      pathToClaudeCodeExecutable,
      ...(resume !== undefined && { resume }),
    };
    for await (const message of query({ prompt, options })) {
      // The SDK reports a failed append to the store as a message and continues.
      if (message.type === "system" && message.subtype === "mirror_error") throw new Error(message.error);
      if (message.type === "result" && message.subtype === "success") return message;
    }
    throw new Error("There was no result.");
  } finally {
    await rm(CLAUDE_CONFIG_DIR, { recursive: true, force: true });
  }
}
