import type { TestProject } from "vitest/node";
import { startOwnService } from "../../../scripts/own-service.ts";

declare module "vitest" {
  interface ProvidedContext {
    url: string;
    adminToken: string;
  }
}

/** One real service for all files; each test makes an organization of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, adminToken, stop } = await startOwnService();
  project.provide("url", url);
  project.provide("adminToken", adminToken);
  return stop;
}
