/** Separate from the model's code, which is loaded at the first call. */
export const EXTRACTIVE_MODEL = "engram/extractive-1";
