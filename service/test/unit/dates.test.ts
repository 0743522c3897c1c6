import { describe, expect, test } from "vitest";
import { toDay } from "../../src/text/dates/calendar.ts";
import { readQueryDates } from "../../src/text/dates/reader.ts";
import { isRange, type Reading } from "../../src/text/dates/reading.ts";
import { findEntities } from "../../src/text/entities/index.ts";
import { runAtOnce } from "../../src/text/pace.ts";

/** A Thursday. */
const AT = "2026-06-04T08:20:00Z";
const TODAY = toDay(Date.parse(AT));

/** The dates of a message: `text=value`. */
const inMessage = (text: string): string =>
  runAtOnce(findEntities(text, AT))
    .filter(({ kind }) => kind === "date")
    .map(({ start, end, value }) => `${text.slice(start, end)}=${value}`)
    .join(" | ");

const two = (number: number | undefined) => String(number ?? "*").padStart(2, "0");
const show = (reading: Reading): string => {
  if (isRange(reading))
    return [reading.from, reading.to]
      .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10))
      .join("/");
  const { year = "*", month, date } = reading;
  return [
    year,
    ...(month === undefined ? [] : [two(month)]),
    ...(date === undefined ? [] : [two(date)]),
  ].join("-");
};
/** The dates of a query. `*` is a year that it does not name; `or` joins the two readings of a date. */
const inQuery = (query: string): string =>
  readQueryDates(query, TODAY)
    .map((readings) => readings.map(show).join(" or "))
    .join(" | ");

/** Texts in which message and query have the same date with its year. */
const WHOLE: [text: string, date: string, value: string][] = [
  ["Due 31 Dec 2023.", "31 Dec 2023", "2023-12-31"],
  ["Due Dec 31, 2023.", "Dec 31, 2023", "2023-12-31"],
  ["Due Dec 31,2023.", "Dec 31,2023", "2023-12-31"],
  ["Due 31.12.2023.", "31.12.2023", "2023-12-31"],
  ["Due 12/31/2023.", "12/31/2023", "2023-12-31"],
  ["Due 12/31/23.", "12/31/23", "2023-12-31"],
  ["Due Mar 3 '26.", "Mar 3 '26", "2026-03-03"],
  ["Due 3 March ’26.", "3 March ’26", "2026-03-03"],
  ["Due Dec 31 '99.", "Dec 31 '99", "1999-12-31"],
  ["Am 31. Dezember 2023", "31. Dezember 2023", "2023-12-31"],
  ["Am 3. Jänner 2026", "3. Jänner 2026", "2026-01-03"],
  ["El 31 de diciembre de 2023", "31 de diciembre de 2023", "2023-12-31"],
  ["Le 1er décembre 2023", "1er décembre 2023", "2023-12-01"],
  ["Lundi 3 mars 2025", "Lundi 3 mars 2025", "2025-03-03"],
  ["Il 31 dicembre 2023", "31 dicembre 2023", "2023-12-31"],
  ["Em 31 de dezembro de 2023", "31 de dezembro de 2023", "2023-12-31"],
  ["Op 3 maart 2026", "3 maart 2026", "2026-03-03"],
  ["31 декабря 2023 года", "31 декабря 2023", "2023-12-31"],
  ["31 Aralık 2023", "31 Aralık 2023", "2023-12-31"],
  ["31 grudnia 2023", "31 grudnia 2023", "2023-12-31"],
  ["يوم 31 ديسمبر 2023", "31 ديسمبر 2023", "2023-12-31"],
  ["31 दिसंबर 2023 को", "31 दिसंबर 2023", "2023-12-31"],
  ["2023年12月31日に", "2023年12月31日", "2023-12-31"],
  ["2023 年 12 月 31 号", "2023 年 12 月 31 号", "2023-12-31"],
  ["2023년 12월 31일에", "2023년 12월 31일", "2023-12-31"],
  ["٣١ ديسمبر ٢٠٢٣", "٣١ ديسمبر ٢٠٢٣", "2023-12-31"],
  ["२०२३-१२-३१", "२०२३-१२-३१", "2023-12-31"],
  ["２０２３年１２月３１日", "２０２３年１２月３１日", "2023-12-31"],
  ["Im Dezember 2023", "Dezember 2023", "2023-12"],
  ["En diciembre de 2023", "diciembre de 2023", "2023-12"],
  ["В декабре 2023", "декабре 2023", "2023-12"],
  ["2023年12月の予定", "2023年12月", "2023-12"],
];

describe("a date with its year", () => {
  test.for(WHOLE)("is the same in a message and a query: %s", ([text, date, value]) => {
    expect(inMessage(text)).toBe(`${date}=${value}`);
    expect(inQuery(text)).toBe(value);
  });
});

