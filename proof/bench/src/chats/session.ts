import { createRandom, type Random } from "../../../support/random.ts";
import { countWords, type Session, type Turn } from "../recall/dialogues.ts";
import type { Line, Topic } from "./script.ts";
import { SMALL, talkAbout } from "./small-talk.ts";
import type { Scene } from "./telling.ts";
import type { User } from "./users.ts";
import { createFill } from "./values.ts";

/** Length of a conversation in messages, unless its story is longer. Short ones are more frequent. */
const MESSAGES_MIN = 6;
const MESSAGES_MAX = 54;
const SHORTNESS = 4;
/**
 * Probabilities: that a conversation has a title, that it starts with the user's system prompt, and that
 * small talk has no subject.
 */
const TITLED = 0.92;
const PROMPTED = 0.6;
const SUBJECTLESS = 0.3;

/**
 * Turn a scene into a session, with small talk before, between and after the story's messages.
 *
 * @param turns Receives the turn of each story line.
 */
export function toSession(
  key: string,
  scene: Scene,
  user: User,
  topics: readonly Topic[],
  turns: Map<Line, Turn>,
): Session {
  const random = createRandom(scene.seed);
  const lines = withSmallTalk(scene.stretches, user, topics, random);
  if (user.systemPrompt !== undefined && random.next() < PROMPTED) {
    lines.unshift({ role: "system", name: undefined, label: undefined, text: user.systemPrompt });
  }
  const title = random.next() < TITLED ? scene.title : undefined;
  // Between 7:00 and 21:00.
  let createdAtMs = scene.startedAtMs + random.between(7 * 60, 21 * 60) * 60_000;
  const session: Session = { key, title, userId: user.id, agentId: user.agentId, turns: [] };
  for (const line of lines) {
    // Users take up to three minutes to reply, programs up to 20 seconds.
    createdAtMs += 1_000 * (line.role === "user" ? random.between(15, 180) : random.between(2, 20));
    const id = `m${session.turns.length + 1}`;
    const isTool = line.role === "tool";
    const turn: Turn = {
      key: `${key}/${id}`,
      sessionKey: key,
      id,
      role: line.role,
      name: isTool ? undefined : line.name,
      toolName: isTool ? line.name : undefined,
      toolCallId: isTool ? `call_${random.between(1e8, 1e9 - 1)}` : undefined,
      content: line.text,
      createdAtMs,
      words: countWords(line.name ?? line.role, line.text),
    };
    session.turns.push(turn);
    turns.set(line, turn);
  }
  return session;
}

function withSmallTalk(stretches: Line[][], user: User, topics: readonly Topic[], random: Random): Line[] {
  const wanted = Math.round(MESSAGES_MIN * (MESSAGES_MAX / MESSAGES_MIN) ** (random.next() ** SHORTNESS));
  const people = stretches.flat().filter(({ role }) => role === "user");
  const fill = createFill(random, 0, new Set());
  const gaps: Line[][] = Array.from({ length: stretches.length + 1 }, () => []);
  // No topic occurs twice in a conversation.
  const waiting = random.sample(topics, topics.length);
  for (let count = stretches.flat().length; count < wanted; ) {
    const domain = random.next() < SUBJECTLESS ? SMALL : random.pick(user.domains);
    const index = waiting.findIndex((topic) => topic.domain === domain);
    if (index === -1) break;
    const name = people.length === 0 ? undefined : random.pick(people).name;
    const talk = waiting
      .splice(index, 1)
      .flatMap((topic) => talkAbout(topic, random, fill))
      .map((line) => (line.role === "user" ? { ...line, name } : line));
    random.pick(gaps).push(...talk);
    count += talk.length;
  }
  return gaps.flatMap((gap, index) => [...gap, ...(stretches[index] ?? [])]);
}
