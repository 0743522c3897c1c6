/** A word that the model of a switchable service refuses, with every text that holds it. */
export const POISON = "poisonous-mushroom-7";
