import type { Random } from "../../../support/random.ts";

const VERBS = "fetch load merge parse build apply resolve sync validate normalize collect render".split(" ");
const THINGS =
  "User Cart Order Price Address Refund Voucher Parcel Session Catalog Invoice Stock Review Tax Bundle".split(
    " ",
  );
const ENDINGS = ["ById", "ForTenant", "Batch", "FromFeed", "InStock", "WithRates", "Async", "V2"];
const SERVICES =
  "cart-api tax-engine search-indexer image-resizer mail-relay geo-lookup stock-sync auth-gateway pdf-writer session-store ledger-feed push-notifier quota-guard media-proxy report-cron user-profile webhook-router label-printer".split(
    " ",
  );
const FIRST_NAMES =
  "Anouk Bastiaan Carlijn Dirk Esmee Femke Gijs Hanneke Ilse Jelle Katja Lars Maaike Niels Odette Pieter Quirine Roos Sjoerd Tess Ulrich Vera Wouter Xander Yvette Zeno Ameer Blanca Cedric Dalia Emre Fenna Goran Hilde Imke Jorrit".split(
    " ",
  );
const LAST_NAMES =
  "Aalbers Bakhuis Colijn Dekkers Eland Feringa Goossens Hazelhoff Idema Jonker Koopmans Lammers Mulder Noordhof Oosting Postma Rademaker Schipper Terpstra Uiterwijk Vlaming Wiersma Zijlstra".split(
    " ",
  );
const COMPANIES =
  "Alder & Finch|Blue Fjord Logistics|Cobalt Studio|Dunmore Textiles|Elmtree Clinics|Foxglove Media|Granite Coffee|Hazel Point School|Ironbridge Tools|Juniper Travel|Kingfisher Labs|Larkspur Homes|Marlow Print|Northwind Farms|Oakham Dairy|Pebble Games|Quill Legal|Riverside Vets|Saltmarsh Hotel|Tallow & Wick|Umber Pottery|Vesper Lighting".split(
    "|",
  );
const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);
const WEEKDAYS = "Monday Tuesday Wednesday Thursday Friday Saturday".split(" ");
/** Without letters that are easily confused with others. */
const CAPITALS = [..."ABCDEFGHJKLMNPQRSTUVWXYZ"];

const hex = (random: Random, length: number) =>
  Array.from({ length }, () => random.between(0, 15).toString(16)).join("");
const digits = (random: Random, length: number) =>
  String(random.between(1, 9)) + Array.from({ length: length - 1 }, () => random.between(0, 9)).join("");
const capitals = (random: Random, length: number) =>
  Array.from({ length }, () => random.pick(CAPITALS)).join("");
const twoDigits = (value: number) => String(value).padStart(2, "0");

