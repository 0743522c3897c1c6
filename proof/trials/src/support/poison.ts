/** A switchable service's embedder rejects every text that contains this word. */
export const POISON = "poisonous-mushroom-7";
/** Beginning of the embedder's error, which then repeats the text. */
export const REFUSAL = "5006: Error: this text is refused";
/** The error that the index reports: a code, without the text. */
export const REPORTED = "text_refused: code 5006";
