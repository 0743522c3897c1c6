import type { Engram } from "@engram/sdk";

type Results = Awaited<ReturnType<Engram["search"]>>["results"];

/** The messages in search results, matches and their neighbours, best result first. */
export const messagesIn = (results: Results) =>
  results.flatMap((result) => (result.type === "messages" ? result.messages : []));
