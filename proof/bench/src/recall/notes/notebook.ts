import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { CAPTURE_MEMORIES_MAX } from "@engram/spec";
import type { Mode, Remote } from "../args.ts";
import type { Filter, Note } from "./notes.ts";

const POLL_MS = 250;
/** Without progress for this long, indexing counts as stuck. */
const STALLED_MS = 300_000;

export interface NoteSearch extends Filter {
  query: string;
  mode: Mode;
  limit: number;
}

/** The measured part of a response; results best first. */
export interface NoteAnswer {
  results: { memory: { id: string; content: string }; relevance: number }[];
  degraded: string[];
  pending: number;
}

export interface Notebook {
  /** @returns The ids that the service assigned, in order. */
  capture(notes: readonly Note[]): Promise<string[]>;
  /** Resolves when everything can be found by meaning. Reports the number of pending memories. */
  whenIndexed(onWaiting: (count: number) => void): Promise<void>;
  search(body: NoteSearch): Promise<NoteAnswer>;
  /** Delete the organization, if it was created for this run. */
  close(): Promise<void>;
}

/**
 * Memories of a running service: in a new organization with an admin token, otherwise in the key's own
 * organization.
 *
 * @throws {Error} when the key's organization has memories already, because searches would find them too.
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
      for (let from = 0; from < notes.length; from += CAPTURE_MEMORIES_MAX) {
        const memories = notes.slice(from, from + CAPTURE_MEMORIES_MAX).map(({ id: _, ...memory }) => memory);
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

/** Send a GET, or a POST if there is a body. @throws {Error} with the problem of an error response. */
async function request<Answer>(url: string, key: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(new URL(path, url), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: body === undefined ? null : JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} failed with ${response.status}: ${await response.text()}`);
  // Typed without validation: the service's own tests check responses against the contract.
  return (await response.json()) as Answer;
}
