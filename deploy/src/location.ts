import { DeployError } from "./deploy-error.ts";
import { isLocation, LOCATIONS, type Location, REGIONS } from "./regions.ts";
import type { Ask } from "./terminal.ts";

const QUESTIONS_MAX = 3;
const HOUR_MS = 3_600_000;

/**
 * The location that is probably nearest to a time zone, such as `Europe/Berlin`. Undefined for a zone that names no
 * place, such as `UTC`.
 */
export function guessLocation(timeZone: string): Location | undefined {
  const [area = "", place] = timeZone.split("/");
  if (place === undefined || area === "Etc") return undefined;
  const hours = standardOffset(timeZone);
  if (area === "Australia" || (area === "Pacific" && hours > 0)) return "oc";
  // The offset of a zone follows its longitude.
  if (hours <= -7) return "wnam";
  if (hours <= -2) return "enam";
  if (hours <= 1) return "weur";
  return hours <= 4 ? "eeur" : "apac";
}

/** Asks where the database shall be. An empty answer takes the guess, or leaves the choice to D1 if there is none. */
export async function askLocation(ask: Ask, guess: Location | undefined): Promise<Location | undefined> {
  const choices = LOCATIONS.map((location) => `${location} (${REGIONS[location].name})`).join(", ");
  const otherwise = guess ?? "where D1 chooses";
  const question = `Location of the database, for good: ${choices}.\nEnter for ${otherwise}: `;
  for (let asked = 0; asked < QUESTIONS_MAX; asked++) {
    const answer = (await ask(question)).toLowerCase();
    if (answer === "") return guess;
    if (isLocation(answer)) return answer;
  }
  throw new DeployError(`The location must be one of: ${LOCATIONS.join(", ")}.`);
}

/** Hours that a zone is ahead of UTC, outside daylight saving time. */
function standardOffset(timeZone: string): number {
  const year = new Date().getUTCFullYear();
  return Math.min(...[0, 6].map((month) => offsetAt(timeZone, Date.UTC(year, month, 15, 12))));
}

function offsetAt(timeZone: string, timeMs: number): number {
  const format = new Intl.DateTimeFormat("en", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
  });
  const parts = new Map<string, number>(
    format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]),
  );
  const part = (type: string) => parts.get(type) ?? Number.NaN;
  const localMs = Date.UTC(part("year"), part("month") - 1, part("day"), part("hour"), part("minute"));
  return (localMs - timeMs) / HOUR_MS;
}
