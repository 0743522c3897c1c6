// In JavaScript, because the types of WebAssembly come with those of Workers, which conflict with Node's.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { codeRows, dot, toCodes } from "../../../../service/src/platform/cell-vectors/codes.ts";
import { RowMemory } from "../../../../service/src/platform/vector-scan/row-memory.ts";
import { Slab } from "../../../../service/src/platform/vector-scan/slab.ts";
import { TopMatches } from "../../../../service/src/platform/vector-scan/top-matches.ts";
import { recallOf, scoreRows, toMatrix } from "../speed/vectors.ts";

const FILE = join(import.meta.dirname, "../../../../service/src/platform/cell-vectors/scan-int8.wasm");
const FOUND = 100;
/** As in the store of cells. */
const CANDIDATES = 4 * FOUND;

export function measureRecall(vectors, queries) {
  const matrix = toMatrix(vectors);
  const memory = new RowMemory(new WebAssembly.Module(readFileSync(FILE)), codeRows(matrix.dimensions));
  const slab = new Slab(memory);
  vectors.forEach((vector, row) => {
    slab.put(`${row}`, toCodes(vector), {});
  });
  const sums = { rescored: { at10: 0, at100: 0 }, codes: { at10: 0, at100: 0 } };
  for (const query of queries) {
    memory.setQuery(toCodes(query));
    const candidates = new TopMatches(CANDIDATES);
    slab.search(undefined, candidates);
    const codes = candidates.matches.map(({ id }) => Number(id));
    const best = new TopMatches(FOUND);
    for (const row of codes) best.offer(`${row}`, dot(query, vectors[row]));
    const rescored = best.matches.map(({ id }) => Number(id));
    const exact = scoreRows(matrix, query);
    for (const [name, rows] of Object.entries({ rescored, codes })) {
      sums[name].at10 += recallOf(rows.slice(0, 10), exact, 10) / queries.length;
      sums[name].at100 += recallOf(rows.slice(0, FOUND), exact, FOUND) / queries.length;
    }
  }
  return sums;
}
