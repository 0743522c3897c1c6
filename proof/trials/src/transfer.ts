import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { Engram, type ExportedLine, type ImportedLines, type ImportProgress } from "@engram/sdk";
import { residentBytes } from "../../support/memory.ts";
import { createRandom } from "../../support/random.ts";
import { fillConversations, fillMemories } from "./support/filled.ts";
import { messagesIn } from "./support/found.ts";
import type { Sentence } from "./support/sentences.ts";
import { type TrialService, withDirectory, withService } from "./support/service.ts";
import { Findings, type Trial, type TrialInput } from "./support/trial.ts";

const MEGABYTE = 1_000_000;
const SEARCHES = 20;
/** Share of the lines after which memory use should be stable. */
const WARM_SHARE = 0.2;
/** Upper bound on the growth after that, independent of the number of lines. */
const GROWTH_MAX = 64 * MEGABYTE;

export const transfer: Trial = {
  name: "transfer",
  promise:
    "An export that is imported into an empty organization makes equal items, which keyword search finds at once. A second import changes nothing. Memory does not grow with the amount of data.",
  counts: { of: "messages", long: 100_000, short: 2_000 },
  measures: true,
  run: (input) =>
    withService({ switchable: true, place: input.place }, (service) =>
      withDirectory(async (directory) => {
        const findings = new Findings();
        // Vectors are not transferred. Without them, time and memory are those of the transfer alone.
        await service.set({ ai: "3040" });
        const backup = join(directory, "backup.ndjson");
        const filling = { ...input, progress: (text: string) => input.progress(`transfer: ${text}`) };
        const sentences = await fillConversations(service, filling);
        const noted = await fillMemories(service, filling);
        const exported = await exportTo(backup, service.client, service, input, findings);
        const copy = await createOrganization(service);
        await importFrom(backup, exported, copy, service, input, findings);
        await findAgain(sentences, input, findings, async (query) =>
          messagesIn((await copy.search(query)).results).map(({ content }) => content),
        );
        await findAgain(noted, input, findings, async (query) =>
          (await copy.memories.search(query)).results.map(({ memory }) => memory.content),
        );
        const again = await copy.import(linesOf(backup));
        findings.expect(
          isAllThere(again, exported.lines),
          () => `The second import: ${JSON.stringify(again)}`,
        );
        const digest = await digestInParts(copy, exported);
        findings.expect(
          digest === exported.digest,
          () => "An export of the copy differs from the export of the original.",
        );
        return findings;
      }),
    ),
};

interface Exported {
  lines: number;
  messages: number;
  memories: number;
  digest: string;
}

/** Export to a file, and check the memory bound. */
async function exportTo(
  file: string,
  client: Engram,
  service: TrialService,
  { count, short, progress }: TrialInput,
  findings: Findings,
): Promise<Exported> {
  const memory = new Memory(service.pid);
  const hash = createHash("sha256");
  let lines = 0;
  let messages = 0;
  let memories = 0;
  const startMs = performance.now();
  const text = async function* () {
    for await (const line of client.export()) {
      lines += 1;
      if (line.type === "message") messages += 1;
      if (line.type === "memory") memories += 1;
      if (lines % 1_000 === 0) {
        memory.look(messages < WARM_SHARE * count);
        progress(`transfer: ${messages} messages exported`);
      }
      const json = toText(line);
      hash.update(json);
      yield json;
    }
  };
  await pipeline(Readable.from(text()), createWriteStream(file));
  findings.figure(
    "exported",
    `${rate(messages, startMs)}, ${lines - messages - memories} conversations, ${memories} memories`,
  );
  findings.figure("memory of an export", memory.describe());
  // A few thousand lines are complete before the heaps have grown to their size.
  if (!short) memory.expectBounded(findings);
  return { lines, messages, memories, digest: hash.digest("hex") };
}

