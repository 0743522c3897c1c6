/** The position itself, or the start of the surrogate pair that it would split. */
export function pairStart(text: string, position: number): number {
  const isInPair =
    /[\ud800-\udbff]/.test(text.charAt(position - 1)) && /[\udc00-\udfff]/.test(text.charAt(position));
  return isInPair ? position - 1 : position;
}

/** Cuts a text to at most this number of UTF-16 units, and never between the halves of a surrogate pair. */
export const cutText = (text: string, unitsMax: number): string => text.slice(0, pairStart(text, unitsMax));

/** As `cutText`, with an ellipsis in place of the last character if something was cut. */
export const shortened = (text: string, unitsMax: number): string =>
  text.length <= unitsMax ? text : `${cutText(text, unitsMax - 1)}…`;
