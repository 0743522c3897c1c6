import type { Enrichment, EnrichmentMessage } from "../../../../service/src/platform/enricher.ts";
import { wordIn } from "../clients/texts.ts";
import type { Random } from "../random.ts";

export const TEXT_MODEL = "sim/text";

/** The model's output for a note, derived from the note's unique word. */
export const describe = (word: string): Enrichment => ({
  summary: `Note ${word} in short.`,
  tags: [`about-${word}`, "sim-note", "sim-text"],
});

/** Prefix of tags that clients give. The model reuses such a tag when it is a known tag in its input. */
export const GIVEN_TAG = "given-";

/**
 * Invalid outputs of a text model: no JSON, truncated JSON, missing fields, and the error of another service.
 */
const NONSENSE: (() => unknown)[] = [
  () => ({ response: "I cannot help with that." }),
  () => ({ response: '{"summary": "A note", "tags": ["a-note", "sim' }),
  () => ({ response: { summary: "A note", tags: "none" } }),
  () => ({ response: { summary: " ", tags: ["a-note", "b-note", "c-note"] } }),
  () => {
    throw Object.assign(new Error("5024: JSON Mode couldn't be met"), { name: "AiError" });
  },
];

/** Enriches notes, and remembers the notes for which it returned nonsense. */
export class TextModel {
  /** Whether the service has a text model. Only a backfill enriches memories captured before. */
  isConfigured = true;
  readonly #misunderstood = new Set<string>();

  /** One response. With `isConfused` it is nonsense, or more than requested. */
  answer(messages: EnrichmentMessage[], isConfused: boolean, random: Random): unknown {
    const { note, known_tags } = JSON.parse(messages.at(-1)?.content ?? "") as {
      note: string;
      known_tags: string[];
    };
    const word = wordIn(note);
    const { summary, tags } = describe(word);
    const known = known_tags.find((tag) => tag.startsWith(GIVEN_TAG));
    const said = { summary, tags: known === undefined ? tags : [...tags, known] };
    if (!isConfused) return { response: said };
    if (random.chance(0.3)) {
      const further = Array.from({ length: 60 }, (_, i) => `Sim  ${i % 9} Ü`);
      return {
        response: `Of course:\n\`\`\`json\n${JSON.stringify({ ...said, tags: [...said.tags, ...further] })}\n\`\`\``,
      };
    }
    this.#misunderstood.add(word);
    return random.pick(NONSENSE)();
  }

  /** Whether it has ever returned nonsense for the note with this word. */
  hasMisunderstood(word: string): boolean {
    return this.#misunderstood.has(word);
  }
}
