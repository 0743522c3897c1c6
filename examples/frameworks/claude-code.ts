// A scripted replacement for the Claude Code program. It answers one prompt with the resumed transcript as
// its memory, and reports its turn's transcript in the way the Agent SDK expects.
import { randomUUID } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { answer } from "./model.ts";

const home = process.env.CLAUDE_CONFIG_DIR ?? "";
const resume = process.argv.find((argument) => argument.startsWith("--resume="))?.split("=")[1];
const session_id = resume ?? randomUUID();
const [transcript] = globSync(join(home, "projects/*", `${session_id}.jsonl`));
const said = transcript === undefined ? "" : readFileSync(transcript, "utf8");

const send = (message: object) => process.stdout.write(`${JSON.stringify(message)}\n`);

for await (const line of createInterface(process.stdin)) {
  const { type, request_id, message } = JSON.parse(line);
  if (type === "control_request") {
    send({
      type: "control_response",
      response: { subtype: "success", request_id, response: { commands: [] } },
    });
  }
  if (type !== "user") continue;
  const text = answer([said, message]);
  const reply = { role: "assistant", content: [{ type: "text", text }] };
  const known = {
    sessionId: session_id,
    parentUuid: null,
    timestamp: new Date().toISOString(),
    cwd: process.cwd(),
  };
  const asked = { type: "user", uuid: randomUUID(), message, ...known };
  const replied = { type: "assistant", uuid: randomUUID(), message: reply, ...known, parentUuid: asked.uuid };
  const project = process.cwd().replaceAll(/[^a-zA-Z0-9]/g, "-");
  const filePath = transcript ?? join(home, "projects", project, `${session_id}.jsonl`);
  send({ type: "assistant", uuid: replied.uuid, session_id, parent_tool_use_id: null, message: reply });
  send({ type: "transcript_mirror", filePath, entries: [asked, replied] });
  send({ type: "result", subtype: "success", is_error: false, session_id, result: text, num_turns: 1 });
}
