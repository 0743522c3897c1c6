import { mayBeHeld } from "../model/holds.ts";
import type { ImportModel } from "../model/model.ts";
import { Write } from "../model/write.ts";
import { expect } from "../violation.ts";
import type { Answer } from "../world.ts";
import type { Client, Outcome } from "./client.ts";
import { composeLines } from "./imported-lines.ts";
import { listMessages } from "./reads.ts";

/** Longer than a repeat can take to arrive and to be served. */
const LANDED_MS = 200_000;

/** Imports lines in parts. Sometimes sends a part twice or too early, or cancels the import during a part. */
export async function importLines(client: Client): Promise<void> {
  const { random } = client;
  const one = await begin(client);
  if (one === null) return;
  const isCanceled = random.chance(0.4);
  let wasRepeated = false;
  const send = async (from: number, to: number) => {
    const { isRepeated } = await sendPart(client, one, from, to);
    wasRepeated ||= isRepeated;
  };
  for (let from = 0; from < one.lines.length; ) {
    const to = Math.min(one.lines.length, from + random.between(1, 4));
    if (random.chance(0.1)) await send(to, Math.min(one.lines.length, to + 2));
    const sending = send(from, to);
    const isCanceledNow = isCanceled && one.cancel === null && random.chance(0.4);
    // Together, so that a violation in either ends the run at once.
    await Promise.all([sending, isCanceledNow ? cancelImport(client, one) : undefined]);
    if (random.chance(0.3)) await readImport(client, one);
    // Sends the last part again, or all lines so far in other parts.
    if (random.chance(0.2)) await send(random.pick([0, from]), to - random.between(0, 1));
    if (one.acknowledgedTo < to) {
      // The import is canceled, or the part may not be stored. The next part may therefore be rejected and
      // never stored.
      if (one.cancel === null || to === one.lines.length || random.chance(0.5)) break;
    }
    from = to;
  }
  if (random.chance(0.5)) await readImport(client, one);
  for (const conversation of conversationsOf(client, one)) {
    if (random.chance(0.5)) await listMessages(client, conversation);
  }
  client.world.clock.schedule(wasRepeated ? LANDED_MS : 0, () => land(client, one));
}

async function begin(client: Client): Promise<ImportModel | null> {
  const { model, organization, random } = client;
  const lines = composeLines(client);
  const announced = random.chance(0.5) ? lines.length : null;
  const { answer } = await client.ask({
    name: "begin import",
    method: "POST",
    path: "/v1/imports",
    body: announced === null ? {} : { lines: announced },
    once: true,
  });
  if (answer?.status !== 202) {
    for (const { creation } of lines) creation.isRefused = true;
    return null;
  }
  const { id: operationId, progress, status } = answer.body;
  expect(
    status === "running" && progress.done === 0 && progress.total === announced,
    "imports",
    () => `an import begins as ${JSON.stringify(answer.body)}`,
  );
  const one = { organization, operationId, announced, lines };
  const opened: ImportModel = { ...one, sentTo: 0, acknowledgedTo: 0, isLastSent: false, cancel: null };
  model.imports.push(opened);
  return opened;
}

/** Sends some lines, with retries. The response decides which lines count as stored. */
async function sendPart(client: Client, one: ImportModel, from: number, to: number): Promise<Outcome> {
  const part = one.lines.slice(from, to);
  const isLast = to === one.lines.length;
  const isEarly = from > one.sentTo;
  const isOff = one.cancel !== null && one.cancel.done <= client.step;
  // The preceding lines may or may not be stored.
  const mayLack = from > one.acknowledgedTo;
  const note = () => {
    one.sentTo = Math.max(one.sentTo, to);
    one.isLastSent ||= isLast;
  };
  // Canceled before this part was sent: none of its lines is ever stored.
  if (isOff) for (const { creation } of one.lines.slice(one.sentTo)) creation.isRefused = true;
  if (!isEarly) note();
  const query = `operation_id=${one.operationId}&after_line=${from}${isLast ? "&last=true" : ""}`;
  const outcome = await client.ask({
    name: "import part",
    method: "POST",
    path: `/v1/imports/lines?${query}`,
    lines: part.map(({ line }) => line),
    // A repeat could arrive when the part is no longer too early.
    isRepeatable: !isEarly,
  });
  const { answer, span } = outcome;
  if (isEarly && answer === null) note();
  if (answer?.status === 409) judgeRefusal(one, answer, mayLack);
  if (answer?.status !== 200) return outcome;
  expect(
    !isEarly && !(one.cancel !== null && one.cancel.done <= span.begin),
    "imports",
    () => `lines after ${from} are accepted by ${one.operationId}`,
  );
  one.acknowledgedTo = Math.max(one.acknowledgedTo, to);
  judgeTaken(client, one, { from, to }, outcome);
  return outcome;
}

