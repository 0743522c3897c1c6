/**
 * Id of the built-in text model. It has its own file, because the model's code is loaded only at the first
 * call.
 */
export const EXTRACTIVE_MODEL = "engram/extractive-1";