/** Import a file that ends early, resume it by its operation, and check the memory bound. */
async function importFrom(
  file: string,
  { lines, messages }: Exported,
  copy: Engram,
  service: TrialService,
  { short, progress }: TrialInput,
  findings: Findings,
): Promise<void> {
  const memory = new Memory(service.pid);
  const startMs = performance.now();
  const { id: operationId } = await copy.createImport({ lines });
  const ending = new AbortController();
  const onProgress = ({ lines: answered }: ImportProgress) => {
    memory.look(answered < WARM_SHARE * lines);
    progress(`transfer: ${answered} lines imported`);
    if (answered >= lines / 2) ending.abort();
  };
  const isAborted = await copy
    .import(linesOf(file), { operationId, onProgress, signal: ending.signal })
    .then(() => false)
    .catch(() => true);
  const half = await copy.operations.get(operationId);
  const imported = await copy.import(linesOf(file), { operationId, onProgress });
  findings.figure("imported", rate(messages, startMs));
  findings.expect(
    isAborted && half.status === "running" && half.type === "import" && half.lines_processed >= lines / 2,
    () => `The stopped import: ${JSON.stringify(half)}`,
  );
  const whole = await copy.operations.get(operationId);
  findings.expect(
    whole.status === "succeeded" && whole.type === "import" && whole.lines_processed === lines,
    () => `The resumed import: ${JSON.stringify(whole)}`,
  );
  findings.figure("memory of an import", memory.describe());
  // A few thousand lines are complete before the heaps have grown to their size.
  if (!short) memory.expectBounded(findings);
  findings.expect(imported.problems.length === 0, () => JSON.stringify(imported.problems.slice(0, 5)));
}

/** Search for some texts by their unique word, in the first requests after the import. */
async function findAgain(
  sentences: Sentence[],
  { seed }: TrialInput,
  findings: Findings,
  search: (query: { query: string; mode: "keyword"; limit: number }) => Promise<string[]>,
): Promise<void> {
  const random = createRandom(`${seed} searches`);
  for (let i = 0; i < SEARCHES; i++) {
    const { marker } = random.pick(sentences);
    const contents = await search({ query: marker, mode: "keyword", limit: 1 });
    const found = contents.some((content) => content.includes(marker));
    findings.expect(found, () => `${marker} is not found.`);
  }
}

/**
 * Digest of an export that is stopped among the messages and among the memories, and resumed after its last
 * line.
 */
async function digestInParts(client: Engram, { lines, memories }: Exported): Promise<string> {
  const hash = createHash("sha256");
  const stops = [lines / 2, lines - memories / 2];
  let place = {};
  let told = 0;
  for (const stop of [...stops, Number.POSITIVE_INFINITY]) {
    for await (const line of client.export(place)) {
      hash.update(toText(line));
      place = behind(line);
      told += 1;
      if (told >= stop) break;
    }
  }
  return hash.digest("hex");
}

function behind(line: ExportedLine) {
  if (line.type === "message") return { after: line.conversation_id, after_sequence: line.sequence };
  if (line.type === "memory_version") return { after: line.memory_id, after_version: line.version };
  return { after: line.id };
}

async function createOrganization({ url, adminToken }: TrialService): Promise<Engram> {
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const { key } = await operator.organizations.create({ name: "copy" });
  return new Engram({ baseUrl: url, apiKey: key.secret });
}

const toText = (line: ExportedLine): string => `${JSON.stringify(line)}\n`;
const linesOf = (file: string) => createInterface({ input: createReadStream(file) });

function isAllThere({ problems, conversations, messages, memories }: ImportedLines, lines: number): boolean {
  const counts = [conversations, messages, memories];
  const sum = (what: "created" | "existing") => counts.reduce((total, count) => total + count[what], 0);
  return problems.length === 0 && sum("created") === 0 && sum("existing") === lines;
}

function rate(messages: number, startMs: number): string {
  const seconds = (performance.now() - startMs) / 1_000;
  return `${messages.toLocaleString("en")} messages in ${seconds.toFixed(1)} s, ${Math.round(messages / seconds).toLocaleString("en")} a second`;
}

/** Memory of a process and its descendants: before, during the beginning, and afterwards. */
class Memory {
  readonly #pid: number;
  readonly #before: number;
  #warm: number;
  #peak: number;

  constructor(pid: number) {
    this.#pid = pid;
    this.#before = residentBytes(pid);
    this.#warm = this.#before;
    this.#peak = this.#before;
  }

  look(isBeginning: boolean): void {
    const bytes = residentBytes(this.#pid);
    if (isBeginning) this.#warm = Math.max(this.#warm, bytes);
    this.#peak = Math.max(this.#peak, bytes);
  }

  /** Checks nothing where process memory cannot be read (NaN). */
  expectBounded(findings: Findings): void {
    const growth = this.#peak - this.#warm;
    findings.expect(!(growth > GROWTH_MAX), () => `Memory grew by ${growth} bytes after the beginning.`);
  }

  describe(): string {
    const [before, warm, peak] = [this.#before, this.#warm, this.#peak].map(
      (bytes) => `${(bytes / MEGABYTE).toFixed(0)} MB`,
    );
    return `${before} before, ${warm} at most in the first fifth, ${peak} at most in all`;
  }
}
