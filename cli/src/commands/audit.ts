import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { Writable } from "node:stream";
import { type AuditEvent, type AuditStart, type Engram, verifyAuditEvents } from "@engram/sdk";
import { PAGE_ITEMS_MAX } from "@engram/sdk/limits";
import type { Command } from "commander";
import { CommandError } from "../command-error.ts";
import { contextOf } from "../context.ts";
import { isStandardOutput, writeThrough } from "../file-outputs.ts";
import { examples } from "../options.ts";
import { count, oneLine, toJson } from "../output.ts";
import { STANDARD_STREAM } from "../spooled-input.ts";

const EXIT_BROKEN = 1;

export function addAudit(program: Command): void {
  const audit = program
    .command("audit")
    .description("Export the audit events, and check that none is missing or changed")
    .addHelpText(...examples("engram audit export audit.ndjson", "engram audit verify"));
  audit
    .command("export")
    .description("Write all audit events as NDJSON, oldest first; needs the scope admin")
    .argument("[file]", "file to write; - or none is standard output")
    .addHelpText(
      "after",
      `
Examples:
  $ engram audit export audit.ndjson
  $ engram audit export | jq -r 'select(.action == "key.created").target_id'
`,
    )
    .action(exportAudit);
  audit
    .command("verify")
    .description("Check the chain of hashes of audit events: those of the service, or those of exports")
    .argument(
      "[files...]",
      "exports of one organization; - is standard input. Without any, the service is asked",
    )
    .addHelpText(
      "after",
      `
An event that is missing or was changed shows in the hashes of all later ones. Whoever can write to the database
could compute all hashes again, so keep exports elsewhere: verified together with a newer one, they show that too.
Exits with 1 if something is wrong. Events of the last minutes are not in the chain yet.

Examples:
  $ engram audit verify
  $ engram audit verify audit-june.ndjson audit-july.ndjson
`,
    )
    .action(verifyAudit);
}

async function exportAudit(file: string | undefined, _options: unknown, command: Command): Promise<void> {
  const { output, client } = contextOf(command);
  const events = client().auditEvents.list({ order: "asc", limit: PAGE_ITEMS_MAX });
  const write = async (target: Writable) => {
    let written = 0;
    for await (const event of events) {
      target.write(`${toJson(event)}\n`);
      written += 1;
    }
    return written;
  };
  if (file === undefined || file === STANDARD_STREAM || isStandardOutput(file)) {
    await write(process.stdout);
    return;
  }
  const path = resolve(file);
  const written = await writeThrough(path, write);
  output.data(
    { file: path, audit_events: written },
    () => `Wrote ${count(written)} audit events to ${oneLine(file)}.`,
  );
}

async function verifyAudit(files: string[], _options: unknown, command: Command): Promise<void> {
  const { output, client } = contextOf(command);
  const { events, start } =
    files.length === 0
      ? await listEvents(client())
      : { events: (await Promise.all(files.map(readEvents))).flat(), start: null };
  const verified = await verifyAuditEvents(events, { start });
  const { first, last, hash, unchained, problems } = verified;
  output.data({ ...verified, valid: problems.length === 0 }, () =>
    [
      `${count(verified.events)} events in the chain${first === null ? "" : `, ${first} to ${last}, the last with the hash ${hash}`}.`,
      ...(start === null
        ? []
        : [`It begins after ${start.number}: a rule of retention has deleted the events up to there.`]),
      ...(unchained === 0 ? [] : [`${count(unchained)} newer ones are not in it yet.`]),
      ...problems,
      problems.length === 0 ? "None is missing or changed." : "The chain is broken.",
    ].join("\n"),
  );
  if (problems.length > 0) process.exitCode = EXIT_BROKEN;
}

/** All events of the service, and where their chain begins. */
async function listEvents(client: Engram): Promise<{ events: AuditEvent[]; start: AuditStart | null }> {
  const events: AuditEvent[] = [];
  let start: AuditStart | null | undefined;
  for await (const page of client.auditEvents.list({ order: "asc", limit: PAGE_ITEMS_MAX }).pages()) {
    events.push(...page.items);
    // As of the first event, because a rule may delete more meanwhile.
    start ??= page.start;
  }
  return { events, start: start ?? null };
}

async function readEvents(file: string): Promise<AuditEvent[]> {
  const input = file === STANDARD_STREAM ? process.stdin : createReadStream(file);
  const events: AuditEvent[] = [];
  let line = 0;
  for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    if (text.trim() === "") continue;
    const event = parse(text);
    if (event === null) throw new CommandError(`Line ${line} of ${oneLine(file)} is no audit event.`);
    events.push(event);
  }
  return events;
}

function parse(text: string): AuditEvent | null {
  try {
    const event = JSON.parse(text) as Partial<AuditEvent> | null;
    const { id, number, hash } = event ?? {};
    const isChained = Number.isInteger(number) && typeof hash === "string";
    return typeof id === "string" && (isChained || (number === null && hash === null))
      ? (event as AuditEvent)
      : null;
  } catch {
    return null;
  }
}
