import { createHash } from "node:crypto";
import type { StoredRow } from "../ports/vector-index.ts";

/** The hash of a conversation or memory id in vector metadata. */
export const hashOf = (id: string): string => createHash("sha256").update(id).digest("hex").slice(0, 32);

/** The hash of the user that a vector is found with, or "shared". */
export const userOf = ({ indexed }: StoredRow): string => (JSON.parse(indexed) as { user: string }).user;

/** The hash of the conversation or memory that a vector belongs to. */
export const conversationOf = ({ indexed }: StoredRow): string =>
  (JSON.parse(indexed) as { conversation_id: string }).conversation_id;
