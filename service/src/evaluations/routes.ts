import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as evaluations from "./service.ts";

export const createEvaluation: Handler<typeof contracts.createEvaluation> = async (c) => {
  const created = await evaluations.createEvaluation(c.var.caller, c.req.valid("json"), c.var.idempotency);
  setReplayedHeader(c, created);
  return c.json(created.answer, 201);
};

export const listEvaluations: Handler<typeof contracts.listEvaluations> = async (c) =>
  c.json(await evaluations.listEvaluations(c.var.caller, c.req.valid("query")), 200);

export const runEvaluation: Handler<typeof contracts.runEvaluation> = async (c) =>
  c.json(await evaluations.runEvaluation(c.var.caller, c.req.valid("param").evaluation_id), 200);

export const deleteEvaluation: Handler<typeof contracts.deleteEvaluation> = async (c) =>
  c.json(await evaluations.deleteEvaluation(c.var.caller, c.req.valid("param").evaluation_id), 200);
