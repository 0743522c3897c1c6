export const FEATURES = {
  /**
   * A short message that ends with a question. It contains few answers, but the message after it probably answers the
   * question.
   */
  question: 1,
  time: 2,
  number: 4,
} as const;

/** A message of more words is not only a question: assistants often end a long text with one. */
const QUESTION_WORDS_MAX = 40;

const ENDS_ASKING = /[?？؟][\s)"'”’\]\p{Extended_Pictographic}]*(?:\[[^\]]*\]\s*)?$/u;
const NAMES_TIME =
  /\b(?:yesterday|today|tonight|tomorrow|ago|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|april|june|july|august|september|october|november|december|morning|evening|afternoon|night|noon|midnight|since|recently|(?:last|next|this|past) (?:week|month|year|spring|summer|autumn|fall|winter|time)|(?:in|on|of|by|since|until|last|next) (?:march|may)|\d{4}-\d\d-\d\d|(?:19|20)\d\d|\d{1,2}:\d\d|\d{1,2} ?[ap]m|\d{1,2}(?:st|nd|rd|th))\b/i;
const NAMES_NUMBER =
  /\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|once|twice|couple|several|hundred|thousand|million)\b/i;

/**
 * Times and numbers are searched in this many first characters, the question in as many last ones. Almost every longer
 * text has both times and numbers.
 */
const LOOKED_AT_CHARACTERS = 2_000;

/** The `FEATURES` that a message has, as bits of a number. Recognizes times and numbers in English only. */
export function featuresOf(content: string, wordCount: number): number {
  const beginning = content.slice(0, LOOKED_AT_CHARACTERS);
  const isQuestion =
    wordCount <= QUESTION_WORDS_MAX && ENDS_ASKING.test(content.slice(-LOOKED_AT_CHARACTERS));
  return (
    (isQuestion ? FEATURES.question : 0) |
    (NAMES_TIME.test(beginning) ? FEATURES.time : 0) |
    (NAMES_NUMBER.test(beginning) ? FEATURES.number : 0)
  );
}
