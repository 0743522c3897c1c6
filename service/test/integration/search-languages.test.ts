import * as contracts from "@engram/spec";
import { beforeAll, describe, expect, test } from "vitest";
import { type Caller, createOrganization, seedConversation } from "../support/client.ts";
import { env } from "../support/env.ts";
import { open, Service, selectRow, selectRows, sweepUntilIdle } from "../support/invocations.ts";

const ask = async (by: Caller, query: string) => {
  const body = { query, mode: "keyword", limit: 50, neighbors: { before: 0, after: 0 } };
  const { results } = await by.call(contracts.search, { body });
  return results;
};
const found = async (by: Caller, query: string): Promise<string[]> =>
  (await ask(by, query)).flatMap(({ messages }) => messages.map(({ content }) => content));

/** Each text with queries that find it. */
const FOUND: [language: string, text: string, queries: string[]][] = [
  ["Korean", "서울에서 만나요", ["서울", "서울에서", "서울은", '"서울에서 만나요"']],
  ["Korean verbs", "결제가 실패했습니다", ["결제", "결제를", "실패", "실패했어요"]],
  ["Korean after Latin letters", "Notion에 적어", ["Notion", "notion에"]],
  ["Korean compounds", "고객센터로 연락했어요", ["고객센터", "고객 센터", "고객"]],
  ["Turkish", "İstanbul'da kaldık", ["İstanbul", "Istanbul", "istanbul'a", "ISTANBUL"]],
  ["Turkish with a curly apostrophe", "Ankara’da", ["Ankara", "Ankara'ya"]],
  ["Turkish endings", "Kitapları evde unuttum ama sonra buldum", ["kitap", "kitaplar"]],
  ["Hungarian", "Budapesten", ["Budapest"]],
  ["Hungarian in a sentence", "Tegnap Debrecenben voltunk és nagyon jó volt", ["Debrecen"]],
  ["Finnish", "Helsingissä", ["Helsinki"]],
  ["Finnish in a sentence", "Asuin Tampereella, mutta nyt olen Turussa", ["Tampereelta", "Tampere"]],
  ["soft hyphens", "Der re\u00adfri\u00adge\u00adra\u00adtor ist kaputt", ["refrigerator"]],
  ["a zero-width space", "The micro\u200bwave broke", ["microwave"]],
  ["a word joiner", "The dish\u2060washer broke", ["dishwasher"]],
  ["a byte order mark", "The toast\ufeffer broke", ["toaster"]],
  ["a zero-width joiner", "The ket\u200dtle broke", ["kettle"]],
  ["German", "Wir haben die Rechnungen für alle Wohnungen bezahlt", ["Rechnung", "Wohnung", "Rechnungen"]],
  ["German umlauts", "Die Häuser am Fluss sind alt", ["Haus", "Häusern", "hauser"]],
  ["Spanish", "Las reuniones con los clientes fueron canceladas", ["reunión", "cliente", "cancelada"]],
  ["French", "J'ai annulé les réservations de l'hôtel", ["réservation", "hôtel", "hotel", "l'hotel"]],
  ["Italian", "Ho pagato le fatture dell'albergo", ["fattura", "albergo"]],
  ["Portuguese", "As reuniões da semana foram marcadas", ["reuniões", "marcada"]],
  ["Polish", "Mieszkałem w Krakowie, a teraz jestem w Warszawie", ["Kraków", "Warszawa"]],
  ["Czech", "Byl jsem v Praze, ale ne v Olomouci", ["Praha", "Olomouc"]],
  ["Russian", "Мы встретились в Москве с друзьями", ["Москва", "москву", "друзья"]],
  ["Ukrainian", "Я живу у Львові, а вона у Києві", ["Львів", "Київ"]],
  ["Greek", "Μένω στην Αθήνα με τους φίλους μου", ["Αθήνας", "αθηνα"]],
  ["Arabic", "وصل الكتاب إلى المدرسة", ["كتاب", "بالمدرسة", "مدرسة", "للكتاب"]],
  ["Arabic vowel signs", "اِشْتَرَيْتُ بِطَاقَةً", ["بطاقة", "بطاقـــة", "البطاقة"]],
  ["Arabic hamza", "سافر أحمد إلى القاهرة", ["احمد", "القاهره", "والقاهرة"]],
  ["Hebrew", "גרנו בבית קטן בירושלים", ["הבית", "ירושלים", "מירושלים"]],
  ["Hebrew vowel points", "שָׁלוֹם חָבֵר", ["שלום", "והשלום"]],
  ["Hebrew final letters", "קניתי ספרים ועיתונים", ["ספר", "הספרים"]],
  ["Hindi", "मैंने किताबें मेज़ पर रखीं", ["किताब", "किताबों"]],
  ["Japanese", "東京タワーに行きました", ["東京", "タワー", "東京タワー"]],
  ["Chinese", "我们在清华大学图书馆见面", ["清华大学", "大学", "图书馆", "图书"]],
  ["Thai", "ฉันชอบกินข้าวที่กรุงเทพ", ["ข้าว", "กรุงเทพ"]],
  ["Devanagari digits", "कमरा १२३ खाली है", ["123", "१२३"]],
  ["Arabic digits", "الغرفة ٤٥٦ مغلقة", ["456"]],
  ["full-width digits", "部屋は７８９です", ["789"]],
  ["Persian", "کتاب‌های من اینجا هستند", ["کتاب"]],
  ["Latin names with Cyrillic endings", "Записал в Slackе", ["Slack"]],
];

