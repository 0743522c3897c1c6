import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { setReplayedHeader } from "../http/headers.ts";
import * as members from "./service.ts";

export const createMember: Handler<typeof contracts.createMember> = async (c) => {
  const { name, role, email = null, agent_id = null, user_id = null } = c.req.valid("json");
  const member = { name, role, email, agentId: agent_id, userId: user_id };
  const result = await members.createMember(c.var.caller, member, c.var.idempotency);
  setReplayedHeader(c, result);
  return c.json(result.answer, 201);
};

export const listMembers: Handler<typeof contracts.listMembers> = async (c) =>
  c.json(await members.listMembers(c.var.caller, c.req.valid("query")), 200);

export const getMember: Handler<typeof contracts.getMember> = async (c) =>
  c.json(await members.getMember(c.var.caller, c.req.valid("param").member_id), 200);

export const updateMember: Handler<typeof contracts.updateMember> = async (c) => {
  const { member_id } = c.req.valid("param");
  return c.json(await members.updateMember(c.var.caller, member_id, c.req.valid("json")), 200);
};

export const deleteMember: Handler<typeof contracts.deleteMember> = async (c) =>
  c.json(await members.deleteMember(c.var.caller, c.req.valid("param").member_id), 200);

export const createMemberSignInCode: Handler<typeof contracts.createMemberSignInCode> = async (c) =>
  c.json(await members.createMemberSignInCode(c.var.caller, c.req.valid("param").member_id), 201);

export const getMe: Handler<typeof contracts.getMe> = async (c) =>
  c.json(await members.getMe(c.var.caller), 200);