const KINDS: Record<string, (random: Random) => string> = {
  amount: (random) => `${random.between(9, 480)}.${twoDigits(random.between(0, 99))}`,
  code: (random) => `${capitals(random, 3)}-${digits(random, 4)}`,
  col: (random) => String(random.between(3, 48)),
  commit: (random) => hex(random, 7),
  company: (random) => random.pick(COMPANIES),
  count: (random) => String(random.between(120, 9_800)),
  custid: (random) => `cus_${hex(random, 10)}`,
  date: (random) => `${random.between(1, 28)} ${random.pick(MONTHS)}`,
  errid: (random) => `E${digits(random, 4)}-${capitals(random, 2)}`,
  file: (random) => `${random.pick(VERBS)}-${random.pick(THINGS).toLowerCase()}`,
  first: (random) => random.pick(FIRST_NAMES),
  flight: (random) => `${capitals(random, 2)} ${digits(random, 4)}`,
  fn: (random) => random.pick(VERBS) + random.pick(THINGS) + random.pick(ENDINGS),
  host: (random) => `worker-${digits(random, 3)}.${random.pick(["blue", "green", "amber"])}.internal`,
  inc: (random) => `INC-${digits(random, 5)}`,
  invoice: (random) => `${capitals(random, 2)}-2026-${digits(random, 4)}`,
  isodate: (random) => `2025-${twoDigits(random.between(4, 12))}-${twoDigits(random.between(1, 28))}`,
  last: (random) => random.pick(LAST_NAMES),
  line: (random) => String(random.between(12, 390)),
  mins: (random) => String(random.between(7, 140)),
  num: (random) => digits(random, 2),
  num4: (random) => digits(random, 4),
  order: (random) => `VB-${digits(random, 5)}`,
  partno: (random) => `${capitals(random, 2)}${digits(random, 4)}-${capitals(random, 1)}`,
  person: (random) => `${random.pick(FIRST_NAMES)} ${random.pick(LAST_NAMES)}`,
  pnr: (random) => capitals(random, 3) + digits(random, 1) + capitals(random, 2),
  pod: (random) => `${random.pick(SERVICES)}-${hex(random, 9)}-${hex(random, 5)}`,
  rma: (random) => `R${digits(random, 6)}`,
  room: (random) => `${capitals(random, 1)}${digits(random, 3)}`,
  seconds: (random) => String(random.between(41, 880)),
  service: (random) => random.pick(SERVICES),
  sku: (random) => `${digits(random, 2)}-${digits(random, 3)}-${capitals(random, 1)}`,
  ticket: (random) => `LG-${digits(random, 5)}`,
  time: (random) => `${random.between(7, 19)}:${twoDigits(5 * random.between(0, 11))}`,
  trace: (random) => hex(random, 32),
  tracking: (random) => `00${digits(random, 12)}`,
  uuid: (random) => [8, 4, 4, 4, 12].map((length) => hex(random, length)).join("-"),
  version: (random) => [random.between(1, 9), random.between(0, 40), random.between(0, 12)].join("."),
  wagen: (random) => String(random.between(1, 14)),
  weekday: (random) => random.pick(WEEKDAYS),
  zug: (random) => `${random.pick(["ICE", "IC", "RE"])} ${digits(random, 4)}`,
};
/** Kinds of values that may repeat, because no question identifies anything by them. */
const COMMON = new Set(
  "amount col count date isodate last line mins num seconds time wagen weekday".split(" "),
);
const ATTEMPTS_MAX = 1_000;

/** Fills slots in a text. A slot keeps its value throughout one repetition of a story. */
export type Fill = (text: string) => string;

/**
 * Create a slot filler: `<<order>>` is a value of that kind, `<<order~>>` the same value with two characters
 * swapped, `<<a|b>>` one of the choices, and `<<colour=red|blue>>` the choice for this repetition, later
 * referred to as `<<colour>>`.
 *
 * @param taken Values in use. An identifying value is used once in all stories.
 * @throws {Error} for a slot of unknown kind without a value.
 */
export function createFill(random: Random, telling: number, taken: Set<string>): Fill {
  const values = new Map<string, string>();

  const draw = (kind: string): string => {
    const make = KINDS[kind];
    if (make === undefined) throw new Error(`There is no slot <<${kind}>>`);
    for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      const value = make(random);
      if (COMMON.has(kind)) return value;
      if (taken.has(value)) continue;
      taken.add(value);
      return value;
    }
    throw new Error(`No <<${kind}>> is left`);
  };

  const read = (slot: string): string => {
    const known = values.get(slot);
    if (known !== undefined) return known;
    const value = slot.endsWith("~") ? swapTwo(read(slot.slice(0, -1))) : draw(slot);
    values.set(slot, value);
    return value;
  };

  const fillOne = (slot: string): string => {
    if (!slot.includes("|")) return read(slot);
    const [, name, list = slot] = /^(\w+)=(.*)$/s.exec(slot) ?? [];
    const choices = list.split("|");
    if (name === undefined) return random.pick(choices);
    const value = choices[telling % choices.length] ?? "";
    values.set(name, value);
    return value;
  };

  return (text) => {
    let filled = text;
    // Innermost first, because a choice may contain slots.
    for (let before = ""; before !== filled; ) {
      before = filled;
      filled = before.replace(/<<([^<>]*)>>/g, (_, slot: string) => fillOne(slot));
    }
    return filled;
  };
}

/**
 * The text with its last two different adjacent digits swapped, so that it is easily mistaken for the
 * original.
 */
function swapTwo(text: string): string {
  for (let place = text.length - 2; place >= 0; place--) {
    const [a = "", b = ""] = [text[place], text[place + 1]];
    if (a !== b && /\d/.test(a) && /\d/.test(b)) return text.slice(0, place) + b + a + text.slice(place + 2);
  }
  return `${text}-2`;
}
