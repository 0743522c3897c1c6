import { setTimeout as sleep } from "node:timers/promises";
import { type ServiceProcess, startServiceProcess } from "../../../support/service-process.ts";

/** A log line follows soon after the response that it describes. */
const LINE_TIMEOUT_MS = 10_000;
const POLL_MS = 5;

export interface LoggedService extends ServiceProcess {
  /** The rows that D1 read for a request, from the service's log. */
  rowsRead(requestId: string): Promise<number>;
}

/** Start the service with its log on a data directory. @throws {Error} with its output when it does not start. */
export async function startLoggedService(dataDirectory: string): Promise<LoggedService> {
  const rows = new Map<string, number>();
  const onLine = (line: string) => {
    if (!line.startsWith('{"event":"request"')) return;
    const { request_id, rows_read } = JSON.parse(line) as { request_id: string; rows_read: number };
    rows.set(request_id, rows_read);
  };
  const service = await startServiceProcess({ dataDirectory, logsRequests: true }, { onLine });
  const rowsRead = async (requestId: string) => {
    for (let waitedMs = 0; waitedMs < LINE_TIMEOUT_MS; waitedMs += POLL_MS) {
      const read = rows.get(requestId);
      rows.delete(requestId);
      if (read !== undefined) return read;
      await sleep(POLL_MS);
    }
    throw new Error(`The service logged nothing about ${requestId}`);
  };
  return { ...service, rowsRead };
}
