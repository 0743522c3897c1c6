import type * as contracts from "@engram/spec";
import type { Handler } from "../http/handler.ts";
import { bearerToken } from "../http/headers.ts";
import * as signInCodes from "./service.ts";

export const createSignInCode: Handler<typeof contracts.createSignInCode> = async (c) =>
  c.json(await signInCodes.createSignInCode(c.var.caller), 201);

export const redeemSignInCode: Handler<typeof contracts.redeemSignInCode> = async (c) =>
  c.json(await signInCodes.redeemSignInCode(c.var.caller, bearerToken(c.req)), 201);
