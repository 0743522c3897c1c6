import type { RouteConfig, RouteHandler } from "@hono/zod-openapi";
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
