import { expect, test } from "vitest";
import { complaintsAbout, readPublicNames } from "../../scripts/reference.ts";
import { writeExamples } from "./support/examples.ts";

const { folder } = writeExamples(readPublicNames());

test("the SDK's reference has examples that compile", async () => {
  expect(await complaintsAbout(folder)).toBe("");
});
