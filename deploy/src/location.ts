import { DeployError } from "./deploy-error.ts";
import { isLocation, LOCATIONS, type Location, REGIONS } from "./regions.ts";
import type { Ask } from "./terminal.ts";

const QUESTIONS_MAX = 3;

/** Asks where the database shall be. Undefined, after an empty answer, leaves the choice to D1. */
export async function askLocation(ask: Ask): Promise<Location | undefined> {
  const choices = LOCATIONS.map((location) => `${location} (${REGIONS[location].name})`).join(", ");
  const question = `Location of the database, for good: ${choices}.\nEnter for where D1 chooses: `;
  for (let asked = 0; asked < QUESTIONS_MAX; asked++) {
    const answer = (await ask(question)).toLowerCase();
    if (answer === "") return undefined;
    if (isLocation(answer)) return answer;
  }
  throw new DeployError(`The location must be one of: ${LOCATIONS.join(", ")}.`);
}
