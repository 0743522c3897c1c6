import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { PublicName } from "../../../scripts/reference.ts";

const FOLDERS = join(import.meta.dirname, ".reference");

/** Writes each example of the client's reference to a file named by its index. The folder is removed after the tests. */
export function writeExamples(names: PublicName[]) {
  const examples = names
    .filter(({ subpath }) => subpath === ".")
    .flatMap(({ name, examples }) => examples.map((code) => ({ name, code })));
  mkdirSync(FOLDERS, { recursive: true });
  const folder = mkdtempSync(`${FOLDERS}/`);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  for (const [i, { code }] of examples.entries()) writeFileSync(join(folder, `${i}.ts`), toModule(code));
  return { folder, examples };
}

function toModule(code: string): string {
  return `import { Engram, isEngramError, verifyAuditEvents, verifyWebhook, WebhookError } from "@engram/sdk";
import { createFixtures } from "../../fixtures.ts";
const { baseUrl, adminToken, operator, engram, other, organization, conversation, message, memory, key, operation } =
  await createFixtures();
{
${code}
}
`;
}
