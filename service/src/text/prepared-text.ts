import { encodeText, type StoredText } from "./compression.ts";
import { featuresOf } from "./features.ts";
import { type IndexedTerms, toIndexedTerms } from "./index-terms.ts";
import { toModelTokens } from "./model-tokens.ts";
import type { Pace } from "./pace.ts";
import type { Stem } from "./stems.ts";

/** A text as it is stored, with its index terms, its `FEATURES`, and the tokens that it costs a model. */
export type PreparedText = StoredText & IndexedTerms & { features: number; model_tokens: number };

export async function prepareText(
  { pace, caches }: { pace: Pace; caches: { stem: Stem } },
  termPrefix: string,
  text: string,
): Promise<PreparedText> {
  const indexed = await pace.run(toIndexedTerms(caches.stem, termPrefix, text));
  const stored = await encodeText(text, pace);
  const model_tokens = await pace.run(toModelTokens(text));
  return { ...stored, ...indexed, features: featuresOf(text, indexed.term_count), model_tokens };
}
