import type { TestProject } from "vitest/node";
import { type ServiceProcess, startServiceProcess } from "./service-process.ts";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    /** A key with every scope, of an organization that one project has for itself. */
    key: string;
    adminToken: string;
  }
}

/** Vitest evaluates this module once for each project, so the service is kept outside of it. */
const shared = globalThis as { sharedService?: Promise<ServiceProcess> };

/** Provides the URL of one service that all projects share, and a key for each project. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.sharedService ??= startServiceProcess();
  const { url, adminToken, stop } = await shared.sharedService;
  project.provide("url", url);
  project.provide("adminToken", adminToken);
  project.provide("key", await createKey(url, adminToken, `tests ${project.name}`));
  return stop;
}

async function createKey(url: string, adminToken: string, name: string): Promise<string> {
  const response = await fetch(`${url}/v1/organizations`, {
    method: "POST",
    headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
    body: JSON.stringify({ name }),
  });
  if (!response.ok) throw new Error(`No organization: ${response.status} ${await response.text()}`);
  const { key } = (await response.json()) as { key: { secret: string } };
  return key.secret;
}
