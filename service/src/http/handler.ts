import type { RouteConfig, RouteHandler } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import type { AnonymousCaller, AppEnv, KeyCaller, OperatorCaller } from "../invocation.ts";

type CallerOf<Contract> = Contract extends { security: (infer Alternative)[] }
  ? Alternative extends { apiKey: unknown }
    ? KeyCaller
    : Alternative extends { adminToken: unknown }
      ? OperatorCaller
      : AnonymousCaller
  : never;

/** The type of a contract's handler. The type of its caller follows from the security of the contract. */
export type Handler<Contract extends RouteConfig> = RouteHandler<
  Contract,
  { Bindings: AppEnv["Bindings"]; Variables: AppEnv["Variables"] & { caller: CallerOf<Contract> } }
>;

/** Names the operation of a request in the log and in the usage of its key. */
export function nameOperation(name: string): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    c.set("operation", name);
    await next();
  };
}
