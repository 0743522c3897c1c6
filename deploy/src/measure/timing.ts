/** What the service says in `Server-Timing` about a request. Calls of D1, models and the index may overlap. */
export interface Timing {
  workerMs: number;
  d1Ms: number;
  d1Calls: number;
  aiMs: number;
  vectorizeMs: number;
  rowsRead: number;
  rowsWritten: number;
}

/** Figures that the header does not have are 0. */
export function readTiming(header: string | null): Timing {
  const number = (pattern: RegExp) => Number(pattern.exec(header ?? "")?.[1] ?? 0);
  return {
    workerMs: number(/\btotal;dur=(\d+)/),
    d1Ms: number(/\bd1;dur=(\d+)/),
    d1Calls: number(/\bd1;dur=\d+;desc="calls: (\d+)"/),
    aiMs: number(/\bai;dur=(\d+)/),
    vectorizeMs: number(/\bvectorize;dur=(\d+)/),
    rowsRead: number(/\brows;desc="read: (\d+)/),
    rowsWritten: number(/\brows;desc="read: \d+, written: (\d+)"/),
  };
}
