import type { MessageRole } from "@engram/sdk";

export interface Line {
  role: MessageRole;
  /** The speaker's name, or the tool's name for a tool result. */
  name: string | undefined;
  /** The label that questions use as evidence; undefined when no question does. */
  label: string | undefined;
  text: string;
}

export interface Part {
  /** "2025-06-30", or "+40" for days after the preceding part; undefined for a random day. */
  date: string | undefined;
  title: string | undefined;
  /** Small talk may be inserted between stretches, never inside one. */
  stretches: Line[][];
}

export interface StoryQuestion {
  category: string;
  evidence: string[];
  text: string;
  /** Words of the evidence that are the answer; at least one. */
  answers: string[];
}

/** The events of one user in one or more conversations, with questions about them. */
export interface Story {
  id: string;
  userId: string;
  /** How often the story is repeated, each time with different values. */
  times: number;
  /** Number of questions asked per repetition, in rotation; undefined for all. */
  asks: number | undefined;
  parts: Part[];
  questions: StoryQuestion[];
  /** Questions in the story's style that no message answers. */
  unanswerable: string[];
}

/** A subject for small talk. No question is about it. */
export interface Topic {
  id: string;
  domain: string;
  asks: string[];
  points: string[];
  code: string | undefined;
  followUps: { ask: string; answer: string }[];
}

const ROLES: Record<string, MessageRole> = { u: "user", a: "assistant", s: "system", t: "tool" };
const STORY = /^=== (\S+) (\S+)(?: x(\d+))?(?: ask(\d+))?$/;
const PART = /^---(?: (\d{4}-\d\d-\d\d|\+\d+))?(?: \| (.+))?$/;
const LINE = /^([uast])(?:@([^[\]:]+))?(?:\[(\w+)\])?: (.*)$/;
const QUESTION = /^\? (\S+) (\w+(?:,\w+)*) \| (.+?) => (.+)$/;
const UNANSWERABLE = /^\?\? (.+)$/;

/**
 * Parse the stories of a script. chats/README.md describes the format.
 *
 * @throws {Error} that names the first invalid line.
 */
export function parseStories(script: string): Story[] {
  const stories: Story[] = [];
  for (const [index, row] of script.split("\n").entries()) {
    const story = stories.at(-1);
    const part = story?.parts.at(-1);
    const line = part?.stretches.at(-1)?.at(-1);
    const [heading, opening, said, asked, unanswered] = [STORY, PART, LINE, QUESTION, UNANSWERABLE].map(
      (form) => form.exec(row),
    );
    if (heading) {
      const [, id = "", userId = "", times = "1", asks] = heading;
      stories.push({
        id,
        userId,
        times: Number(times),
        asks: asks === undefined ? undefined : Number(asks),
        parts: [],
        questions: [],
        unanswerable: [],
      });
    } else if (opening && story) {
      story.parts.push({ date: opening[1], title: opening[2], stretches: [[]] });
    } else if (row === "..." && part) {
      part.stretches.push([]);
    } else if (said && part) {
      const [, role = "", name, label, text = ""] = said;
      part.stretches.at(-1)?.push({ role: ROLES[role] ?? "user", name, label, text });
    } else if (asked && story) {
      const [, category = "", evidence = "", text = "", answers = ""] = asked;
      story.questions.push({ category, evidence: evidence.split(","), text, answers: answers.split(" & ") });
    } else if (unanswered && story) {
      story.unanswerable.push(unanswered[1] ?? "");
    } else if (line) {
      line.text += `\n${row}`;
    } else if (row !== "") {
      throw new Error(`Line ${index + 1} fits nowhere: ${row}`);
    }
  }
  for (const line of stories.flatMap(({ parts }) => parts.flatMap(({ stretches }) => stretches.flat()))) {
    line.text = line.text.trimEnd();
  }
  return stories;
}

const TOPIC = /^=== (\S+) (\S+)$/;
const ENTRY = /^(u:|-|c:|>) ?(.*)$/;

/**
 * Parse the topics of a script. chats/README.md describes the format.
 *
 * @throws {Error} that names the first invalid line.
 */
export function parseTopics(script: string): Topic[] {
  const topics: Topic[] = [];
  for (const [index, row] of script.split("\n").entries()) {
    const topic = topics.at(-1);
    const heading = TOPIC.exec(row);
    const inCode = topic?.code !== undefined && !topic.code.endsWith("\n```");
    const entry = inCode ? null : ENTRY.exec(row);
    if (heading) {
      const [, id = "", domain = ""] = heading;
      topics.push({ id, domain, asks: [], points: [], code: undefined, followUps: [] });
    } else if (topic && inCode) {
      topic.code += `\n${row}`;
    } else if (topic && entry) {
      const [, kind, text = ""] = entry;
      if (kind === "u:") topic.asks.push(text);
      else if (kind === "-") topic.points.push(text);
      else if (kind === "c:") topic.code = text;
      else {
        const [ask = "", answer] = text.split(" => ");
        if (answer === undefined) throw new Error(`Line ${index + 1} has no answer: ${row}`);
        topic.followUps.push({ ask, answer });
      }
    } else if (row !== "") {
      throw new Error(`Line ${index + 1} fits nowhere: ${row}`);
    }
  }
  return topics;
}
