import { createHash } from "node:crypto";
import type { StoredRow } from "../ports/vector-index.ts";

/** A conversation or memory as vectors are filtered by it. */
export const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 32);

/** What a vector belongs to, as such a hash. */
export const conversationOf = ({ indexed }: StoredRow): string =>
  (JSON.parse(indexed) as { conversation_id: string }).conversation_id;
