import { MARKERS } from "../sentences.ts";
import type { Answer } from "./requester.ts";

/** Headers that differ between any two responses, or depend only on the text. */
const PASSING = /^(?:date|x-request-id|server-timing|content-length): .*\n?/gm;

/**
 * A response without the parts that differ between any two requests: ids, markers, secrets, times and
 * indexing progress.
 */
export function normalized({ status, headers, text }: Answer): string {
  const all = `${status}\n${headers.replace(PASSING, "")}\n${text}`;
  return (
    all
      .replace(/\b([a-z]{2,4})_[0-9a-z]{20}\b/g, "$1_…")
      .replace(/\bent_[0-9a-f]{32}\b/g, "ent_…")
      .replace(/engram_sk_live_\w+/g, "engram_sk_live_…")
      .replace(/engram_code_\w+/g, "engram_code_…")
      .replace(/engram_tk_[0-9a-z]+_\w+/g, "engram_tk_…")
      .replace(/whsec_[\w+/]{43}=/g, "whsec_…")
      // The end of the caller's own log, where a new webhook begins.
      .replace(/(\\?"after\\?":)\d+(,\\?"failing_since)/g, "$1…$2")
      .replace(MARKERS, "marker")
      .replace(/(\\?"content_hash\\?":\\?")[0-9a-f]{64}/g, "$1…")
      // The position of a stream of events, in the caller's own log.
      .replace(/^id: \d+$/gm, "id: …")
      // Count the caller's own messages, which it writes and repairs concurrently.
      .replace(/(\\?"(?:pending|done|reindexed)\\?"):\d+/g, "$1:…")
      .replace(/pending: \d+/g, "pending: …")
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
  );
}

/** Where two texts begin to differ, for people. */
export function difference(one: string, other: string): string {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const from = Math.max(0, at - 60);
  return `${JSON.stringify(one.slice(from, at + 120))} against ${JSON.stringify(other.slice(from, at + 120))}`;
}
