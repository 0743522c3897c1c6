import type { TestProject } from "vitest/node";
import { startServiceProcess } from "./service-process.ts";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    /** A key of the organization "local" with every scope. */
    key: string;
    adminToken: string;
  }
}

/** Provides a service that the tests of one project have for themselves. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { url, key, adminToken, stop } = await startServiceProcess();
  project.provide("url", url);
  project.provide("adminToken", adminToken);
  project.provide("key", key);
  return stop;
}
