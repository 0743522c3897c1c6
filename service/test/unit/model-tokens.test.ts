import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { countModelTokens, inJson, toModelTokens, toWrittenTokens } from "../../src/text/model-tokens.ts";
import { runAtOnce } from "../../src/text/pace.ts";
import { o200kTokens } from "../support/tokens.ts";

const file = (path: string) => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
const times = (text: string, count = 20) => Array(count).fill(text).join(" ");
const numbers = Array.from({ length: 200 }, (_, i) => (i * 2_654_435_761) % 4_294_967_296);

/** What texts may cost more than o200k counts, in percent. */
const ENGLISH_AND_CODE = 15;
const CJK = 30;
const ANY = 200;

const CHAT = `user: Hey! Did Maria ever get her refund for the washing machine? She's been waiting since, like, October.
assistant: Yes. The refund of $412.50 for order 1029 left us on Tuesday, November 3, and the bank usually takes two or three working days. If it hasn't arrived by Monday, ask Jonathan in the Rotterdam office to check the transfer.
user: lol ok thanks, I'll tell her. btw we're thinking about Lisbon for the offsite - any idea what the flights cost?
assistant: From Amsterdam it's about €140 each way in the first week of March. The hotel near the Gulbenkian museum still has twelve rooms, and breakfast is included.`;

const TEXTS: [name: string, text: string, percentMost: number][] = [
  ["documentation in English", file("docs/architecture/search.md"), ENGLISH_AND_CODE],
  ["a guide in English", file("CONTRIBUTING.md"), ENGLISH_AND_CODE],
  ["a chat", CHAT, ENGLISH_AND_CODE],
  ["TypeScript", file("service/src/search/ranking/fusion.ts"), ENGLISH_AND_CODE],
  ["TypeScript with SQL", file("service/src/search/candidates-queries.ts"), ENGLISH_AND_CODE],
  ["JSON", file("service/tsconfig.json") + file("package.json"), ENGLISH_AND_CODE],
  ["minified JSON", JSON.stringify(JSON.parse(file("spec/openapi.json"))), ENGLISH_AND_CODE],
  ["YAML", file("pnpm-workspace.yaml"), ANY],
  [
    "Chinese",
    times("今天天气很好，我们去公园散步吧。你昨天说的那家餐厅在哪里？下周三的会议改到周五下午三点。"),
    CJK,
  ],
  [
    "Japanese",
    times("今日は天気がいいですね。昨日のミーティングの議事録を送ってください。カメラを買いました。"),
    CJK,
  ],
  ["Korean", times("안녕하세요 오늘 날씨가 정말 좋네요. 어제 회의록을 보내 주세요. 카메라를 샀습니다."), CJK],
  ["Chinese without punctuation", "我们昨天在公园里看到了很多漂亮的花".repeat(60), CJK],
  ["German", times("Die Größe der Straße überrascht mich, obwohl ich schon öfter hier gewesen bin."), ANY],
  ["French", times("Je suis allé à l'école où j'ai rencontré des élèves très gentils."), ANY],
  ["Russian", times("Привет, как дела? Сегодня хорошая погода, поэтому мы идём в парк."), ANY],
  ["Arabic", times("مرحبا كيف حالك اليوم؟ الطقس جميل في المدينة."), ANY],
  ["Hebrew", times("שלום, מה שלומך היום? מזג האוויר יפה."), ANY],
  ["Hindi", times("नमस्ते, आप कैसे हैं? आज मौसम अच्छा है।"), ANY],
  ["Thai", times("สวัสดีครับ วันนี้อากาศดีมาก"), ANY],
  ["Vietnamese", times("Xin chào, hôm nay trời đẹp quá. Bạn có khỏe không?"), ANY],
  ["emoji", times("👩‍👩‍👧🎉 🦭 👍🏽 🇩🇪 ❤️"), ANY],
  ["addresses of pages", times("https://example.com/a/b?user_id=1029&from=2026-11-02T09:30:00Z#part-2"), ANY],
  ["hexadecimal", numbers.map((number) => number.toString(16)).join(""), ANY],
  ["UUIDs", numbers.map((n) => `${n.toString(16)}-4f3a-9b1c-${(n * 7).toString(16)}`).join("\n"), ANY],
  ["base64", btoa(numbers.map((number) => Math.sin(number)).join()), ANY],
  ["numbers", numbers.join(" "), ANY],
  ["capital letters", times("DON'T WE'LL I'VE ERROR_CODE_NOT_FOUND"), ANY],
  ["spaces", `${" ".repeat(5_000)}x`, ANY],
  ["ends of lines", "\n\r\n\t \n".repeat(500), ANY],
  ["a line of one sign", "-".repeat(5_000), ANY],
  ["a word of one letter", "a".repeat(3_000), ANY],
  ["control characters", "\0\x01\x1b[31m\u200b\u2028".repeat(50), ANY],
  ["halves of surrogate pairs", "\ud800a\udc00".repeat(50), ANY],
  ["what looks like special tokens", times("<|endoftext|> <|im_start|>user"), ANY],
];

