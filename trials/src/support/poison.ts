/** A word that the embedder of a switchable service refuses, with every text that holds it. */
export const POISON = "poisonous-mushroom-7";
/** What it says of such a text. */
export const REFUSAL = "5006: Error: this text is refused";
