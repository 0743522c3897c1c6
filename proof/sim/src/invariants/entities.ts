import { findEntities } from "../../../../service/src/text/entities/index.ts";
import { runAtOnce } from "../../../../service/src/text/pace.ts";
import type { Database } from "../ports/database.ts";
import { expect } from "../violation.ts";
import { type StoredMessage, textOf } from "./texts.ts";

interface Row {
  row_key: number;
  mentions: string;
}

interface StoredMention {
  kind: string;
  folded: string;
  value: string;
  start: number;
  end: number;
}

/** Checks that exactly the mentions that the rules find in the stored messages are stored, and listed. */
export function checkEntities(database: Database, messages: StoredMessage[]): void {
  const rows = database.select<Row>("SELECT row_key, mentions FROM message_entities");
  const stored = new Map(
    rows.map(({ row_key, mentions }) => [row_key, JSON.parse(mentions) as StoredMention[]]),
  );
  const inMessages = new Set<string>();
  const inConversations = new Set<string>();
  for (const { row_key, id, kind, created_at_ms, agent_id, user_id, ...text } of messages) {
    const found =
      kind === "conversation" ? runAtOnce(findEntities(textOf(text), new Date(created_at_ms))) : [];
    const mentions = stored.get(row_key) ?? [];
    stored.delete(row_key);
    const shown = (list: { kind: string; value: string; start: number; end: number }[]) =>
      JSON.stringify(list.map((one) => [one.kind, one.value, one.start, one.end]));
    expect(
      shown(mentions) === shown(found),
      "entities",
      () => `${id} mentions ${shown(mentions)}, not ${shown(found)}`,
    );
    for (const { kind: of, folded } of mentions) {
      inMessages.add(JSON.stringify([row_key, of, folded]));
      for (const agent of new Set([null, agent_id]))
        for (const user of new Set([null, user_id]))
          inConversations.add(JSON.stringify([Math.floor(row_key / 2 ** 24), [agent, user], of, folded]));
    }
  }
  expect(
    stored.size === 0,
    "entities",
    () => `message ${[...stored.keys()][0]} is gone, and its mentions are not`,
  );
  const same = (table: string, column: string, expected: Set<string>) => {
    const listed = database
      .select<{ row: string }>(`SELECT ${column} AS row FROM ${table}`)
      .map(({ row }) => row);
    const isSame = listed.length === expected.size && listed.every((row) => expected.has(row));
    expect(isSame, "entities", () => `${table} has ${listed.length} rows, not these ${expected.size}`);
  };
  same("entity_messages", "json_array((conversation_row_key << 24) + sequence, kind, folded)", inMessages);
  same(
    "entity_conversations",
    "json_array(conversation_row_key, json(scope), kind, folded)",
    inConversations,
  );
}
