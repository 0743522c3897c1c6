import { openIdMistake } from "@engram/local/openid";
import { exportSPKI, generateKeyPair, importJWK, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import {
  type KnownProviders,
  openIdProvider,
  type PendingSignIn,
  ProviderOutage,
  SignInRefused,
} from "../../src/platform/openid.ts";
import { type OpenIdConfig, openIdConfig } from "../../src/platform/openid-config.ts";
import {
  CLIENT_ID,
  type Faults,
  ISSUER,
  type Issuer,
  MARIA,
  openIssuer,
  type Person,
} from "../support/openid.ts";

const ROOT = "https://engram.test";
const PENDING: PendingSignIn = {
  state: "state-1",
  nonce: "nonce-1",
  verifier: "v".repeat(64),
  redirectUri: `${ROOT}/oidc/callback`,
};

function configOf(issuer: Issuer, changes: Record<string, unknown> = {}): OpenIdConfig {
  const config = openIdConfig({ OIDC: JSON.stringify({ ...issuer.config, ...changes }) });
  if (config === null) throw new Error("there is no provider");
  return config;
}

const clientOf = (
  issuer: Issuer,
  {
    changes = {},
    root = ROOT,
    known = new Map(),
  }: { changes?: Record<string, unknown>; root?: string; known?: KnownProviders } = {},
) => openIdProvider(configOf(issuer, changes), { root, from: issuer, known, nowMs: () => Date.now() });

/** Signs in from the first redirect to the identity. */
async function signIn(issuer: Issuer, changes: Record<string, unknown> = {}) {
  const client = clientOf(issuer, { changes });
  const back = issuer.authorize(await client.begin(PENDING, false));
  return client.finish(PENDING, back.searchParams);
}

async function signInWith(faults: Faults, person: Person = MARIA) {
  const issuer = await openIssuer();
  Object.assign(issuer, { faults, person });
  return signIn(issuer);
}

describe("a sign-in with a provider", () => {
  test.each(["RS256", "ES256", "EdDSA"])("that signs by %s gives who signed in", async (alg) => {
    expect(await signIn(await openIssuer({ alg }))).toEqual({
      issuer: ISSUER,
      subject: "maria-1",
      email: "maria@example.com",
      name: "Maria Rossi",
      organizationIds: null,
      role: undefined,
    });
  });

  test("asks for a code with PKCE by S256, a state and a nonce, at exactly the redirect of the service", async () => {
    const url = await clientOf(await openIssuer()).begin(PENDING, false);
    expect(url.origin + url.pathname).toBe(`${ISSUER}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: CLIENT_ID,
      response_type: "code",
      redirect_uri: `${ROOT}/oidc/callback`,
      scope: "openid email profile",
      state: "state-1",
      nonce: "nonce-1",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
  });

  test("asks for another account as the provider can", async () => {
    const issuer = await openIssuer();
    const promptOf = async () => (await clientOf(issuer).begin(PENDING, true)).searchParams.get("prompt");
    expect(await promptOf()).toBe("login");
    issuer.faults = { metadata: { prompt_values_supported: ["login", "select_account"] } };
    expect(await promptOf()).toBe("select_account");
  });

  test("has no email address unless the provider says that it is verified", async () => {
    for (const email_verified of [false, undefined, "false", 1, "yes"])
      expect((await signInWith({ claims: { email_verified, xms_edov: true } })).email).toBeNull();
    expect((await signInWith({ claims: { email_verified: "true" } })).email).toBe("maria@example.com");
    for (const email of ["no address", 7, `${"m".repeat(300)}@example.com`])
      expect((await signInWith({ claims: { email } })).email).toBeNull();
    expect((await signInWith({ claims: { email: "Maria@Example.COM" } })).email).toBe("maria@example.com");
  });

  test("takes Microsoft's word that the owner of a domain is verified", async () => {
    const issuer = await openIssuer({ issuer: "https://login.microsoftonline.com" });
    issuer.faults = {
      claims: { email_verified: undefined, iss: "https://login.microsoftonline.com/t1/v2.0" },
    };
    issuer.faults.metadata = { issuer: "https://login.microsoftonline.com/t1/v2.0" };
    issuer.faults.parameters = { iss: "https://login.microsoftonline.com/t1/v2.0" };
    issuer.faults.answers = {
      "/t1/v2.0/.well-known/openid-configuration": () =>
        issuer.fetch("https://login.microsoftonline.com/.well-known/openid-configuration", {
          redirect: "manual",
        }),
    };
    const changes = { issuer: "https://login.microsoftonline.com/t1/v2.0" };
    expect((await signIn(issuer, changes)).email).toBeNull();
    issuer.faults.claims = { ...issuer.faults.claims, xms_edov: "1" };
    expect((await signIn(issuer, changes)).email).toBe("maria@example.com");
  });

  test("reads claims that are not in the ID token where the provider has them, and those of nobody else", async () => {
    const issuer = await openIssuer();
    issuer.person = { sub: "maria-1", email_verified: true };
    issuer.userinfo = {
      email: "maria@example.com",
      name: "Maria",
      sub: "maria-1",
      iss: "https://evil.example.com",
    };
    expect(await signIn(issuer)).toMatchObject({ issuer: ISSUER, email: "maria@example.com", name: "Maria" });
    issuer.userinfo = { ...issuer.userinfo, sub: "omar-1" };
    await expect(signIn(issuer)).rejects.toThrow(SignInRefused);
  });

  test("fetches metadata and signing keys once, and keys for an unknown one not before a minute has passed", async () => {
    const issuer = await openIssuer();
    const known: KnownProviders = new Map();
    const again = async () => {
      const client = clientOf(issuer, { known });
      return client.finish(PENDING, issuer.authorize(await client.begin(PENDING, false)).searchParams);
    };
    await again();
    await again();
    issuer.faults = { header: { kid: "key-2" } };
    for (let i = 0; i < 3; i++) await expect(again()).rejects.toThrow(SignInRefused);
    expect(issuer.asked.filter((path) => path !== "/token")).toEqual([
      "/.well-known/openid-configuration",
      "/jwks",
    ]);
  });
});

describe("a sign-in is refused", () => {
  const foreign = async () => (await generateKeyPair("RS256")).privateKey;
  const signed = (
    header: Record<string, unknown>,
    key: () => Promise<Parameters<SignJWT["sign"]>[0]>,
  ): Faults => ({
    sign: async (claims) =>
      new SignJWT(claims).setProtectedHeader({ alg: "RS256", ...header }).sign(await key()),
  });

  test.each<[string, Faults]>([
    ["with the nonce of another sign-in", { claims: { nonce: "nonce-2" } }],
    ["without a nonce", { claims: { nonce: undefined } }],
    ["with an ID token for another client", { claims: { aud: "other-client" } }],
    ["with an ID token for several clients that names no party", { claims: { aud: [CLIENT_ID, "other"] } }],
    ["with an ID token that another client got", { claims: { azp: "other-client" } }],
    ["with an ID token of another issuer", { claims: { iss: "https://evil.example.com" } }],
    ["with an expired ID token", { claims: { exp: Math.floor(Date.now() / 1_000) - 31 } }],
    ["with an ID token without an end", { claims: { exp: undefined } }],
    ["with an ID token of the future", { claims: { iat: Math.floor(Date.now() / 1_000) + 3_600 } }],
    ["with an ID token without a time", { claims: { iat: undefined } }],
    ["with the hash of another access token", { claims: { at_hash: "AAAAAAAAAAAAAAAAAAAAAA" } }],
    ["with an ID token of nobody", { claims: { sub: undefined } }],
    ["with an ID token whose subject is empty", { claims: { sub: "" } }],
    ["with an ID token that is not signed", { sign: async (claims) => new UnsecuredJWT(claims).encode() }],
    [
      "with an ID token that is signed with the public key as a secret",
      {
        sign: async (claims, { jwk }) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: "HS256", kid: "key-1" })
            .sign(new TextEncoder().encode(await exportSPKI((await importJWK(jwk)) as CryptoKey))),
      },
    ],
    [
      "with an ID token that is signed with the client secret",
      {
        sign: async (claims) =>
          new SignJWT(claims)
            .setProtectedHeader({ alg: "HS256" })
            .sign(new TextEncoder().encode("client-secret")),
      },
    ],
    ["with an ID token that another key has signed", signed({ kid: "key-1" }, foreign)],
    ["with an ID token of an unknown key", signed({ kid: "key-2" }, foreign)],
    ["with a key that the ID token brings along", signed({ kid: "key-1", jwk: { kty: "RSA" } }, foreign)],
    ["with the state of another sign-in", { parameters: { state: "state-2" } }],
    ["without a state", { parameters: { state: null } }],
    ["with the answer of another provider", { parameters: { iss: "https://evil.example.com" } }],
    ["with an answer of nobody, of a provider that names itself", { parameters: { iss: null } }],
    ["with a code that the provider did not give", { parameters: { code: "other" } }],
    ["with a token in the redirect", { parameters: { id_token: "x.y.z" } }],
    [
      "without an ID token",
      { answers: { "/token": () => Response.json({ access_token: "a", token_type: "bearer" }) } },
    ],
    ["with an answer that is no JSON", { answers: { "/token": () => new Response("<html>") } }],
    [
      "by a token endpoint that redirects",
      { answers: { "/token": () => Response.redirect(`${ISSUER}/other`) } },
    ],
  ])("%s", async (_, faults) => {
    const refusal = await signInWith(faults).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(SignInRefused);
    expect(String(refusal)).toMatch(/What Example says about you is not valid|invalid_grant/);
  });

  test.each(["PS256", "RS384", "ES384"])(
    "with an ID token that is signed by %s, though the provider offers it",
    async (alg) => {
      const issuer = await openIssuer({ alg });
      issuer.faults = { claims: { at_hash: undefined } };
      await expect(signIn(issuer)).rejects.toThrow(SignInRefused);
    },
  );

  test("by the person or the provider, which says so", async () => {
    await expect(signInWith({ parameters: { code: null, error: "access_denied" } })).rejects.toThrow(
      "Example did not sign you in: access was denied",
    );
    const issuer = await openIssuer();
    await expect(signIn(issuer, { client_secret: "wrong" })).rejects.toThrow(
      "Example refused the sign-in: invalid_client",
    );
  });
});

describe("a provider counts as down", () => {
  test.each<[string, Faults]>([
    ["without a response", { answers: { "/token": () => Promise.reject(new Error("refused")) } }],
    ["with an error of its own", { answers: { "/token": () => new Response("", { status: 502 }) } }],
    ["without its signing keys", { answers: { "/jwks": () => new Response("", { status: 500 }) } }],
    ["with too long a response", { answers: { "/token": () => new Response("x".repeat(600_000)) } }],
    ["with metadata of another issuer", { metadata: { issuer: "https://evil.example.com" } }],
    [
      "with metadata that redirects",
      { answers: { "/.well-known/openid-configuration": () => Response.redirect(ISSUER) } },
    ],
    [
      "with a page that is no URL of a provider",
      { metadata: { authorization_endpoint: "javascript:alert(1)" } },
    ],
    ["with an endpoint without TLS", { metadata: { token_endpoint: "http://id.example.com/token" } }],
    ["with an endpoint on this machine", { metadata: { token_endpoint: "http://127.0.0.1/token" } }],
  ])("%s", async (_, faults) => {
    await expect(signInWith(faults)).rejects.toThrow(ProviderOutage);
  });

  test("without TLS, unless it and the service are on this machine", async () => {
    const issuer = await openIssuer({ issuer: "http://127.0.0.1:9000" });
    const begin = (root: string) => clientOf(issuer, { root }).begin(PENDING, false);
    await expect(begin(ROOT)).rejects.toThrow(ProviderOutage);
    expect(issuer.asked).toEqual([]);
    expect((await begin("http://127.0.0.1:26366")).origin).toBe("http://127.0.0.1:9000");
  });
});

describe("the configuration", () => {
  const valid = { issuer: ISSUER, client_id: "c" };
  const parse = (config: unknown) => openIdConfig({ OIDC: JSON.stringify(config) });

  test("is empty or absent without a provider, and its secret can be in a variable of its own", () => {
    for (const OIDC of [undefined, "", "{}"]) expect(openIdConfig({ OIDC })).toBeNull();
    expect(openIdConfig({ OIDC: JSON.stringify(valid), OIDC_CLIENT_SECRET: "s" })?.client_secret).toBe("s");
  });

  test.each<[string, unknown]>([
    ["an issuer without TLS", { ...valid, issuer: "http://id.example.com" }],
    ["an issuer with a query", { ...valid, issuer: `${ISSUER}?x=1` }],
    ["an issuer with a user", { ...valid, issuer: "https://a:b@id.example.com" }],
    ["an issuer that is no URL", { ...valid, issuer: "id.example.com" }],
    ["no client", { issuer: ISSUER }],
    ["a field that there is not", { ...valid, secret: "s" }],
    ["an organization without a role", { ...valid, organization: "org_1" }],
    [
      "an id that is not an organization's",
      { ...valid, organization: "acme", role: { claim: "r", values: {} } },
    ],
    ["a role that there is not", { ...valid, role: { claim: "r", values: { a: "root" } } }],
    [
      "a role that manages people for everybody",
      { ...valid, role: { claim: "r", values: {}, default: "admin" } },
    ],
    ["a scope of two words", { ...valid, scopes: ["openid email"] }],
    ["a list", [valid]],
  ])("is refused with %s, by the service and by what starts or deploys it", (_, config) => {
    expect(() => parse(config)).toThrow();
    expect(openIdMistake(JSON.stringify(config))).toMatch(/^(needs|has|must) .+\.$/);
  });

  test.each<[string, Record<string, unknown>]>([
    ["a secret, a name and scopes", { client_secret: "s", name: "Acme", scopes: ["openid", "groups"] }],
    ["a provider on this machine", { issuer: "http://localhost:8080/realms/acme" }],
    ["roles alone", { role: { claim: "groups", values: { ops: "owner" } } }],
    ["one organization", { organization: "org_1", role: { claim: "r", values: {}, default: "reader" } }],
    [
      "organizations by a claim",
      { organization: { claim: "t", values: { a: "org_1" } }, role: { claim: "r", values: {} } },
    ],
    ["organizations that a claim names", { organization: { claim: "t" }, role: { claim: "r", values: {} } }],
  ])("may have %s", (_, fields) => {
    expect(parse({ ...valid, ...fields })).toMatchObject(fields);
    expect(openIdMistake(JSON.stringify({ ...valid, ...fields }))).toBeNull();
  });
});

describe("claims map", () => {
  const mapped = async (claims: Record<string, unknown>, config: Record<string, unknown>) => {
    const issuer = await openIssuer();
    issuer.faults = { claims };
    const { organizationIds, role } = await signIn(issuer, config);
    return { organizationIds, role };
  };
  const role = { claim: "groups", values: { ops: "admin", staff: "writer", all: "reader" } };

  test("to one organization, or to those of a claim", async () => {
    const of = async (claims: Record<string, unknown>, organization: unknown) =>
      (await mapped(claims, { organization, role })).organizationIds;
    expect(await of({}, "org_1")).toEqual(["org_1"]);
    expect(await of({ tenant: "org_2" }, { claim: "tenant" })).toEqual(["org_2"]);
    expect(
      await of(
        { tenant: ["a", "b", "x", "constructor"] },
        { claim: "tenant", values: { a: "org_1", b: "org_2" } },
      ),
    ).toEqual(["org_1", "org_2"]);
    expect(await of({ tenant: "' OR 1=1" }, { claim: "tenant" })).toEqual([]);
    expect(await of({ "https://example.com/org": "org_3" }, { claim: "https://example.com/org" })).toEqual([
      "org_3",
    ]);
  });

  test("to the highest role of all values, to the default, or to none", async () => {
    const of = async (groups: unknown, other = {}) =>
      (await mapped({ groups }, { role: { ...role, ...other } })).role;
    expect(await of(["all", "ops", "staff"])).toBe("admin");
    expect(await of("staff")).toBe("writer");
    expect(await of(["admin", "owner", "constructor"])).toBeNull();
    expect(await of(undefined)).toBeNull();
    expect(await of(undefined, { default: "reader" })).toBe("reader");
    expect(
      (await mapped({ realm_access: { roles: ["ops"] } }, { role: { ...role, claim: "realm_access.roles" } }))
        .role,
    ).toBe("admin");
    expect((await mapped({ groups: "ops" }, {})).role).toBeUndefined();
  });
});
