import type { MessageLine } from "@engram/sdk";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Step, toBranchEntries } from "../src/importers/branches.ts";

/** A growing conversation: each node has an earlier node as its parent, or none, and some have no text. */
const tree = fc
  .array(
    fc.record({ parent: fc.nat(), isRoot: fc.boolean(), isSilent: fc.boolean(), timeless: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 40,
    },
  )
  .map((nodes) =>
    nodes.map(({ parent, isRoot, isSilent, timeless }, i): Step => {
      const id = `n${i}`;
      const message = {
        id,
        atMs: timeless ? Number.NaN : 1_700_000_000_000 + i,
        role: "user" as const,
        content: id,
        place: id,
      };
      return {
        id,
        parent: i === 0 || isRoot ? null : `n${parent % i}`,
        message: isSilent ? undefined : message,
      };
    }),
  );

/** The messages of the conversation's first nodes, with one of them as the current node. */
function imported(nodes: Step[], current: number): MessageLine[] {
  const about = {
    source: "vendor",
    id: "c",
    createdAtMs: 1_700_000_000_000,
    metadata: {},
    place: "c",
  };
  const steps = new Map(nodes.map((step) => [step.id, step]));
  return [...toBranchEntries(about, steps, `n${current % nodes.length}`)].flatMap((entry) =>
    entry.type === "message" ? [entry.line as MessageLine] : [],
  );
}

describe("branches of an imported chat", () => {
  test("together contain every message once, for any tree and any current branch", () => {
    fc.assert(
      fc.property(tree, fc.nat(), (nodes, current) => {
        const contents = imported(nodes, current).map(({ content }) => content);
        const written = nodes.flatMap(({ message }) => message?.content ?? []);
        expect(contents.sort()).toEqual(written.sort());
      }),
    );
  });

  // The service rejects a different message with the same id or in the same place.
  test("keep each message's id and place when a longer export of the same tree is imported", () => {
    fc.assert(
      fc.property(tree, fc.nat(), fc.nat(), fc.nat(), (nodes, cut, before, after) => {
        const earlier = imported(nodes.slice(0, 1 + (cut % nodes.length)), before);
        const later = imported(nodes, after);
        const byId = new Map(earlier.map((message) => [message.id, message]));
        for (const message of later) expect(byId.get(message.id) ?? message).toEqual(message);
        const all = new Map([...earlier, ...later].map((message) => [message.id, message]));
        const places = [...all.values()].map(
          ({ conversation_id, sequence }) => `${conversation_id} ${sequence}`,
        );
        expect(new Set(places).size).toBe(places.length);
      }),
    );
  });
});
