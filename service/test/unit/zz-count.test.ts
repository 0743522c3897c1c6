import { openApiDocument, TOOL_SETS } from "@engram/spec";
import { test } from "vitest";
import { toTools } from "../../src/mcp/tools.ts";
import { o200kTokens } from "../support/tokens.ts";
import { countTokens } from "../../src/text/tokens.ts";
test("x", () => {
  const tools = toTools(openApiDocument());
  const sel = [["conversations"],["memories"],["thoughts"],["conversations","memories"],["conversations","thoughts"],["memories","thoughts"],["conversations","memories","thoughts"]];
  for (const s of sel) {
    const t = tools.filter(x=>s.includes(x.set));
    const given = JSON.stringify(t.map(({name,description,inputSchema})=>({name,description,inputSchema})));
    const sent = JSON.stringify({tools: t.map(({name,title,description,inputSchema,outputSchema,annotations})=>({name,title,description,inputSchema,outputSchema,annotations}))});
    console.error(s.join(), t.length, o200kTokens(given), o200kTokens(sent), given.length/4.5, sent.length/4.5);
  }
  const p=performance.now(); o200kTokens("walrus oyster ".repeat(2000)); console.error(performance.now()-p);
  const q=performance.now(); o200kTokens("x".repeat(8000)); console.error(performance.now()-q);
  for (const t of ["x".repeat(8000), "漢字".repeat(1000), "👍🏽".repeat(300), "QmFzZTY0".repeat(100), "\u0301".repeat(500), "0123456789".repeat(100), "\\n\\n".repeat(300), "{}[]".repeat(100), "ŁódźĄę".repeat(100), "Ꭿ".repeat(100), "\u{e0049}".repeat(100),"𐍈".repeat(100)]) console.error(JSON.stringify(t.slice(0,6)), o200kTokens(t), countTokens(t));
});
