import { writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { WriteStream } from "node:tty";
import { DeployError } from "../deploy-error.ts";
import type { Deployment } from "../deployment.ts";
import type { Step } from "../steps.ts";
import { readLocalFigures } from "./local-figures.ts";
import { measure } from "./measure.ts";
import { PLAN, type Plan } from "./plan.ts";
import { report } from "./report.ts";

/** The measurement as a step that is planned. */
export const MEASUREMENT: Step = {
  title: "Measurement",
  text: "call the deployed URL for at most five minutes, for less than a dollar",
  change: async () => "",
};

/**
 * Measures a deployment and writes the figures to a JSON file. Returns the report.
 *
 * @throws {DeployError} If the deployment has no URL, or an organization for the measurement could not be created or
 * deleted.
 */
export async function measureDeployment(
  { worker }: Deployment,
  options: {
    root: string;
    output: Pick<WriteStream, "isTTY" | "write">;
    signal: AbortSignal;
    plan?: Plan;
  },
): Promise<string> {
  const { root, output, signal, plan = PLAN } = options;
  const { deployed, adminToken, location, placement, firstRequest } = worker;
  if (deployed?.url === undefined || adminToken.value === undefined)
    throw new DeployError("Nothing was measured, as the routes name no single host.");
  const over = output.isTTY ? "\r\x1b[K" : "";
  const end = output.isTTY ? "" : "\n";
  try {
    const measurement = await measure({
      url: deployed.url,
      fetch,
      adminToken: adminToken.value,
      deployed: {
        database_location: location ?? null,
        placement,
        startup_ms: deployed.startupMs ?? null,
        first_request: firstRequest ?? null,
      },
      plan,
      started: (phase) => output.write(`${over}  … Measuring: ${phase}${end}`),
      signal,
    });
    const file = join(root, `engram-measurement-${measurement.measured_at.replaceAll(/[:.]/g, "-")}.json`);
    // Reasons of failures may name the host.
    const json = JSON.stringify(measurement, null, 2).replaceAll(new URL(deployed.url).hostname, "HOST");
    writeFileSync(file, `${json}\n`);
    const where = `Written to ${relative(process.cwd(), file)}, which names no account, address or key.\n`;
    return `${over}${report(measurement, readLocalFigures(root))}\n${where}`;
  } catch (error) {
    output.write(over);
    throw error;
  }
}
