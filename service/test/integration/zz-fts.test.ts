import * as contracts from "@engram/spec";
import { test } from "vitest";
import { createOrganization, seedConversation } from "../support/client.ts";
import { selectRow, selectRows } from "../support/invocations.ts";
import { env } from "../support/env.ts";
test("x", async () => {
  const caller = await createOrganization();
  const inFile = async () =>
      selectRows("SELECT id, length(block) AS n FROM message_words_data WHERE instr(block, CAST('xylophon' AS BLOB)) > 0");
  for (let i = 0; i < 30; i++) await seedConversation(caller, ["filler words here " + i]);
  const id = await seedConversation(caller, ["The xylophone is here"]);
  console.log("seeded", await inFile());
  const { items } = await caller.call(contracts.listMessages, { params: { conversation_id: id } });
  await caller.call(contracts.deleteMessage, { params: { conversation_id: id, message_id: items[0]?.id ?? "" } });
  console.log("deleted", await inFile());
  const r = await env.DB.prepare("INSERT INTO message_words (message_words, rank) VALUES ('merge', 16)").run();
  console.log("after merge 16", await inFile(), JSON.stringify(r.meta));
  await env.DB.prepare("INSERT INTO message_words (message_words, rank) VALUES ('merge', 500)").run();
  console.log("after merge 500", await inFile());
  await env.DB.prepare("INSERT INTO message_words (message_words, rank) VALUES ('merge', -500)").run();
  console.log("after merge -500", await inFile());
  await env.DB.prepare("INSERT INTO message_words (message_words) VALUES ('optimize')").run();
  console.log("after optimize", await inFile());
  console.log(await selectRow("SELECT group_concat(k || '=' || v) AS config FROM message_words_config"));
});
