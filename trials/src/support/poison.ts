/** A word that the embedder of a switchable service refuses, with every text that holds it. */
export const POISON = "poisonous-mushroom-7";
/** How it begins what it says of such a text, which it then repeats. */
export const REFUSAL = "5006: Error: this text is refused";
/** What the index says of it: a code, and nothing of the text. */
export const REPORTED = "text_refused: code 5006";