test.for(TEXTS)("%s costs no less than o200k counts, and little more", ([, text, percentMost]) => {
  const tokens = o200kTokens(text);
  expect(countModelTokens(text)).toBeGreaterThanOrEqual(tokens);
  expect(countModelTokens(text)).toBeLessThanOrEqual(tokens * (1 + percentMost / 100));
});

test("a text costs the same when it is counted again, also after more different words than are kept", () => {
  const words = Array.from({ length: 25_000 }, (_, i) => ` w${i.toString(36)}`).join("");
  const before = countModelTokens(CHAT);
  const tokens = countModelTokens(words);
  expect(tokens).toBeGreaterThanOrEqual(o200kTokens(words));
  expect([countModelTokens(words), countModelTokens(CHAT)]).toEqual([tokens, before]);
});

test("any text costs no less than o200k counts", () => {
  const pieces = [
    ...["e", "th", "ing", "The", "ER", "'s", "'LL", " ", "  ", "\n", "\r\n", "\t", "1", "23", "2026"],
    ...[
      "/",
      "//",
      "-",
      "==",
      '"',
      "{",
      "}",
      "\\",
      "\0",
      "漢",
      "字",
      "日本",
      "のは",
      "한",
      "é",
      "ü",
      "П",
      "ي",
    ],
    ...["👍", "\u200d", "\ud800"],
  ];
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 60 }).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (any) => {
      expect(countModelTokens(any)).toBeGreaterThanOrEqual(o200kTokens(any));
    }),
    { numRuns: 500 },
  );
});

test.for([
  ["words", times("a walrus", 12_000)],
  ["one word of ASCII", "a".repeat(100_000)],
  ["a script without spaces or signs", "漢字カ".repeat(33_334)],
])("counting %s can pause after each thousand characters or fewer", ([, text = ""]) => {
  const steps = toModelTokens(text);
  let pauses = 0;
  while (!steps.next().done) pauses += 1;
  expect(pauses).toBeGreaterThanOrEqual(text.length / 1_100);
});

describe("a limit", () => {
  test("stops the count above it", () => {
    const text = times("a walrus", 1_000);
    const countUpTo = (tokensMax: number) => runAtOnce(toModelTokens(text, tokensMax));
    expect(countUpTo(10)).toBeGreaterThan(10);
    expect(countUpTo(10)).toBeLessThan(20);
    expect(countUpTo(5_000)).toBe(countModelTokens(text));
  });
});

describe("a text in a JSON string", () => {
  const count = (text: string, tokensMax?: number) => runAtOnce(toWrittenTokens(text, inJson, tokensMax));

  test.for(TEXTS)(
    "%s costs no less than o200k counts, and little more than if it is counted at once",
    ([, text]) => {
      const atOnce = countModelTokens(inJson(text));
      expect(count(text)).toBeGreaterThanOrEqual(o200kTokens(inJson(text)));
      expect(count(text)).toBeLessThanOrEqual(1.02 * atOnce + 2);
    },
  );

  test.for(TEXTS.slice(0, 6))("%s costs the same as if it is counted at once", ([, text]) => {
    const spaced = text.replaceAll(/\s+/g, " ");
    expect(count(spaced)).toBe(countModelTokens(inJson(spaced)));
  });

  test("is written up to the limit only", () => {
    let written = 0;
    const write = (part: string) => {
      written += part.length;
      return inJson(part);
    };
    expect(runAtOnce(toWrittenTokens('漢字\n"'.repeat(100_000), write, 1_000))).toBeGreaterThan(1_000);
    expect(written).toBeLessThan(4_000);
  });
});
