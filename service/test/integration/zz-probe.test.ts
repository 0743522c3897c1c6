import * as contracts from "@engram/spec";
import { test, expect } from "vitest";
import { createOrganization, seedConversation } from "../support/client.ts";
test("probe", async () => {
  const o = await createOrganization();
  const conversation_id = await seedConversation(o, ["x"]);
  const p = { conversation_id };
  const show = async (name: string, r: Promise<Response>) => { const t = performance.now(); const x = await r; console.log(name, x.status, (await x.text()).slice(0, 300), Math.round(performance.now()-t)); };
  for (const ct of ["Application/JSON", "application/json;", "application/json ; charset=utf-8", 'application/json; charset="utf-8"', "application/json; charset", "application/jsonx", "application/json, text/plain", "text/plain", "multipart/form-data; boundary=x"])
    await show(ct, o.fetch(contracts.repairIndex, { rawBody: JSON.stringify({ conversation_id: "conv_x" }), headers: { "content-type": ct } }));
  await show("long id", o.fetch(contracts.getKey, { params: { key_id: "k".repeat(300) } }));
  await show("NUL id", o.fetch(contracts.getKey, { params: { key_id: "k\0x" } }));
  await show("empty id", o.fetch(contracts.getKey, { params: { key_id: "" } }));
  await show("ifmatch", o.fetch(contracts.deleteConversation, { params: p, headers: { "if-match": "x".repeat(200) } }));
  await show("nul title", o.fetch(contracts.createConversation, { body: { title: "a\0b", metadata: { "k\0": "v\0w", "": 1, "q\"\\": 'z"\\' } } }));
  for (const m of [{ "k\0": "v\0w" }, { "k\0": "v\0z" }, { "k\0x": "v\0w" }, { 'q"\\': 'z"\\' }, { "": 1 }, { "": 2 }, { "": "1" }, { "": true }])
    await show("filter " + JSON.stringify(m), o.fetch(contracts.listConversations, { query: { metadata: JSON.stringify(m), include_total: true, limit: 1 } }));
  for (const m of ['{"":1.0000000000000000001}', '{"":1e400}', '{"__proto__":1}', '{"a":"\\ud800"}', '{"":9007199254740993}', "[".repeat(2000), '{"a":null}'])
    await show("filter raw " + m.slice(0, 40), o.fetch(contracts.listConversations, { query: { metadata: m } }));
  await show("proto query", o.fetch(contracts.listConversations, { query: { ["__proto__"]: "x" } as never }));
  const nums = ["1e-400", "1.00000000000000000001", "9007199254740991.2", "1e400", "9007199254740992", "0.1000000000000000055", "-0", "0.0", "1e2", "1.50", "5e-324", "123456789012345678e-3","0e99999999999"];
  for (const n of nums) await show("num " + n, o.fetch(contracts.updateConversation, { params: p, rawBody: `{"metadata":{"n":${n}}}` }));
  await show("proto key", o.fetch(contracts.updateConversation, { params: p, rawBody: `{"metadata":{"__proto__":{"a":1}}}` }));
  await show("proto top", o.fetch(contracts.updateConversation, { params: p, rawBody: `{"__proto__":{"title":"x"}}` }));
  for (const [n, raw] of [["deep 10k", `{"metadata":${"[".repeat(10000)}${"]".repeat(10000)}}`], ["deep 4M", "[".repeat(4_000_000)], ["deep 1M closed", "[".repeat(1_000_000)+"]".repeat(1_000_000)], ["zeros", `{"messages":[${"0,".repeat(4_000_000)}0]}`], ["keys", `{${Array.from({ length: 700_000 }, (_, i) => `"k${i}":0`).join()}}`],
   ["empties", `{"messages":[${"{},".repeat(2_700_000)}{}]}`]] as const)
    await show(n, o.fetch(contracts.appendMessages, { params: p, rawBody: raw }));
  await show("big", o.fetch(contracts.appendMessages, { params: p, rawBody: JSON.stringify({ messages: [{ role: "user", content: "a b c d e f g h i j ".repeat(50_000) }] }) }));
  await show("marks", o.fetch(contracts.appendMessages, { params: p, body: { messages: [{ role: "user", content: "a" + "\u0301\u0316".repeat(240_000) }] } }));
  await show("proto path", o.fetch(contracts.getMessage, { params: { ...p, message_id: "__proto__" } }));
}, 300000);
