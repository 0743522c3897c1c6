/**
 * The text with U+FFFD in place of each half of a surrogate pair, which is not valid Unicode. The service refuses it.
 * It arises when a text is cut between the two halves of an emoji.
 */
export const wellFormed = (text: string): string => text.replace(/\p{Surrogate}/gu, "\ufffd");

/** The body with a query that is valid Unicode: a user's text may have been cut in the middle of an emoji. */
export const withValidQuery = <Body extends { query?: string }>(body: Body): Body =>
  typeof body?.query === "string" ? { ...body, query: wellFormed(body.query) } : body;
