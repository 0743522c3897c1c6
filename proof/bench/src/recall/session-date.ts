const MONTHS = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];

/**
 * Parse a session's date as UTC, in milliseconds since 1970.
 *
 * @param text In the data's format: "1:56 pm on 8 May, 2023".
 * @returns undefined when the text is not a valid date.
 */
export function parseSessionDate(text: string): number | undefined {
  const match = /^\s*(\d{1,2}):(\d{2})\s*([ap])m on (\d{1,2}) ([a-z]+),? (\d{4})\s*$/i.exec(text);
  if (match === null) return undefined;
  const [, hours, minutes, half, day, month, year] = match;
  const monthIndex = MONTHS.indexOf(month?.toLowerCase() ?? "");
  if (monthIndex === -1 || Number(hours) < 1 || Number(hours) > 12 || Number(minutes) > 59) return undefined;
  // 12 am is midnight, 12 pm is noon.
  const hour = (Number(hours) % 12) + (half?.toLowerCase() === "p" ? 12 : 0);
  const atMs = Date.UTC(Number(year), monthIndex, Number(day), hour, Number(minutes));
  // Date.UTC would turn 31 June into 1 July.
  return new Date(atMs).getUTCDate() === Number(day) ? atMs : undefined;
}
