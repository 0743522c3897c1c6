import { expect, test } from "vitest";
import { makeLongWorkload, makeWorkload } from "../src/speed/workload.ts";

const size = { messages: 260, queries: 5, warmUps: 2 };
const meanLength = ({ talks }: ReturnType<typeof makeWorkload>) =>
  talks.flatMap(({ lines }) => lines).reduce((sum, { content }) => sum + content.length, 0) / size.messages;

test("long messages have 2 kB on average, and short ones the length of a turn of a dialogue", () => {
  expect(Math.round(meanLength(makeLongWorkload(size)) / 100)).toBe(20);
  expect(Math.round(meanLength(makeWorkload(size)) / 10)).toBe(13);
});