describe("a keyword search in many languages", () => {
  let own: Caller;
  beforeAll(async () => {
    own = await createOrganization();
    await seedConversation(
      own,
      FOUND.map(([, text]) => text),
    );
  });

  test.for(FOUND)("finds words whatever their endings are: %s", async ([, text, queries]) => {
    for (const query of queries) expect(await found(own, query), query).toContain(text);
  });

  test.for(FOUND)("marks the word that was found: %s", async ([, text, queries]) => {
    for (const query of queries) {
      const marked = (await ask(own, query)).flatMap(({ messages, matches }) =>
        matches.flatMap(({ message_id, highlights }) => {
          const content = messages.find(({ id }) => id === message_id)?.content;
          return content === text ? highlights : [];
        }),
      );
      expect(marked.length, query).toBeGreaterThan(0);
    }
  });

  test.for([
    ["Korean", "서울", "서운했어요"],
    ["Chinese", "大学", "学大"],
    ["Arabic", "كتاب", "كاتب"],
    ["Arabic words that begin as a prefix does", "بيت", "يتيم"],
    ["Hebrew words that begin as a prefix does", "שמש", "משש"],
    ["Russian", "Москва", "мост"],
    ["German", "Rechnung", "rechts"],
    ["English words, which have no German stems", "butt", "The butter is on the table"],
    ["names of other towns", "Budapest", "Bukarest"],
    ["digits", "123", "1234"],
    ["a frequent English word by its beginning", "plugh", "When do you pull the plug?"],
  ])("does not find another word: %s", async ([, query = "", text = ""]) => {
    const other = await createOrganization();
    await seedConversation(other, [text]);
    expect(await found(other, query)).toEqual([]);
  });

  test("treats accents and ß as before: résumé is resume, and Maße is masse", async () => {
    const other = await createOrganization();
    await seedConversation(other, ["My résumé", "Die Maße"]);
    expect(await found(other, "resume")).toEqual(["My résumé"]);
    expect(await found(other, "Masse")).toEqual(["Die Maße"]);
  });

  test("leaves out the function words of the query's language", async () => {
    const other = await createOrganization();
    await seedConversation(other, [
      "Wo ist das?",
      "Der Schlüssel liegt unter der Matte",
      "什么是的",
      "钥匙在门口",
    ]);
    expect(await found(other, "Wo ist der Schlüssel?")).toEqual(["Der Schlüssel liegt unter der Matte"]);
    expect(await found(other, "我的钥匙在什么地方")).toEqual(["钥匙在门口"]);
  });
});