/** Every acknowledged line is stored, except a memory whose content already existed. */
function judgeTaken(
  client: Client,
  one: ImportModel,
  range: { from: number; to: number },
  outcome: Outcome,
): void {
  const part = one.lines.slice(range.from, range.to);
  const { conversations, memories, messages, problems, skipped } = outcome.answer?.body ?? {};
  const left = new Set<number>();
  for (const { line } of skipped as { line: number }[]) {
    expect(one.organization.forgets.length > 0, "imports", () => `line ${range.from + line} is skipped`);
    left.add(line - 1);
  }
  for (const { code, line } of problems as { code: string; line: number }[]) {
    const kind = part[line - 1]?.kind;
    expect(
      // Or soft-deleted by a canceled deletion of the organization.
      (kind === "memory" && code === "import_conflict") ||
        one.organization.deletions.length > 0 ||
        (code === "held" && mayBeHeld(one.organization, outcome.span)),
      "imports",
      () => `line ${range.from + line} of ${one.operationId} is refused as ${code}`,
    );
    left.add(line - 1);
  }
  const sum = [conversations, memories, messages].reduce(
    (all, { created, existing }) => all + created + existing,
    0,
  );
  expect(sum + left.size === part.length, "imports", () => `${sum} of ${part.length} lines are reported`);
  for (const [i, { creation }] of part.entries()) {
    if (!left.has(i)) creation.done = Math.min(creation.done, client.step);
  }
}

/** A rejected part may have been too early, or the import was canceled. */
function judgeRefusal({ cancel, operationId }: ImportModel, { body }: Answer, mayLack: boolean): void {
  expect(
    (body.code === "lines_missing" && mayLack) || (body.code === "operation_ended" && cancel !== null),
    "imports",
    () => `a part of ${operationId} is answered ${body.code}`,
  );
}

async function cancelImport(client: Client, one: ImportModel): Promise<void> {
  await client.world.clock.sleep(client.random.between(0, 40));
  const write = new Write(client.step);
  one.cancel = write;
  const path = `/v1/operations/${one.operationId}/cancel`;
  const outcome = await client.ask({ name: "cancel import", method: "POST", path });
  client.settle(write, outcome);
  const { answer } = outcome;
  expect(
    answer?.status !== 409 || one.isLastSent,
    "imports",
    () => `${one.operationId} cannot be canceled, and is not complete`,
  );
  if (answer?.status === 200) judgeProgress(one, answer.body, { doneTo: 0 });
}

/** Checks an import's progress: at least the acknowledged lines, at most the sent ones. */
export async function readImport(client: Client, one: ImportModel): Promise<void> {
  const before = { doneTo: one.acknowledgedTo };
  const isOff = one.cancel !== null && one.cancel.done <= client.step;
  const path = `/v1/operations/${one.operationId}`;
  const { answer } = await client.ask({ name: "look at the import", method: "GET", path });
  if (answer?.status !== 200) return;
  judgeProgress(one, answer.body, before);
  expect(
    !isOff || answer.body.status === "canceled",
    "imports",
    () => `${one.operationId} was canceled, and is ${answer.body.status}`,
  );
}

function judgeProgress(
  one: ImportModel,
  { progress, status }: Answer["body"],
  { doneTo }: { doneTo: number },
): void {
  const { done, total } = progress;
  expect(
    done >= doneTo &&
      done <= one.sentTo &&
      (status !== "succeeded" || (one.isLastSent && done === one.lines.length && total === done)) &&
      (status !== "running" || !one.isLastSent || done < one.lines.length) &&
      (status !== "canceled" || one.cancel !== null),
    "imports",
    () => `${one.operationId} is ${status} at ${done} of ${total}, ${doneTo} to ${one.sentTo} were sent`,
  );
}

/** From now on, other clients may use the imported items. */
function land(client: Client, one: ImportModel): void {
  const written = new Set(
    one.lines.filter(({ creation }) => creation.done <= client.step).map(({ creation }) => creation),
  );
  for (const { creation, landing } of [...one.organization.conversations, ...one.organization.memories]) {
    if (landing !== null && written.has(creation)) landing.done = client.step;
  }
}

const conversationsOf = ({ organization }: Client, { lines }: ImportModel) => {
  const creations = new Set(lines.map(({ creation }) => creation));
  return organization.conversations.filter(({ creation }) => creations.has(creation));
};
