import type { Enrichment, EnrichmentMessage } from "../../../service/src/ports/enricher.ts";
import { wordIn } from "../clients/texts.ts";
import type { Random } from "../random.ts";

export const TEXT_MODEL = "sim/text";

/** What the model says of a note, by the word that the note alone holds. */
export const describe = (word: string): Enrichment => ({
  summary: `Note ${word} in short.`,
  tags: [`about-${word}`, "sim-note", "sim-text"],
});

/** Tags that clients give begin so: the model takes them up where it is shown them. */
export const GIVEN_TAG = "given-";

/** A text model, as it answers at times: no JSON, half of it, none of the fields, and what another service says then. */
const NONSENSE: (() => unknown)[] = [
  () => ({ response: "I cannot help with that." }),
  () => ({ response: '{"summary": "A note", "tags": ["a-note", "sim' }),
  () => ({ response: { summary: "A note", tags: "none" } }),
  () => ({ response: { summary: " ", tags: ["a-note", "b-note", "c-note"] } }),
  () => {
    throw Object.assign(new Error("5024: JSON Mode couldn't be met"), { name: "AiError" });
  },
];

/** Describes notes, and remembers of which it has said nothing usable. */
export class TextModel {
  /** Whether the service is told of it; what is captured before, only a backfill describes. */
  isConfigured = true;
  readonly #misunderstood = new Set<string>();

  /** One answer; `isConfused` when it is to be nonsense, or more than was asked for. */
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

  /** Whether it has ever answered nonsense about the note with this word. */
  hasMisunderstood(word: string): boolean {
    return this.#misunderstood.has(word);
  }
}
