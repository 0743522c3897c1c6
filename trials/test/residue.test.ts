import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countMarkers } from "../src/support/residue.ts";
import { createSentences, markerEnd } from "../src/support/sentences.ts";
import { withDirectory } from "../src/support/service.ts";

test.for(["utf8", "utf16le"] as const)("a marker is found amid other bytes in %s", (encoding) =>
  withDirectory(async (directory) => {
    const { marker, text } = createSentences(encoding).next().value;
    const bytes = Buffer.from(text, encoding);
    writeFileSync(join(directory, "page"), Buffer.concat([Buffer.from([0, 255, 7]), bytes, bytes]));
    expect(countMarkers(directory)).toEqual(new Map([[markerEnd(marker), 2]]));
  }),
);
