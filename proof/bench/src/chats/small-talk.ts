import type { Random } from "../../../support/random.ts";
import type { Line, Topic } from "./script.ts";
import type { Fill } from "./values.ts";

/** The domain of exchanges without a subject: thanks, jokes, the weather. */
export const SMALL = "small";

const OPENERS = [
  "Sure! ",
  "Of course! ",
  "Great question! ",
  "Happy to help! ",
  "Good question. ",
  "Absolutely. ",
  "Let's see. ",
  "Here is what I know.\n\n",
  "Sure! Here is a short overview:\n\n",
  "",
  "",
  "",
];
const CLOSERS = [
  "Let me know if you have any other questions!",
  "Is there anything else I can help you with?",
  "I hope this helps!",
  "Would you like me to go into more detail on any of these?",
  "Shall I write an example for your case?",
];
/** Phrases before a question, and before an assistant's second answer. */
const PREFIXES = [
  "",
  "",
  "",
  "hey, ",
  "Quick question: ",
  "btw ",
  "Hi! ",
  "also: ",
  "so, ",
  "another thing: ",
  "Hello, ",
];
const SUFFIXES = ["", "", "", "", " thanks", " (no rush)", " 🙏", " asking for a friend", " I never know"];
const LEADS = [
  "",
  "",
  "Good point. ",
  "Yes and no. ",
  "Gladly. ",
  "That depends a little. ",
  "Right. ",
  "Fair question! ",
];
const AFTERTHOUGHTS = [
  "",
  "",
  "",
  " Does that help?",
  " Does that answer it?",
  " But you know your case best.",
];
/** Probabilities: that an assistant repeats the question, closes with a phrase, and answers as a list. */
const RESTATED = 0.25;
const CLOSED = 0.4;
const LISTED = 0.5;
const FOLLOWED_UP = 0.6;

/** One exchange about a topic: two to six messages without names. */
export function talkAbout(topic: Topic, random: Random, fill: Fill): Line[] {
  const ask = fill(random.pick(topic.asks));
  if (topic.domain === SMALL) return [say("user", ask), say("assistant", random.pick(topic.points))];
  const lines = [
    say("user", random.pick(PREFIXES) + ask + random.pick(SUFFIXES)),
    say("assistant", explain(topic, ask, random)),
  ];
  for (const followUp of random.sample(topic.followUps, topic.followUps.length)) {
    if (random.next() > FOLLOWED_UP) break;
    const answer = random.pick(LEADS) + followUp.answer + random.pick(AFTERTHOUGHTS);
    lines.push(say("user", followUp.ask), say("assistant", answer));
  }
  return lines;
}

/**
 * An answer of typical length: some of the topic's points, as text or as a list, with opening and closing
 * phrases.
 */
function explain(topic: Topic, ask: string, random: Random): string {
  const points = random.sample(topic.points, random.between(2, topic.points.length));
  const listed = random.next() < LISTED;
  const restated = random.next() < RESTATED ? `You asked: "${ask}" ` : "";
  const body = listed ? points.map((point) => `- ${point}`).join("\n") : inParagraphs(points);
  const code = topic.code !== undefined && random.next() < 0.7 ? [topic.code] : [];
  const closer = random.next() < CLOSED ? [random.pick(CLOSERS)] : [];
  const opener = `${random.pick(OPENERS)}${restated}`;
  const start = listed && opener !== "" ? [opener.trim(), body] : [opener + body];
  return [...start, ...code, ...closer].join("\n\n");
}

function inParagraphs(points: string[]): string {
  return points
    .map((point, index) => point + (index % 3 === 2 ? "\n\n" : " "))
    .join("")
    .trim();
}

const say = (role: Line["role"], text: string): Line => ({ role, name: undefined, label: undefined, text });
