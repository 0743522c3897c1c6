import { encodeText, type StoredText } from "./compression.ts";
import { featuresOf } from "./features.ts";
import { type IndexedTerms, toIndexedTerms } from "./index-terms.ts";
import { toModelTokens } from "./model-tokens.ts";
import type { Pace, Steps } from "./pace.ts";
import type { Stem } from "./stems.ts";

/** A text as it is stored, with its index terms, its `FEATURES`, and the tokens that it costs a model. */
export type PreparedText = StoredText & IndexedTerms & { features: number; model_tokens: number };

export async function prepareText(
  { pace, caches }: { pace: Pace; caches: { stem: Stem } },
  termPrefix: string,
  text: string,
): Promise<PreparedText> {
  const read = await pace.run(readText(caches.stem, termPrefix, text));
  return { ...(await encodeText(text, pace)), ...read };
}

/** What is stored of a text besides its content. A repair of the index computes it again. */
export function* readText(
  stem: Stem,
  termPrefix: string,
  text: string,
): Steps<Omit<PreparedText, keyof StoredText>> {
  const indexed = yield* toIndexedTerms(stem, termPrefix, text);
  const model_tokens = yield* toModelTokens(text);
  return { ...indexed, features: featuresOf(text, indexed.term_count), model_tokens };
}
