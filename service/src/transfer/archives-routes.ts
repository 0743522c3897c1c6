import type * as contracts from "@engram/spec";
import { NDJSON_TYPE } from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import { streamed } from "../http/streams.ts";
import * as archives from "./archives.ts";

export const createArchive: Handler<typeof contracts.createArchive> = async (c) => {
  const { expires_in_days } = c.req.valid("json");
  const input = { expiresInDays: expires_in_days ?? null };
  const result = await archives.createArchive(c.var.caller, input, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 202);
};

export const listArchives: Handler<typeof contracts.listArchives> = async (c) => {
  const { limit, cursor } = c.req.valid("query");
  return c.json(await archives.listArchives(c.var.caller, { limit, cursor }), 200);
};

export const getArchive: Handler<typeof contracts.getArchive> = async (c) =>
  c.json(await archives.getArchive(c.var.caller, c.req.valid("param").archive_id), 200);

export const getArchiveLines: Handler<typeof contracts.getArchiveLines> = async (c) => {
  const { archive_id: id } = c.req.valid("param");
  const { part: number = 1 } = c.req.valid("query");
  const lines = await archives.readLines(c.var.caller, { id, number });
  // In the contract, the type of the body is that of a single line, so the type of the stream does not match.
  return (await streamed(c, NDJSON_TYPE, lines)) as never;
};

export const deleteArchive: Handler<typeof contracts.deleteArchive> = async (c) =>
  c.json(await archives.deleteArchive(c.var.caller, c.req.valid("param").archive_id), 200);

export const getArchiveSchedule: Handler<typeof contracts.getArchiveSchedule> = async (c) =>
  c.json(await archives.getSchedule(c.var.caller), 200);

export const setArchiveSchedule: Handler<typeof contracts.setArchiveSchedule> = async (c) => {
  const { every_days: everyDays, keep_days: keepDays = null } = c.req.valid("json");
  return c.json(await archives.setSchedule(c.var.caller, { everyDays, keepDays }), 200);
};
