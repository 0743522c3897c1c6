/** Id of the built-in text model. Separate from its code, which is loaded at the first call. */
export const EXTRACTIVE_MODEL = "engram/extractive-1";
