import type { TestProject } from "vitest/node";
import { startOwnService } from "../../../scripts/own-service.ts";

declare module "vitest" {
  export interface ProvidedContext {
    url: string;
    key: string;
    adminToken: string;
  }
}

/** Starts one service for all test files and provides its URL and keys. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await startOwnService();
  project.provide("url", service.url);
  project.provide("key", service.key);
  project.provide("adminToken", service.adminToken);
  return () => service.stop();
}
