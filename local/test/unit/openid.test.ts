import { expect, test } from "vitest";
import { readOpenIdVars } from "../../src/openid.ts";

const valid = '{"issuer":"https://id.example.com","client_id":"c"}';

test("ENGRAM_OIDC and its secret become variables of the Worker, which are empty without them", () => {
  expect(readOpenIdVars({})).toEqual({ OIDC: "", OIDC_CLIENT_SECRET: "" });
  expect(readOpenIdVars({ ENGRAM_OIDC: valid, ENGRAM_OIDC_CLIENT_SECRET: "s" })).toEqual({
    OIDC: valid,
    OIDC_CLIENT_SECRET: "s",
  });
});

test.for([
  ["{", "ENGRAM_OIDC must be JSON like"],
  ['{"client_id":"c"}', "ENGRAM_OIDC needs an `issuer`"],
  [valid.replace("client_id", "client"), 'ENGRAM_OIDC has "client", which is none of'],
])("ENGRAM_OIDC may not be %s, and the start says why", ([json, message]) => {
  expect(() => readOpenIdVars({ ENGRAM_OIDC: json })).toThrow(message);
});

test("ENGRAM_OIDC_CLIENT_SECRET is refused without ENGRAM_OIDC", () => {
  expect(() => readOpenIdVars({ ENGRAM_OIDC_CLIENT_SECRET: "s" })).toThrow("needs ENGRAM_OIDC");
});
