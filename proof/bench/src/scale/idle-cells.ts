import { setTimeout as sleep } from "node:timers/promises";
import { Engram } from "@engram/sdk";
import { median } from "../speed/statistics.ts";
import { type PlacesService, startPlaces } from "./service.ts";

/** workerd removes an object from memory when nothing has called it for ten seconds. */
const IDLE_MS = 30_000;
/** The garbage collector decides when memory is returned, so one reading says little. */
const READINGS = 5;
const READING_MS = 1_000;

/** Resident bytes of workerd, each the median of some readings. */
export interface IdleCells {
  cells: number;
  before: number;
  /** After each cell was created and used once. */
  created: number;
  /** The same, when nothing has called the cells for a while. */
  idle: number;
  /** After a restart, before and after one search in each cell. */
  restarted: number;
  reopened: number;
  reopenedIdle: number;
}

/** Measures the memory of cells that are used once and then idle. @param directory Of the data, for these cells alone. */
export async function measureIdleCells(
  directory: string,
  cells: number,
  atEnd: (cleanup: () => Promise<void>) => void,
): Promise<IdleCells> {
  const start = async (): Promise<PlacesService> => {
    const service = await startPlaces(directory);
    atEnd(service.stop);
    // The first organization is in D1, and loads the code.
    await use(service, await create(service, "d1"));
    return service;
  };
  const first = await start();
  const before = await memoryOf(first);
  const secrets: string[] = [];
  for (let i = 0; i < cells; i++) {
    const secret = await create(first, "cell");
    await use(first, secret);
    secrets.push(secret);
  }
  const created = await memoryOf(first);
  await sleep(IDLE_MS);
  const idle = await memoryOf(first);
  await first.stop();
  const second = await start();
  const restarted = await memoryOf(second);
  for (const secret of secrets) await clientOf(second, secret).search({ query: "When does it land?" });
  const reopened = await memoryOf(second);
  await sleep(IDLE_MS);
  const reopenedIdle = await memoryOf(second);
  await second.stop();
  return { cells, before, created, idle, restarted, reopened, reopenedIdle };
}

async function memoryOf(service: PlacesService): Promise<number> {
  const readings: number[] = [];
  for (let i = 0; i < READINGS; i++) {
    await sleep(READING_MS);
    readings.push(service.memoryBytes());
  }
  return median(readings);
}

const clientOf = ({ url }: PlacesService, apiKey: string) => new Engram({ baseUrl: url, apiKey });

async function create(service: PlacesService, place: "d1" | "cell"): Promise<string> {
  const operator = clientOf(service, service.adminToken);
  const { key } = await operator.organizations.create({ name: "idle", place });
  return key.secret;
}

async function use(service: PlacesService, secret: string): Promise<void> {
  const client = clientOf(service, secret);
  const { id } = await client.conversations.create();
  await client.messages.append(id, { messages: [{ role: "user", content: "The zeppelin lands at noon." }] });
  await client.search({ query: "When does it land?" });
}
