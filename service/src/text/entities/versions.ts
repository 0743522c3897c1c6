import type { Span } from "./kinds.ts";
import { VERSIONED, VERSIONED_BY_YEAR } from "./products.ts";
import { DIGIT, LOWER, OTHER_SCRIPT, SIGN, type Token, type Tokens, UPPER } from "./tokens.ts";

const SUFFIX =
  "(?:[-.]?(?:alpha|beta|rc|dev|pre|preview|post|next|canary|nightly|snapshot|release|final|ga|lts|esr|b|a|p)[0-9a-z]*(?:[.+-][0-9a-z]+)*|[-+][0-9a-z]+(?:[.+-][0-9a-z]+)*)?";
/** Three numbers or more. */
const FULL = new RegExp(`^[vV]?\\d{1,5}(?:\\.\\d{1,8}){2,3}${SUFFIX}$`, "i");
const SHORT = new RegExp(`^\\d{1,4}\\.(?:\\d{1,4}|x)${SUFFIX}$`, "i");
const WITH_V = new RegExp(`^v\\d{1,4}(?:\\.\\d{1,5}){0,2}(?:\\.x)?${SUFFIX}$`, "i");
const WILD = /^\d{1,4}(?:\.\d{1,4})?\.x$/;
const WHOLE = /^\d{1,4}$/;
const IP_ADDRESS = /^(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?:25[0-5]|2[0-4]\d|1?\d?\d)){3}$/;
/** 1.234.567 is a number with separators of thousands. */
const THOUSANDS = /^\d{1,3}(?:\.\d{3}){2,}$/;
const DAY_FIRST = /^(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])\.(?:19|20)\d\d$/;
const OPERATOR = /[=~^>@:]$/;

