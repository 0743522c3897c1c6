import { DatabaseSync } from "node:sqlite";
import { Engram, type Operation } from "@engram/sdk";
import pMap from "p-map";
import { answersTo, MODES, readsOf, searchesFor } from "./support/deletion/answers.ts";
import { fillBlock } from "./support/deletion/block.ts";
import { deleteOrganization } from "./support/deletion/organization.ts";
import { type Deletion, isIn, type Stored } from "./support/deletion/stored.ts";
import { compareVectors, findDatabases } from "./support/files.ts";
import { countMarkers, findTexts } from "./support/residue.ts";
import { createTexts, markerEnd, type Sentence } from "./support/sentences.ts";
import { startTrialService, type TrialService, withDirectory } from "./support/service.ts";
import { Findings, type Trial } from "./support/trial.ts";
import { until } from "./support/until.ts";

const CONCURRENCY = 6;
/** Filled and indexed together before the deletions. */
const SHARES = 8;
const SWEEPS = { cronIntervalMs: 1_000, switchable: true };
const SETTLED_TIMEOUT_MS = 600_000;

/** A text to search for in the files. */
type VectorComparison = Sentence & Partial<Pick<Stored, "packed" | "writtenIn">>;

interface Sums {
  deletions: Map<string, number>;
  deleted: VectorComparison[];
  kept: Stored[];
  receipts: Operation[];
  /** Texts that a semantic search found just before their deletion. */
  foundByMeaning: Map<Stored["kind"], number>;
}

export const deletion: Trial = {
  name: "deletion",
  promise:
    "From the next request on, no response contains a deleted message, conversation, memory or organization, although the vector store still returns it. After the sweeps and VACUUM, no byte of it is stored.",
  counts: { of: "deletions", long: 10_000, short: 300 },
  run: ({ count, seed, place, progress, idle }) =>
    withDirectory(async (dataDirectory) => {
      const findings = new Findings();
      const texts = createTexts(seed);
      const sums: Sums = {
        deletions: new Map(),
        deleted: [],
        kept: [],
        receipts: [],
        foundByMeaning: new Map(),
      };
      const service = await startTrialService(dataDirectory, { ...SWEEPS, place });
      try {
        for (let done = 0; done < count; ) {
          const block = await fillBlock(service, service.client, texts, SHARES, findings);
          const deletions = block.deletions.slice(0, count - done);
          await pMap(
            deletions,
            async (one) => {
              await tryDeletion(service.client, one, sums, findings);
              done += 1;
              progress(`deletion: ${done} of ${count}`);
            },
            { concurrency: CONCURRENCY },
          );
          const deleted = new Set(deletions.flatMap((one) => one.texts));
          sums.deleted.push(...deleted);
          sums.kept.push(...block.stored.filter((text) => !deleted.has(text)));
        }
        const operator = new Engram({ baseUrl: service.url, apiKey: service.adminToken });
        const { name, stored, receipt } = await deleteOrganization(service, operator, texts, findings);
        sums.deleted.push(name, ...stored);
        sums.receipts.push(receipt);
        reportSums(sums, findings);
        progress("deletion: waiting until all is gone");
        await idle(() => settle(service, operator, sums, findings));
      } finally {
        await service.stop();
      }
      lookForVectors(dataDirectory, findings);
      lookForResidue(dataDirectory, sums, findings);
      return findings;
    }),
};

/** Delete, and search for everything deleted in every possible way. */
async function tryDeletion(client: Engram, one: Deletion, sums: Sums, findings: Findings): Promise<void> {
  const { of, texts, ids } = one;
  // One text of each conversation or memory; the lists cover the others.
  const asked = texts.filter((text, i) => texts.findIndex(({ homeId }) => homeId === text.homeId) === i);
  for (const text of asked) {
    const before = await answersTo(searchesFor(client, text, ["keyword"]));
    findings.expect(before.includes(text.marker), () => `${text.id} was not found before its deletion.`);
    const byMeaning = await answersTo(searchesFor(client, text, ["semantic"]));
    const found = (sums.foundByMeaning.get(text.kind) ?? 0) + Number(byMeaning.includes(text.marker));
    sums.foundByMeaning.set(text.kind, found);
  }
  sums.receipts.push(await one.ask(client));
  sums.deletions.set(of, (sums.deletions.get(of) ?? 0) + 1);
  for (const text of asked) {
    const answer = await answersTo([...searchesFor(client, text, MODES), ...readsOf(client, text)]);
    const held = isIn(answer, { texts, ids });
    findings.expect(held === undefined, () => `A response contains ${held}, of ${of}, after its deletion.`);
  }
}

