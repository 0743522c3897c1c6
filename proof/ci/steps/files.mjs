// Files that the documents assume: what a reader has before the first step.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../../scripts/commands.mjs";
import { FILES } from "../../../site/test/moving-files.ts";

/** Writes a document's files into the folder in which its blocks run, or into the reader's home. */
export async function prepare(document, { place, home, url, key }) {
  const write = (file, text) => writeFileSync(join(place, file), text);
  if (["README.md", "cli/README.md", "site/pages/memories.md"].includes(document)) {
    mkdirSync(join(home, "Downloads"), { recursive: true });
    mkdirSync(join(home, "Notes"), { recursive: true });
    for (const file of [join(place, "conversations.json"), join(home, "Downloads/conversations.json")])
      copyFileSync(join(root, "cli/test/fixtures/chatgpt.json"), file);
    copyFileSync(join(root, "cli/test/fixtures/mem0.json"), join(place, "memories.json"));
    writeFileSync(join(home, "Notes/kettle.md"), "---\ntags: project\n---\nThe kettle leaks.\n");
    write("decisions.md", "Refunds go to the card.\n");
    const identity = ["-c", "user.name=reader", "-c", "user.email=reader@example.com"];
    execFileSync("git", ["init", "--quiet"], { cwd: place });
    execFileSync("git", [...identity, "commit", "--quiet", "--allow-empty", "-m", "Keep refunds simple"], {
      cwd: place,
    });
  }
  if (document === "cli/README.md") await storeOrder(url, key);
}

/** Writes the file that the program of a section reads. */
export function writeSectionFile(document, section, place) {
  if (document !== "site/pages/moving.md" || FILES[section] === undefined) return;
  const { file, content } = FILES[section];
  writeFileSync(join(place, file), JSON.stringify(content));
}

/** The conversation that the README of the command line searches for. */
async function storeOrder(url, key) {
  const messages = [
    ["user", "Maria", "30", "The kettle leaks. I sent it back, when do I get my money?"],
    ["assistant", null, "31", "Your refund left us on Tuesday. The bank takes three days."],
  ].map(([role, name, minute, content]) => {
    return { role, content, created_at: `2026-11-02T09:${minute}:00Z`, ...(name && { name }) };
  });
  const post = async (path, body) => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${url}/v1/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const { id } = await post("conversations", { title: "Order 1029" });
  await post(`conversations/${id}/messages`, { messages, wait: "indexed" });
}
