import { ENTITY_KINDS } from "@engram/spec";
import nlp from "compromise";
import dates from "compromise-dates";
import { findEntities } from "../../../../service/src/text/entities/index.ts";
import { runAtOnce } from "../../../../service/src/text/pace.ts";
import type { Finder, FoundMention } from "./measure.ts";

export const RULES: Finder = {
  name: "Engram",
  kinds: ENTITY_KINDS,
  find: ({ text, at }) => runAtOnce(findEntities(text, at)),
};

/** What `json({ offset: true })` of compromise has for each match. */
interface Match {
  text: string;
  offset: { start: number; length: number };
}
interface DateMatch extends Match {
  dates: { start: string | null; unit?: string };
}
interface View {
  json(options: { offset: true }): Match[];
}
type Plugged = ReturnType<typeof nlp> & {
  dates(context: { today: string; timezone: string }): View;
};

nlp.plugin(dates);

/** Signs around a match, which compromise counts as part of its words. */
const SIGNS_BEFORE = /^["“„«'(<[\s]+/;
const SIGNS_AFTER = /[.,:;!?)"”“»'>\]\s]+$/;
/** Words that belong to a match of a date, and not to a mark of the coding set. */
const BEFORE_DATE =
  /^(?:(?:by|on|in|of|at|from|since|until|till|before|after|for|due|the|around|between)\s+)+/i;

/**
 * compromise with its plugin for dates. It also finds people, places and organizations, which are not in the set. Its
 * quotations are what is closest to quoted names.
 */
export const COMPROMISE: Finder = {
  name: "compromise",
  kinds: ["url", "date", "amount", "email", "quoted_name"],
  find({ text, at }) {
    const doc = nlp(text) as Plugged;
    const context = { today: at, timezone: "UTC" };
    const spans = (kind: FoundMention["kind"], view: View): FoundMention[] =>
      view.json({ offset: true }).map((match) => ({ kind, ...trim(text, match, SIGNS_BEFORE) }));
    return [
      ...spans("url", doc.urls()),
      ...spans("email", doc.emails()),
      ...spans("amount", doc.money()),
      ...spans("quoted_name", doc.quotations()),
      ...doc
        .dates(context)
        .json({ offset: true })
        .map((match) => toDate(text, match, context)),
    ];
  },
};

function trim(text: string, { offset }: Match, before: RegExp): { start: number; end: number } {
  const source = text.slice(offset.start, offset.start + offset.length);
  const inner = source.replace(SIGNS_BEFORE, "").replace(before, "");
  const start = offset.start + source.length - inner.length;
  return { start, end: start + inner.replace(SIGNS_AFTER, "").length };
}

/** "by January 7" is a time before that day; without "by", compromise gives the day. */
function toDate(text: string, match: Match, context: { today: string; timezone: string }): FoundMention {
  const span = trim(text, match, BEFORE_DATE);
  const [date] = (nlp(text.slice(span.start, span.end)) as Plugged)
    .dates(context)
    .json({ offset: true }) as DateMatch[];
  const { start, unit } = date?.dates ?? { start: null };
  return { kind: "date", ...span, value: start?.slice(0, unit === "month" ? 7 : 10) ?? "" };
}

/** Finds dates as another finder does, and accepts every value. */
export const withoutValues = (finder: Finder): Finder => ({
  ...finder,
  kinds: ["date"],
  find: (message) => finder.find(message).map(({ value: _, ...mention }) => mention),
});