/** Reports the totals, and checks that there was data to delete and data to keep. */
function reportSums({ deletions, deleted, foundByMeaning }: Sums, findings: Findings): void {
  const list = [...deletions].map(([of, count]) => `${count} of ${of}`).join(", ");
  findings.figure("deletions", `${list}, 1 of an organization`);
  findings.figure("deleted texts", deleted.length);
  for (const [kind, count] of foundByMeaning) {
    findings.figure(
      `${kind === "memory" ? "memories" : "messages"} found by meaning just before their deletion`,
      count,
    );
    findings.expect(
      count > 0,
      () =>
        `No ${kind} was found by meaning before its deletion, so the trial cannot show that it is hidden.`,
    );
  }
  for (const place of ["tags", "summary"] as const) {
    const count = deleted.filter(({ writtenIn = [] }) => writtenIn.includes(place)).length;
    findings.figure(`deleted memories with their marker in the ${place} that the text model wrote`, count);
    findings.expect(
      count > 0,
      () => `No ${place} had a marker, so the trial cannot show that it is deleted.`,
    );
  }
}

/** Wait for the visibility lag and the sweeps. */
async function settle(
  { client, set }: TrialService,
  operator: Engram,
  { receipts }: Sums,
  findings: Findings,
): Promise<void> {
  await set({ visibilityDelayMs: 0, flush: true });
  const tookMs = await until(async () => {
    const { pending, deletions_pending } = await client.index.status();
    return pending === 0 && deletions_pending === 0;
  }, SETTLED_TIMEOUT_MS);
  findings.figure("seconds until all vectors were gone", (tookMs / 1_000).toFixed(1));
  findings.expect(Number.isFinite(tookMs), () => "Vectors of deleted texts are still stored.");
  // The organization's receipt, which only the operator can still read.
  const newest = receipts.at(-1);
  if (newest === undefined) throw new Error("nothing was deleted");
  const isDone = async () => (await operator.operations.get(newest.id)).status === "succeeded";
  await until(isDone, SETTLED_TIMEOUT_MS);
  await pMap(
    receipts,
    async ({ id }) => {
      const reader = id === newest.id ? operator : client;
      const { status, type } = await reader.operations.get(id);
      findings.expect(status === "succeeded", () => `The receipt ${id} of ${type} is still ${status}.`);
    },
    { concurrency: CONCURRENCY },
  );
  const left = await answersTo([() => operator.organizations.get(newest.target_id)]);
  findings.expect(left === "", () => `Rows of the deleted organization are still stored: ${left}`);
}

/** Compare the stopped service's vectors with its chunks. */
function lookForVectors(dataDirectory: string, findings: Findings): void {
  const { same, onlyChunks, onlyVectors } = compareVectors(dataDirectory);
  findings.figure("vectors of texts that were not deleted", same);
  findings.expect(
    onlyVectors.length === 0,
    () => `${onlyVectors.length} vectors of deleted texts are still stored.`,
  );
  findings.expect(
    onlyChunks.length === 0,
    () => `${onlyChunks.length} texts that were not deleted have no vector.`,
  );
}

/** Search the stopped service's files, as they are and after `VACUUM`. */
function lookForResidue(dataDirectory: string, { deleted, kept }: Sums, findings: Findings): void {
  const parts = [...deleted, ...kept].flatMap(({ packed }) => packed ?? []);
  findings.expect(
    new Set(parts).size === parts.length,
    () => "Two compressed texts have the same middle part, so the trial cannot tell them apart.",
  );
  const look = () => {
    const markers = countMarkers(dataDirectory);
    const packed = findTexts(dataDirectory, parts);
    return {
      byMarker: (texts: VectorComparison[]) => texts.filter(({ marker }) => markers.has(markerEnd(marker))),
      asStored: (texts: VectorComparison[]) =>
        texts.filter((text) => text.packed !== undefined && packed.has(text.packed)),
    };
  };
  const packedOf = (texts: VectorComparison[]) => texts.filter((text) => text.packed !== undefined);
  const before = look();
  findings.figure(
    "deleted texts in the files before VACUUM",
    `${before.byMarker(deleted).length} of ${deleted.length}, compressed ${before.asStored(deleted).length} of ${packedOf(deleted).length}`,
  );
  for (const file of findDatabases(dataDirectory, "messages")) {
    using db = new DatabaseSync(file);
    db.exec("VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
  }
  const after = look();
  const left = [...after.byMarker(deleted), ...after.asStored(deleted)];
  findings.figure("deleted texts in the files after VACUUM", `${left.length} of ${deleted.length}`);
  findings.expect(left.length === 0, () => `Left in the files: ${left.map(({ text }) => text).join("; ")}`);
  // The marker of a compressed text is only in the keyword index, or in the text model's output.
  const plain = kept.filter(({ packed }) => packed === undefined);
  const found = [after.byMarker(plain).length, after.asStored(kept).length] as const;
  findings.figure(
    "texts in the files that were not deleted",
    `${found[0]} of ${plain.length}, compressed ${found[1]} of ${kept.length - plain.length}`,
  );
  findings.expect(
    found[0] + found[1] === kept.length,
    () =>
      `The search of the files found ${found[0]} plain and ${found[1]} compressed of ${kept.length} texts that were not deleted.`,
  );
}
