import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import type { Note } from "../../notes/notes.ts";
import type { Filter } from "../../notes/script.ts";
import type { Mode, Remote } from "../args.ts";

/** Most memories that one capture may carry. */
const CAPTURE_MAX = 1_000;
const POLL_MS = 250;
/** Indexing that has not moved for so long is taken for stuck. */
const STALLED_MS = 300_000;

export interface NoteSearch extends Filter {
  query: string;
  mode: Mode;
  limit: number;
}

/** The part of an answer that is measured; results best first. */
export interface NoteAnswer {
  results: { memory: { id: string; content: string }; relevance: number }[];
  degraded: string[];
  /** Memories that cannot be found by their meaning yet. */
  pending: number;
}

/** What a run needs of a service: one organization's memories. */
export interface Notebook {
  /** Store notes. @returns The ids that they have there, in their order. */
  capture(notes: readonly Note[]): Promise<string[]>;
  /** Resolves once everything can be found by its meaning; tells how many wait. */
  whenIndexed(onWaiting: (count: number) => void): Promise<void>;
  search(body: NoteSearch): Promise<NoteAnswer>;
  /** Delete the organization, if it was made for this. */
  close(): Promise<void>;
}

/**
 * The memories of a running service: of a new organization with an admin token, of the key's own without.
 *
 * @throws {Error} when the key's organization holds memories already, as they would be found, too.
 */
export async function openNotebook({ url, adminToken, key = "" }: Remote): Promise<Notebook> {
  if (adminToken === undefined) {
    const notebook = toNotebook(url, key, async () => {});
    const held = await request<{ items: unknown[] }>(url, key, "/v1/memories?limit=1");
    if (held.items.length > 0) throw new Error("The organization of --key holds memories; it must be empty");
    return notebook;
  }
  const operator = new Engram({ baseUrl: url, apiKey: adminToken });
  const made = await operator.organizations.create({ name: "notes" });
  return toNotebook(url, made.key.secret, async () => {
    await operator.organizations.delete(made.organization.id);
  });
}

function toNotebook(url: string, key: string, close: () => Promise<void>): Notebook {
  const search = (body: NoteSearch) => request<NoteAnswer>(url, key, "/v1/memories/search", body);
  return {
    async capture(notes) {
      const ids: string[] = [];
      for (let from = 0; from < notes.length; from += CAPTURE_MAX) {
        const memories = notes.slice(from, from + CAPTURE_MAX).map(({ id: _, ...memory }) => memory);
        const { items } = await request<{ items: { id: string }[] }>(url, key, "/v1/memories/bulk", {
          memories,
        });
        ids.push(...items.map(({ id }) => id));
      }
      return ids;
    },
    async whenIndexed(onWaiting) {
      let pendingBefore = Number.POSITIVE_INFINITY;
      let movedAtMs = Date.now();
      for (;;) {
        const { pending } = await search({ query: "note", mode: "hybrid", limit: 1 });
        if (pending === 0) return;
        onWaiting(pending);
        if (pending < pendingBefore) movedAtMs = Date.now();
        pendingBefore = Math.min(pendingBefore, pending);
        if (Date.now() - movedAtMs > STALLED_MS)
          throw new Error(`Indexing stands still: ${pending} notes wait`);
        await sleep(POLL_MS);
      }
    },
    search,
    close,
  };
}

/** What the service answers: to a GET, or to a POST of the body. @throws {Error} with its problem. */
async function request<Answer>(url: string, key: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  // The part that is measured; what the service answers is checked against the contract by its own tests.
  return (await response.json()) as Answer;
}
