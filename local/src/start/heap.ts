import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Makes V8 keep the heap of this process small. To be called first. Set here rather than on the command line, because
 * several programs start the service.
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--max-semi-space-size=1");
  setFlagsFromString("--optimize-for-size");
}

/** Frees what only the start needed, which is most of the heap. Otherwise V8 frees it only when the heap grows. */
export function freeHeap(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
