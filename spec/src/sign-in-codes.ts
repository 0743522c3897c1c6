import { createRoute, z } from "@hono/zod-openapi";
import {
  jsonAnswer,
  requires,
  requiresSignInCode,
  sdkExample,
  sdkMethod,
  timestamp,
  writeProblems,
} from "./common.ts";
import { ApiKeyWithSecret } from "./keys.ts";
import { problems } from "./problem.ts";

export const SignInCode = z
  .strictObject({
    code: z.string().meta({
      description: "The code. Shown only in this response; the service stores only a hash.",
      examples: ["engram_code_1m8c75g5ff69myj986sm_1m8c75g5gdxd8f0bsk7z_XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py4k"],
    }),
    expires_at: timestamp("Time from which the code is rejected."),
  })
  .meta({ description: "A code that is used once, instead of a key." })
  .openapi("SignInCode");
export type SignInCode = z.infer<typeof SignInCode>;

export const createSignInCode = createRoute({
  operationId: "createSignInCode",
  ...sdkMethod({ method: "signInCodes.create" }),
  ...sdkExample(`
    const { code } = await engram.signInCodes.create();
    console.log(code.startsWith("engram_code_")); // true; the link is \`\${url}/#/sign-in/\${code}\`
  `),
  method: "post",
  path: "/v1/sign-in-codes",
  tags: ["Keys"],
  summary: "Create a sign-in code",
  description:
    "Creates a code with which a person signs in to the console: the link is the URL of the service with `#/sign-in/` and the code. Browsers send the part of a URL after `#` to no server, so the code is in no log. A code is used once, within an hour. A key has one code at most: another one replaces it. For a member, who may create codes with `createMemberSignInCode`, too, the code begins with `engram_invite_`, and is redeemed on the page where members sign in.",
  security: requires("admin"),
  responses: { 201: jsonAnswer("The code.", SignInCode), ...problems(...writeProblems) },
});

export const redeemSignInCode = createRoute({
  operationId: "redeemSignInCode",
  ...sdkMethod({ method: "signInCodes.redeem" }),
  ...sdkExample(`
    const { code } = await engram.signInCodes.create();
    const { secret, expires_at } = await engram.signInCodes.redeem(code);
  `),
  method: "post",
  path: "/v1/sign-in-codes/redeem",
  tags: ["Keys"],
  summary: "Redeem a sign-in code",
  description:
    "Creates a key with the scopes of the key that created the code and the name `console sign-in`. The new key is rejected from twelve hours later on, or when that key expires, if that is earlier. Needs the code as `Authorization: Bearer engram_code_…`. Fails with 401 if the code was used or replaced, if it has expired, if the key that created it was rotated or is not active, and for the code of a member.",
  security: requiresSignInCode,
  responses: {
    201: jsonAnswer("The key with its secret.", ApiKeyWithSecret),
    ...problems("unauthenticated", "host_not_allowed", "internal", "unavailable", "insufficient_storage"),
  },
});
