import { z } from "@hono/zod-openapi";
import { MemoryId, shortText, timestamp, utf8Bytes } from "./common.ts";
import { CONTENT_BYTES_MAX, SUMMARY_CHARACTERS_MAX } from "./limits.ts";

export const MemoryExternalId = shortText(
  "Your own id for the memory, unique among the memories of its agent and user.",
  "diet",
);

export const MemoryContent = z
  .string()
  .refine(
    (text) => utf8Bytes(text) <= CONTENT_BYTES_MAX,
    `must be at most ${CONTENT_BYTES_MAX.toLocaleString("en-US")} bytes as UTF-8`,
  )
  .meta({
    description:
      "Text to remember, in Markdown or plain text, stored byte for byte: up to 1,000,000 bytes as UTF-8. It may be empty only if `parts` is given.",
    examples: ["Maria prefers refunds to her card, never store credit."],
  })
  // JSON Schema can limit only characters. A text never has more characters than UTF-8 bytes, so this bound
  // rejects no valid text.
  .openapi({ maxLength: CONTENT_BYTES_MAX });

export const ofMemory = {
  noun: "memory",
  example: [{ type: "text", text: "Maria prefers refunds to her card, never store credit." }],
};

export const MemorySummary = z
  .string()
  .max(SUMMARY_CHARACTERS_MAX)
  .meta({
    description: "Short summary of the content. At most 1,000 characters.",
    examples: ["Maria wants refunds to her card."],
  });

export const CapturedAt = timestamp(
  "Time when the memory was captured (stored), with millisecond precision. For a memory from the past, it is the time that you set.",
);

export const ValidFrom = timestamp(
  "Time from which the memory holds, such as the day of a move. Null: it held at all times before `valid_until`.",
);
export const ValidUntil = timestamp(
  "Time from which the memory no longer holds. It is then an ended memory: search ranks it below all that hold. Null: it has not ended. A memory whose `valid_until` is not after its `valid_from` holds at no time.",
);
export const OccurredAt = timestamp("Time of the event that the memory is about. It does not affect search.");
export const Supersedes = MemoryId.meta({
  description:
    "Memory that this one replaced, which `createMemory` ended. It stays when that memory is deleted.",
});

/** The fields of a memory that say when it holds. */
export const validity = {
  valid_from: ValidFrom.nullable(),
  valid_until: ValidUntil.nullable(),
  occurred_at: OccurredAt.nullable(),
};

/** Whether a memory with both times holds at any time. */
export const canHold = (range: { valid_from?: string | null; valid_until?: string | null }): boolean =>
  typeof range.valid_from !== "string" ||
  typeof range.valid_until !== "string" ||
  Date.parse(range.valid_from) < Date.parse(range.valid_until);
export const CANNOT_HOLD = { path: ["valid_until"], message: "must be after `valid_from`" };
