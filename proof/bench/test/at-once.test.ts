import { expect, test } from "vitest";
import { CLIENTS, measureAtOnce } from "../src/speed/at-once.ts";
import type { Store } from "../src/speed/measure.ts";
import { measurePeerAtOnce } from "../src/speed/peers.ts";

const sizes = { messages: 120, warmUps: 8, calls: 5 };
const noProgress = () => {};

test("eight clients call at once, each in a conversation of its own, and one call at a time", async () => {
  const waiting: (() => void)[] = [];
  let inProgressMax = 0;
  /** Answers when eight calls wait. With fewer clients, none would be answered. */
  const call = async () => {
    await new Promise<void>((resolve) => {
      inProgressMax = Math.max(inProgressMax, waiting.push(resolve));
      if (waiting.length === CLIENTS) for (const answer of waiting.splice(0)) setImmediate(answer);
    });
    return [];
  };
  let isFilled = false;
  const talks: string[] = [];
  const store: Store = {
    append: async ({ id }, lines) => {
      if (!isFilled) return;
      expect(lines).toHaveLength(1);
      talks.push(id);
      await call();
    },
    settle: async () => {
      isFilled = true;
    },
    searches: { hybrid: call, semantic: call },
    close: async () => {},
  };
  const { appends, searches } = await measureAtOnce(async () => store, sizes, noProgress);
  expect([appends, searches.hybrid, searches.semantic].map((calls) => calls?.ms.length)).toEqual([
    40, 40, 40,
  ]);
  expect(inProgressMax).toBe(CLIENTS);
  // The first eight appends create the conversations.
  for (let i = 0; i < talks.length; i += CLIENTS) {
    expect(new Set(talks.slice(i, i + CLIENTS)).size).toBe(CLIENTS);
  }
});

test("a system in a process of its own is measured with eight clients", async () => {
  const { appends, searches } = await measurePeerAtOnce("fts5", sizes, { onStart: noProgress }, noProgress);
  expect(appends.ms).toHaveLength(40);
  expect(searches.keyword?.ms).toHaveLength(40);
});