const set = (words: string) => new Set(words.split(/\s+/));
const VERSION_WORDS = set("version versions release releases ver rel v");
/** Before a number that is no version. */
const PLACES = set(
  `section sections chapter chapters § paragraph figure fig table clause appendix part parts step steps item page pages
  line lines article rule lesson unit level exercise question room floor score cvss gpa ratio grade richter`,
);
const PREPOSITIONS = set(
  "to from in since of until till before after with on for at and or than below above between through by via is was",
);
/** "we are on 4.1", "I installed 2.0" */
const STAYS = set("are is am still we're i'm it's they're stay stuck staying running runs was were now");
const RUNS = set("install installed installing run runs running using tried tested");
const AFTER_VERSION = set("release releases version branch beta rc series build builds changelog upgrade");
/** In talk about versions, a number such as 3.0 is one. */
const TALK = set(
  `upgrade upgrades upgraded upgrading update updates updated updating bump bumps bumped downgrade downgraded downgrading
  migrate migrated migrating migration version versions versioned release releases released drop drops dropped dropping
  deprecate deprecated deprecates deprecation remove removed removes removal fixed fixes ship ships shipped shipping
  codename changelog pin pinned tag tagged backport backported backports patch patched yanked supports supported support
  introduced breaking goes gone arrives landed lands requires compatible broke breaks regression regressed since legacy
  major minor semver published publish installed install`,
);
const UPGRADES = /^(?:up|down)grad|^bump|^migrat|^updat|^mov(?:e|ed|ing)$/;
const TALK_REACH = 10;
/** A word after a number that says what it counts. */
const UNIT =
  /^(?:%|‰|°c?f?|percent|per|s|ms|µs|ns|sec|secs|min|mins|h|hr|hrs|kg|g|mg|lb|lbs|oz|m|km|cm|mm|mi|ft|in|inch|l|ml|cl|b|kb|mb|gb|tb|pb|kib|mib|gib|tib|bit|bits|byte|bytes|kbps|mbps|gbps|hz|khz|mhz|ghz|c|f|k|degrees?|bar|psi|v|a|w|kw|kwh|mah|x|times|points?|stars?|million|billion|thousand|trillion|hundred|out|am|pm|o'clock|liters?|litres?|meters?|metres?|kilos?|grams?|miles?|feet|inches|tons?|euros?|dollars?|pounds?|cents?|usd|eur|gbp|seconds?|minutes?|hours?|days?|weeks?|months?|years?|people|users?|items?|tokens?|requests?|gigabytes?|megabytes?|kilobytes?|cores?|cpus?|vcpus?|fps|dpi|px|rem|em|pt|vh|vw|db|mol|ppm)$/;
/** Words that may follow a version without saying what a number counts. */
const FLAG = /^--?(?:from|to|version|tag|release|target|v|java|python|node|ruby|go|channel)$/;

/** A version of something, with its `v` and without operators such as `^`. */
export function matchVersion(tokens: Tokens, token: Token, chained: Span | undefined): Span | undefined {
  if ((token.traits & DIGIT) === 0) return undefined;
  // `~1.2`; other operators end a token.
  const from = /^~(?=\d)/.test(token.text) ? 1 : 0;
  const text = from === 0 ? token.text : token.text.slice(from);
  if (!/^[vV]?\d/.test(text)) return undefined;
  return isVersion(tokens, token, text, chained) ? { start: token.start + from, end: token.end } : undefined;
}

function isVersion(tokens: Tokens, token: Token, text: string, chained: Span | undefined): boolean {
  const isWhole = token === tokens.at(0);
  const sign = tokens.text.charAt(token.start - 1);
  if (WITH_V.test(text)) return text.startsWith("v") || text.includes(".");
  if (token.traits === DIGIT && WHOLE.test(text)) {
    if (!isWhole) return /[@:]/.test(sign) && text.length < 4 && followsProduct(tokens, token);
    return isWholeVersion(tokens, token, chained);
  }
  if (FULL.test(text)) return isFullVersion(tokens, text, isWhole);
  if (!isWhole)
    return SHORT.test(text) && (sign === "@" || (sign === ":" && /[a-z]/i.test(tokens.at(0)?.text ?? "")));
  if (WILD.test(text)) return true;
  return SHORT.test(text) && isShortVersion(tokens, token, sign, chained);
}

function isFullVersion(tokens: Tokens, text: string, isWhole: boolean): boolean {
  if (/^v/i.test(text)) return true;
  if (THOUSANDS.test(text) || DAY_FIRST.test(text) || /^0\d/.test(text)) return false;
  if (!isWhole) return !IP_ADDRESS.test(text);
  const before = tokens.lower(-1);
  if (PLACES.has(before)) return false;
  return !IP_ADDRESS.test(text) || VERSION_WORDS.has(before) || VERSIONED.has(before);
}

/** Whether a number with one dot is a version, by what is around it. */
function isShortVersion(tokens: Tokens, token: Token, sign: string, chained: Span | undefined): boolean {
  if (isCounted(tokens)) return false;
  if (tokens.isNextTo(0) && AFTER_VERSION.has(tokens.lower(1))) return true;
  const before = tokens.lower(-1);
  if (PLACES.has(before)) return false;
  if (VERSION_WORDS.has(before) || isProduct(tokens, -1) || continues(tokens, token, chained)) return true;
  if (FLAG.test(before) || (OPERATOR.test(sign) && isRequirement(tokens, token))) return true;
  if (isUnknownProduct(tokens, -1) && !/^0\.\d\d/.test(token.text)) return true;
  if (!standsAlone(tokens)) return false;
  if (RUNS.has(before) || (before === "on" && STAYS.has(tokens.lower(-2)))) return true;
  return PREPOSITIONS.has(before) ? talksOfVersions(tokens) : standsForSubject(tokens);
}

/** Whether a number without a dot is a version: after a product, or after "release". */
function isWholeVersion(tokens: Tokens, token: Token, chained: Span | undefined): boolean {
  if (isCounted(tokens) || !tokens.isNextTo(-1)) return false;
  const before = tokens.lower(-1);
  const isYear = /^(?:19|20)\d\d$/.test(token.text);
  if (VERSION_WORDS.has(before)) return !isYear || before.startsWith("ver");
  if (isYear) return VERSIONED_BY_YEAR.has(before) && tokens.at(-1)?.text !== before;
  if (token.text.length > 3 || isPlural(tokens)) return false;
  if (isProduct(tokens, -1)) return true;
  if (continues(tokens, token, chained)) return standsAlone(tokens);
  return (before === "to" || before === "from") && isUpgrade(tokens);
}

/** Whether the word at a distance is a product with versions, directly before the next token. */
function isProduct(tokens: Tokens, distance: number): boolean {
  const word = tokens.at(distance);
  if (word === undefined || !tokens.isNextTo(distance) || !VERSIONED.has(word.lower)) return false;
  // Names that are also words of English count only when they are capitalized.
  return !WORDS.has(word.lower) || word.text !== word.lower;
}

const WORDS = set(
  `go next black word edge spring express office arch fish chef puppet solid remix parcel r swift rust kernel mac vault
  sketch unity excel outlook cargo ember eclipse rocky phoenix requests oracle sentry alpine opera java flask helm spark
  jest mocha guava jackson celery pillow`,
);

/** A capitalized word in a sentence, which is probably a name. */
function isUnknownProduct(tokens: Tokens, distance: number): boolean {
  const word = tokens.at(distance);
  if (word === undefined || !tokens.isNextTo(distance)) return false;
  if (
    (word.traits & (DIGIT | SIGN | OTHER_SCRIPT)) !== 0 ||
    (word.traits & (LOWER | UPPER)) !== (LOWER | UPPER)
  )
    return false;
  const isFirst =
    tokens.at(distance - 1) === undefined || /[.!?\n:]/.test(tokens.between(distance - 1).slice(0, 8));
  return !isFirst && /^[A-Z][a-z]{2,}/.test(word.text);
}

/** Whether a unit or something counted follows. */
function isCounted(tokens: Tokens): boolean {
  const gap = tokens.between(0);
  if (gap.startsWith("%")) return true;
  return tokens.isNextTo(0) && UNIT.test(tokens.lower(1));
}

/** "Chrome 5 tabs" */
const isPlural = (tokens: Tokens): boolean =>
  tokens.isNextTo(0) &&
  /^[a-z]{3,}s$/.test(tokens.at(1)?.text ?? "") &&
  !/^(?:has|was|is|does|works|fails|breaks|needs|ships|adds|drops|removes|requires|supports|runs|users|builds|comes|gets|changes|deprecates|this|versus|images?)$/.test(
    tokens.lower(1),
  );

/** Whether no word follows that the number could count. */
function standsAlone(tokens: Tokens): boolean {
  if (!tokens.isNextTo(0)) return true;
  return tokens.at(1) === undefined || FOLLOWERS.has(tokens.lower(1));
}

const FOLLOWERS = set(
  `and or is was are were be has had have will would can could should may might must does did do it we i you they he she
  but so because if when since until before after with without on in at for from to as than that which who where while
  the a an this these those not only already now today yesterday tomorrow instead again too also itself does doesn't isn't
  won't can't breaks broke fixes fixed works needs changed changes came comes release releases behaves onwards onward
  upwards up then via using still by seems introduced removed adds added drops dropped supports`,
);

function talksOfVersions(tokens: Tokens): boolean {
  for (let distance = -1; distance >= -TALK_REACH; distance--) {
    if (endsSentence(tokens, distance)) break;
    if (TALK.has(tokens.lower(distance))) return true;
  }
  for (let distance = 1; distance <= 4 && !endsSentence(tokens, distance - 1); distance++) {
    if (TALK.has(tokens.lower(distance))) return true;
  }
  return false;
}

/** Whether a sentence ends after the token at a distance. */
const endsSentence = (tokens: Tokens, distance: number): boolean =>
  /[.!?\n]/.test(tokens.between(distance).slice(0, 8));

/** "3.2 is out", "2.4 breaks our build" */
function standsForSubject(tokens: Tokens): boolean {
  const isFirst = tokens.at(-1) === undefined || endsSentence(tokens, -1);
  return (
    isFirst &&
    tokens.isNextTo(0) &&
    /^(?:is|was|has|breaks|broke|fixes|drops|removes|adds|ships|shipped|requires|introduces)$/.test(
      tokens.lower(1),
    )
  );
}

/** Whether a version directly before it is listed with this one: "3.8, 3.9 and 3.10". */
function continues(tokens: Tokens, token: Token, chained: Span | undefined): boolean {
  if (chained === undefined || token.start - chained.end > 6) return false;
  return /^(?:,? ?(?:and|or|to|&|vs)? ?|, |\/| ?(?:->|→|–|-) ?)$/.test(
    tokens.text.slice(chained.end, token.start),
  );
}

const isRequirement = (tokens: Tokens, token: Token): boolean =>
  /[\w"'][=~^><!]{1,2} ?$|(?:^|[\s"'])[~^]$|\w@[~^]?$/.test(
    tokens.text.slice(Math.max(0, token.start - 4), token.start),
  );

/** Whether a product's name stands before the sign of a part: `postgres:16`. */
function followsProduct(tokens: Tokens, token: Token): boolean {
  const whole = tokens.at(0);
  if (whole === undefined || token.end !== whole.end) return false;
  const name = tokens.text.slice(whole.start, token.start - 1).toLowerCase();
  return tokens.text.charAt(token.start - 1) === "@" || VERSIONED.has(name.slice(name.lastIndexOf("/") + 1));
}

function isUpgrade(tokens: Tokens): boolean {
  let hasVerb = false;
  let hasProduct = false;
  for (let distance = -2; distance >= -6; distance--) {
    hasVerb ||= UPGRADES.test(tokens.lower(distance));
    hasProduct ||=
      VERSIONED.has(tokens.lower(distance)) && tokens.at(distance)?.text !== tokens.lower(distance);
  }
  return hasVerb && hasProduct && standsAlone(tokens);
}
