import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as imports from "./imports.ts";

export const createImport: Handler<typeof contracts.createImport> = async (c) => {
  const { lines } = c.req.valid("json");
  const result = await imports.createImport(c.var.caller, lines ?? null, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};

export const importLines: Handler<typeof contracts.importLines> = async (c) => {
  const { operation_id, after_line, last } = c.req.valid("query");
  const part =
    operation_id === undefined
      ? null
      : {
          operationId: operation_id,
          afterLine: after_line ?? 0,
          lines: c.var.lineCount,
          isLast: last ?? false,
        };
  const body = { lines: c.var.lines, lineCount: c.var.lineCount };
  return c.json(await imports.importLines(c.var.caller, body, part), 200);
};
