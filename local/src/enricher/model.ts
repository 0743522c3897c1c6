/** Id of the built-in text model, apart from its code, which is read when it is first run. */
export const EXTRACTIVE_MODEL = "engram/extractive-1";
