#!/usr/bin/env node
// Imports nothing but this check, so that a Node that is too old for the program can still run it.
import { nodeTooOld } from "./node-version.ts";

const complaint = nodeTooOld();
if (complaint === undefined) await import("./main.ts");
else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 1;
}