describe("a date without a year", () => {
  test.for([
    ["am 31. Dezember im Büro", "31. Dezember=2025-12-31", "*-12-31"],
    ["am 3. April bei uns", "3. April=2026-04-03", "*-04-03"],
    ["am 31.12. mit Python 3.12. Danach", "31.12.=2025-12-31", "*-12-31"],
    ["le 3 mars", "3 mars=2026-03-03", "*-03-03"],
    ["el 3 de mayo", "3 de mayo=2026-05-03", "*-05-03"],
    ["3 марта", "3 марта=2026-03-03", "*-03-03"],
    ["31 Aralık'ta buluşuyoruz", "31 Aralık=2025-12-31", "*-12-31"],
    ["12月31日", "12月31日=2025-12-31", "*-12-31"],
    ["12월 31일", "12월 31일=2025-12-31", "*-12-31"],
  ] as const)(
    "is the closest one in a message, and that of any year in a query: %s",
    ([text, value, any]) => {
      expect(inMessage(text)).toBe(value);
      expect(inQuery(text)).toBe(any);
    },
  );

  test("takes the only year that the query names elsewhere", () => {
    expect(inQuery("in 2023, what did she do in May?")).toBe("2023-05");
    expect(inQuery("May 2 or May 9, 2025")).toBe("2025-05-02 | 2025-05-09");
  });
});

describe("a numeric date that depends on the country", () => {
  test.for([
    ["la reunión es el 3/12", "3/12=2026-12-03"],
    ["le 3/12 on se voit", "3/12=2026-12-03"],
    ["vom 05/06/2026 bis zum Ende", "05/06/2026=2026-06-05"],
    ["05/06/2026 and 13/06/2026", "05/06/2026=2026-06-05 | 13/06/2026=2026-06-13"],
    ["05/06/2026 and 06/13/2026", "05/06/2026=2026-05-06 | 06/13/2026=2026-06-13"],
    ["締め切りは 05/06/2026 です", "05/06/2026=2026-05-06"],
    ["on 12/25", "12/25=2025-12-25"],
  ] as const)("has the order of the text's language, or of a date beside it: %s", ([text, value]) => {
    expect(inMessage(text)).toBe(value);
  });

  test("is none in an English message without a hint, and has both readings in a query", () => {
    expect(inMessage("We met on 3/12 and on 05/06/2026.")).toBe("");
    expect(inQuery("what did we decide on 3/12?")).toBe("*-12-03 or *-03-12");
    expect(inQuery("the call of 05/06/2026")).toBe("2026-06-05 or 2026-05-06");
    expect(inQuery("la llamada del 3/12")).toBe("*-12-03");
  });
});

describe("a relative date", () => {
  test.for([
    ["what happened last week", "2026-05-25/2026-06-01"],
    ["letzte Woche", "2026-05-25/2026-06-01"],
    ["la semana pasada", "2026-05-25/2026-06-01"],
    ["this week", "2026-06-01/2026-06-08"],
    ["last weekend", "2026-05-30/2026-06-01"],
    ["in the last 3 days", "2026-06-01/2026-06-05"],
    ["yesterday", "2026-06-03"],
    ["вчера", "2026-06-03"],
    ["two days ago", "2026-06-02"],
    ["on monday", "2026-06-01"],
    ["last august", "2025-08"],
    ["last year", "2025"],
    ["last week, as told on November 6, 2023", "2023-11-06"],
  ] as const)("of a query is resolved: %s", ([query, value]) => {
    expect(inQuery(query)).toBe(value);
  });

  test("of a message is a day or a month, in other languages, too", () => {
    expect(inMessage("gestern, el mes pasado; last week, last year")).toBe(
      "gestern=2026-06-03 | mes pasado=2026-05",
    );
    expect(inMessage("hier, nous avons vu que le vent")).toBe("hier=2026-06-03");
    expect(inMessage("Wir sind hier und nicht da. Guten Morgen, morgen früh")).toBe("");
  });
});

describe("a query", () => {
  test.for([
    ["in august", "*-08"],
    ["in dec", "*-12"],
    ["qué pasó en mayo", "*-05"],
    ["was war im Dezember", "*-12"],
    ["2023年", "2023"],
    ["12月", "*-12"],
    ["the budget of 2024", "2024"],
    ["mid-August 2024", "2024-08"],
    ["date:2023-05-07", "2023-05-07"],
  ] as const)("also names a month or year alone: %s", ([query, value]) => {
    expect(inQuery(query)).toBe(value);
  });
});

describe("two days in a query", () => {
  test.for(["between May 2 and May 9, 2025", "from 2 May to 9 May 2025", "2025-05-02 – 2025-05-09"])(
    "are a range: %s",
    (query) => {
      expect(inQuery(query)).toBe("2025-05-02/2025-05-10");
    },
  );
});

describe("no date", () => {
  test.for([
    "version 3.12, Python 3.12.1, at 10.0.4.17",
    "a ratio of 3/12, 3/12 cup of sugar, 1/2, 3/4 of it, 24/7, score 3:2",
    "I may march in the sun, mar the set, and what did Jan say?",
    "5 set, 10 out of 10, 3 ago, a dec, 3 mars bars and 3 mai tai",
    "the march of time, May I go?",
    "令和5年12月31日",
    "error 40025, port 2048a",
    "30/02/2026",
  ])("is in %j, neither in a message nor in a query", (text) => {
    expect(inMessage(text)).toBe("");
    expect(inQuery(text)).toBe("");
  });

  test.for(["Mars 2020, 10 out of 2024", "February 30, 2026", "12月, 2023年, in dec, in 2026"])(
    "is in %j in a message",
    (text) => {
      expect(inMessage(text)).toBe("");
    },
  );
});
