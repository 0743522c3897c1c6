import { createRandom, type Random } from "../../../support/random.ts";
import { countWords, type DialogueSet, type Question, type Session, type Turn } from "../recall/dialogues.ts";

const VERBS = "fetch create update delete parse render validate cancel retry export merge resolve".split(" ");
const NOUNS = "user order invoice session token report address payment upload schedule account message".split(
  " ",
);
const DETAILS = "id email region status date locale tenant device".split(" ");
const FOLDERS = "billing auth search mail admin sync".split(" ");
const ENDINGS = ["ts", "py", "go", "sql", "yaml"];
const PROGRAMS = ["npm run", "docker compose", "kubectl", "git", "cargo", "make"];
const SESSIONS = 100;
const QUESTIONS = 200;
const STARTED_AT_MS = Date.UTC(2026, 2, 2, 9);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Something that is named in code, by its words in order. */
interface Name {
  kind: "symbol" | "file" | "error" | "command";
  words: string[];
  /** As the conversation writes it. */
  text: string;
}

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);
const camel = ([first = "", ...others]: string[]) => first + others.map(capital).join("");
const snake = (words: string[]) => words.join("_");
const kebab = (words: string[]) => words.join("-");
const pascal = (words: string[]) => words.map(capital).join("");
const screaming = (words: string[]) => snake(words).toUpperCase();

/** Lines before and after the one that names something. */
const BEFORE = [
  "I went through the failing build again this morning, and most of it is noise.",
  "The deployment of Friday is still on the old version, by the way.",
  "Can we look at the flaky tests before the review?",
  "I split the change in two, so that the second half can wait.",
];
const AFTER = [
  "Good, then I leave the rest as it is and write it down in the ticket.",
  "Thanks. I will add a test for it and ask for a review.",
  "That explains the numbers on the dashboard since Tuesday.",
  "All right, the rest can wait until after the release.",
];
const NAMING: Record<Name["kind"], ((name: string) => string)[]> = {
  symbol: [
    (name) => `The cache is bypassed in \`${name}\`, so every call goes to the database.`,
    (name) => `It throws because ${name}() gets null when the row is gone.`,
    (name) => `I renamed the argument of \`${name}\`, and two callers still pass the old one.`,
  ],
  file: [
    (name) => `The import at the top of ${name} is circular.`,
    (name) => `Look at ${name}:42, the condition is the wrong way round.`,
    (name) => `Half of \`${name}\` is dead code since the migration.`,
  ],
  error: [
    (name) => `The worker stops with ${name} after about an hour.`,
    (name) => `We swallow ${name} in the middleware, that is why the log is empty.`,
    (name) => `Support sees ${name} whenever the proxy restarts.`,
  ],
  command: [
    (name) => `Run it locally first:\n\n\`\`\`sh\n${name}\n\`\`\``,
    (name) => `\`${name}\` fails on the build machine, but not on mine.`,
    (name) => `After the merge, \`${name}\` has to run once.`,
  ],
};

function nameOf(random: Random): Name {
  const kind = random.pick(["symbol", "symbol", "file", "error", "command"] as const);
  const core = [random.pick(VERBS), random.pick(NOUNS)];
  const long = [...core, "by", random.pick(DETAILS)];
  if (kind === "symbol") return { kind, words: long, text: random.pick([camel, snake, pascal])(long) };
  if (kind === "file") {
    const folder = random.pick(FOLDERS);
    const ending = random.pick(ENDINGS);
    const base = random.pick([kebab, snake, camel])(core);
    return { kind, words: [folder, ...core, ending], text: `src/${folder}/${base}.${ending}` };
  }
  if (kind === "error") {
    const [, noun = ""] = core;
    const words = [noun, random.pick(DETAILS), random.pick(["missing", "expired", "locked", "invalid"])];
    return random.next() < 0.5
      ? { kind, words: ["err", ...words], text: `ERR_${screaming(words)}` }
      : { kind, words: [...words, "error"], text: `${pascal(words)}Error` };
  }
  const [program = "", ...more] = random.pick(PROGRAMS).split(" ");
  const task = [random.pick(VERBS), random.pick(NOUNS)];
  return { kind, words: [program, ...more, ...task], text: [program, ...more, kebab(task)].join(" ") };
}

/** What somebody types to find the name again: in another case, or a part of it. */
function queriesFor({ kind, words, text }: Name, random: Random): string[] {
  const from = random.between(0, 1);
  const part = words.slice(from, from + words.length - 1);
  const styles = [camel, snake, kebab, pascal];
  const other = (of: string[]) => styles.map((style) => style(of)).filter((each) => !text.includes(each));
  if (kind === "file") {
    const [folder = "", verb = "", noun = "", ending = ""] = words;
    return [
      `${random.pick(other([verb, noun]))}.${ending}`,
      `${folder}/${random.pick(styles)([verb, noun])}`,
    ];
  }
  if (kind === "command") return [part.join(" "), random.pick(other(words.slice(-2)))];
  return [random.pick(other(words)), random.pick(other(part))];
}

/** Whether the words stand in the name, one after the other. */
const holds = (name: Name, words: string[]): boolean =>
  ` ${name.words.join(" ")} `.includes(` ${words.join(" ")} `);
const wordsOf = (query: string): string[] =>
  query
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/);

/**
 * Generate conversations on code, and questions that name a symbol, a file, an error or a command by a part of its name or
 * in another case. Only one conversation has a name with the words of a question in their order; many have some of the
 * words. Deterministic.
 */
export function generateCode(): DialogueSet {
  const random = createRandom("code");
  const names: Name[] = [];
  while (names.length < SESSIONS) {
    const name = nameOf(random);
    if (!names.some(({ text }) => text === name.text)) names.push(name);
  }
  const sessions = names.map((name, index) => toSession(name, index, random));
  const questions = names.flatMap((name, index) =>
    [0, 1, 2]
      .flatMap(() => queriesFor(name, random))
      .flatMap((text): Question[] => {
        const isUnique = names.filter((other) => holds(other, wordsOf(text))).length === 1;
        const turn = sessions[index]?.turns[1];
        if (!isUnique || turn === undefined) return [];
        const evidence = {
          evidenceTurns: new Set([turn.key]),
          evidenceSessions: new Set([turn.sessionKey]),
        };
        return [{ text, category: name.kind, dialogueId: "code", ...evidence }];
      }),
  );
  const distinct = [...new Map(questions.map((question) => [question.text, question])).values()];
  return {
    name: "code",
    categories: new Map(Object.keys(NAMING).map((kind) => [kind, kind])),
    dialogues: [{ id: "code", sessions, questions: random.sample(distinct, QUESTIONS) }],
    unanswerable: [],
  };
}

function toSession(name: Name, index: number, random: Random): Session {
  const key = `code/${index + 1}`;
  const contents = [random.pick(BEFORE), random.pick(NAMING[name.kind])(name.text), random.pick(AFTER)];
  const turns = contents.map((content, place): Turn => {
    const role = place % 2 === 0 ? "user" : "assistant";
    return {
      key: `${key}:${place}`,
      sessionKey: key,
      id: String(place),
      role,
      content,
      createdAtMs: STARTED_AT_MS + index * DAY_MS + place * MINUTE_MS,
      words: countWords(role, content),
    };
  });
  return { key, turns };
}
