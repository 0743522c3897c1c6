import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readNotes } from "../src/recall/notes/notes.ts";
import { readChats, readCode } from "../src/recall/own-sets.ts";

const plain = (_: string, value: unknown) =>
  value instanceof Set || value instanceof Map ? [...value] : value;
const hashOf = (set: unknown) => createHash("sha256").update(JSON.stringify(set, plain)).digest("hex");

// If a set is changed on purpose: measure the floors again, then write the new hash here.
test.for([
  ["chats", readChats, "039b4893418d1987ad2dbb6466b89deb968065be94d5dfb756b5249af32878bf"],
  ["code", readCode, "05b9838e4eb6801a4c667af61e6fda4f4a10c4750fcb8ade2ad87e21711b090f"],
  ["notes", readNotes, "d679e3e0887d83871ee353da7bd693bf16e092eb63dffcb5289376ad9d8c5d6a"],
] as const)("the set %s is the one that the floors were measured with", ([, read, hash]) => {
  expect(hashOf(read())).toBe(hash);
});

test("each question has one to three turns of its dialogue as evidence, which are in its sessions", () => {
  for (const { id, questions } of [readChats(), readCode()].flatMap(({ dialogues }) => dialogues))
    for (const { text, evidenceTurns, evidenceSessions } of questions) {
      expect([1, 2, 3], text).toContain(evidenceTurns.size);
      for (const key of evidenceTurns)
        expect(
          [...evidenceSessions].some((session) => key.startsWith(session) && key.startsWith(`${id}/`)),
          text,
        ).toBe(true);
    }
});
