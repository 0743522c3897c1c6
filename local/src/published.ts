#!/usr/bin/env node
// What the published package runs: as `npm start`, with the data where the person stands and not in the package.
process.env.ENGRAM_DATA ||= ".engram";
await import("./start.ts");

export {};
