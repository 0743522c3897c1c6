import { expect, test } from "vitest";
import { complaintsAbout, readPublicNames } from "../../scripts/reference.ts";
import { writeExamples } from "./support/examples.ts";

const { folder } = writeExamples(readPublicNames());

test("every example in the SDK's reference compiles", async () => {
  expect(await complaintsAbout(folder)).toBe("");
});
