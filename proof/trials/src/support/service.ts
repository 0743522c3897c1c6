import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Engram } from "@engram/sdk";
import {
  type ServiceProcess,
  type ServiceSettings,
  startServiceProcess,
} from "../../../support/service-process.ts";
import type { Build } from "./builds.ts";
import { keepSecret, searchLines } from "./log.ts";

export interface TrialSettings extends Pick<ServiceSettings, "cronIntervalMs"> {
  /** Let `set` reach the stand-ins, and shorten the times of background work. */
  switchable?: boolean;
  /** Only shorten the times of background work. Without these, only the product's own programs run. */
  shortTimes?: boolean;
  /** Where new organizations are, and the first one. Undefined without cells. */
  place?: "d1" | "cell" | undefined;
  /** Let `killHub` kill the hub of an organization. */
  killableHub?: boolean;
  /** Versions of the Worker, of the Worker that has the cells, and of the migrations of D1. */
  builds?: Record<"worker" | "cell" | "database", Build>;
}

/** Faults and settings of the stand-ins for Workers AI and Vectorize. Omitted ones are unchanged. */
export interface Switches {
  /** Embedder and text model. */
  ai?: "3040" | null;
  /** Visibility lag of later vector mutations. */
  visibilityDelayMs?: number;
  /** Make every pending mutation visible now. */
  flush?: boolean;
}

export interface TrialService extends ServiceProcess {
  client: Engram;
  set(switches: Switches): Promise<void>;
  killHub(organizationId: string): Promise<void>;
}

/** Run `use` with an empty directory, which is removed afterwards. */
export async function withDirectory<T>(use: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "engram-trial-"));
  try {
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Run `use` with a service on an empty directory. Both are removed afterwards. */
export async function withService<T>(
  settings: TrialSettings,
  use: (service: TrialService) => Promise<T>,
): Promise<T> {
  return withDirectory(async (directory) => {
    const service = await startTrialService(join(directory, "data"), settings);
    try {
      return await use(service);
    } finally {
      await service.stop();
    }
  });
}

/** The limits of D1 that a service on one machine does not have. */
const D1_LIMITS = { STATEMENTS_MAX: "1000" };

const served = (file: string): string => join(import.meta.dirname, "served", file);

/** Start the service on a data directory. @throws {Error} With its output when it does not start. */
export async function startTrialService(
  dataDirectory: string,
  { switchable, shortTimes, killableHub, place, builds, ...settings }: TrialSettings = {},
): Promise<TrialService> {
  const entries = switchable
    ? { serviceEntry: served("service-worker.mjs"), localEntry: served("local-worker.mjs") }
    : shortTimes
      ? { serviceEntry: served("short-times-worker.mjs") }
      : killableHub
        ? { serviceEntry: served("killable-hub-worker.mjs") }
        : builds
          ? {
              serviceEntry: builds.worker.entry,
              cellEntry: builds.cell.entry,
              migrationsDirectory: builds.database.migrations,
            }
          : {};
  const service = await startServiceProcess(
    // Every line is searched for secrets.
    {
      ...settings,
      ...entries,
      vars: { ...D1_LIMITS, ...(place === undefined ? {} : { DEFAULT_PLACE: place }) },
      dataDirectory,
      logsRequests: true,
    },
    { onLine: searchLines() },
  );
  keepSecret(service.key);
  keepSecret(service.adminToken);
  return {
    ...service,
    client: new Engram({ baseUrl: service.url, apiKey: service.key }),
    async set(switches) {
      const response = await fetch(`${service.url}/switches`, {
        method: "PUT",
        body: JSON.stringify(switches),
      });
      if (response.status !== 204) throw new Error(`The switches were answered ${response.status}`);
    },
    async killHub(organizationId) {
      const { status } = await fetch(`${service.url}/kill-hub/${organizationId}`);
      if (status !== 204) throw new Error(`The kill of a hub was answered ${status}`);
    },
  };
}