describe("a keyword index by the rules of an earlier version", () => {
  const TEXTS = ["서울에서 만나요", "The kettle is red", "Wir haben die Rechnungen bezahlt", "سافر أحمد"];
  /** What the earlier version stored. */
  const OLD_TERMS = ["서울에서 만나요", "the kettl is red", "wir haben die rechnungen bezahlt", "سافر أحمد"];
  const OLD_QUERIES = ["서울에서", "kettle", "Rechnungen", "أحمد"];
  const NEW_QUERIES = ["서울", "Rechnung", "احمد"];

  /** Conversations of the texts, with the terms of the earlier version, as if it had just been replaced. */
  async function openOld(conversations: number) {
    const { caller, organizationId, service, clock } = await open({}, { repairStepConversations: 2 });
    for (let i = 0; i < conversations; i++) await seedConversation(caller, TEXTS);
    await sweepUntilIdle(service, clock, organizationId);
    const rows = await selectRows<{ row_key: number; sequence: number; number: number }>(
      `SELECT m.row_key, m.sequence, o.number FROM messages AS m
         JOIN organizations AS o ON o.id = m.organization_id WHERE o.id = ?1`,
      organizationId,
    );
    for (const { row_key, sequence, number } of rows) {
      const terms = OLD_TERMS[sequence - 1]?.split(" ").map((word) => `${number}~${word}`);
      await env.DB.prepare(
        "INSERT OR REPLACE INTO message_words (rowid, body) VALUES (CAST(?1 AS INTEGER), ?2)",
      )
        .bind(row_key, terms?.join(" "))
        .run();
    }
    await env.DB.prepare("INSERT INTO keyword_index_rebuild (id, next_row_key) VALUES (1, 0)").run();
    return { caller, organizationId, service, clock };
  }
  const isLeft = async () =>
    (await selectRow<{ count: number }>("SELECT count(*) AS count FROM keyword_index_rebuild")).count > 0;

  test("is rebuilt by sweeps, while searches find what they found before", async () => {
    const { caller, organizationId, service, clock } = await openOld(5);
    for (const query of NEW_QUERIES) expect(await found(caller, query), query).toEqual([]);
    let sweeps = 0;
    for (; await isLeft(); sweeps++) {
      for (const query of OLD_QUERIES) expect(await found(caller, query), query).toHaveLength(5);
      expect(sweeps).toBeLessThan(60);
      clock.advance(65_000);
      await service.sweep();
    }
    expect(sweeps).toBeGreaterThan(2);
    await sweepUntilIdle(service, clock, organizationId);
    for (const query of [...OLD_QUERIES, ...NEW_QUERIES])
      expect(await found(caller, query), query).toHaveLength(5);
  });

  test("is rebuilt from where a sweep stopped that died halfway", async () => {
    const { caller, organizationId, service, clock } = await openOld(5);
    await service.sweep({ embedder: undefined as never }).catch(() => {});
    const later = new Service({}, clock, { repairStepConversations: 2 });
    for (let sweeps = 0; await isLeft(); sweeps++) {
      expect(sweeps).toBeLessThan(60);
      clock.advance(65_000);
      await later.sweep();
    }
    await sweepUntilIdle(later, clock, organizationId);
    for (const query of NEW_QUERIES) expect(await found(caller, query), query).toHaveLength(5);
  });

  test("keeps its vectors, sends no events, and counts nothing as pending", async () => {
    const { caller, organizationId, service, clock } = await openOld(3);
    const chunks = () =>
      selectRows(
        "SELECT id, indexed_at_ms FROM conversation_chunks WHERE organization_id = ?1",
        organizationId,
      );
    const events = () =>
      selectRow("SELECT count(*) AS count FROM events WHERE organization_id = ?1", organizationId);
    const before = [await chunks(), await events()];
    clock.advance(65_000);
    await service.sweep();
    const { pending } = await caller.call(contracts.search, { body: { query: "kettle", mode: "keyword" } });
    expect(pending).toBe(0);
    while (await isLeft()) {
      clock.advance(65_000);
      await service.sweep();
    }
    await sweepUntilIdle(service, clock, organizationId);
    expect([await chunks(), await events()]).toEqual(before);
  });
});
