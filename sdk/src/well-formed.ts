/**
 * The text with U+FFFD in place of each half of a surrogate pair, which is not valid Unicode. The service refuses it.
 * It arises when a text is cut between the two halves of an emoji.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");
