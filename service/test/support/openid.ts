import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";

export const ISSUER = "https://id.example.com";
export const CLIENT_ID = "engram-client";
export const CLIENT_SECRET = "client-secret";

export interface Person {
  sub: string;
  email?: string;
  email_verified?: boolean | string;
  name?: string;
  [claim: string]: unknown;
}

/** What a test changes of the answers of a provider. */
export interface Faults {
  /** Claims of the ID token in place of the right ones; undefined leaves one out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  /** Signs the ID token in place of the provider. */
  sign?: (claims: Record<string, unknown>, keys: ProviderKeys) => Promise<string>;
  /** Parameters of the redirect back in place of the right ones; null leaves one out. */
  parameters?: Record<string, string | null>;
  metadata?: Record<string, unknown>;
  /** Answers requests to a path, such as `/token`. */
  answers?: Record<string, () => Response | Promise<Response>>;
}

export interface ProviderKeys {
  privateKey: CryptoKey;
  jwk: JWK;
}

export const MARIA: Person = {
  sub: "maria-1",
  email: "maria@example.com",
  email_verified: true,
  name: "Maria Rossi",
};

/** A provider of OpenID Connect that signs by hand, so that a test can have it sign what no real one would. */
export async function openIssuer({ issuer = ISSUER, alg = "RS256" }: { issuer?: string; alg?: string } = {}) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: "key-1", alg, use: "sig" };
  const codes = new Map<string, { query: URLSearchParams; person: Person }>();

  const metadata = () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [alg, "HS256", "none"],
    authorization_response_iss_parameter_supported: true,
    ...provider.faults.metadata,
  });

  const idToken = async (query: URLSearchParams, person: Person, accessToken: string): Promise<string> => {
    const nowSeconds = Math.floor(Date.now() / 1_000);
    const claims: Record<string, unknown> = {
      ...{ iss: issuer, aud: CLIENT_ID, iat: nowSeconds, exp: nowSeconds + 300 },
      nonce: query.get("nonce"),
      at_hash: await hashOf(accessToken, alg),
      ...person,
      ...provider.faults.claims,
    };
    if (provider.faults.sign) return provider.faults.sign(claims, { privateKey, jwk });
    return new SignJWT(claims)
      .setProtectedHeader({ alg, kid: "key-1", ...provider.faults.header })
      .sign(privateKey);
  };

  const redeem = async (request: Request): Promise<Response> => {
    const form = new URLSearchParams(await request.text());
    const { query, person } = codes.get(form.get("code") ?? "") ?? {};
    codes.delete(form.get("code") ?? "");
    const [, basic = ""] = (request.headers.get("authorization") ?? "").split(" ");
    if (decodeURIComponent(atob(basic)) !== `${CLIENT_ID}:${CLIENT_SECRET}`)
      return Response.json({ error: "invalid_client" }, { status: 401 });
    const isRight =
      query !== undefined &&
      form.get("redirect_uri") === query.get("redirect_uri") &&
      (await hashOf(form.get("code_verifier") ?? "")) === query.get("code_challenge");
    if (!isRight || person === undefined) return Response.json({ error: "invalid_grant" }, { status: 400 });
    const access_token = `access-${person.sub}`;
    return Response.json({
      ...{ access_token, token_type: "Bearer", expires_in: 300 },
      id_token: await idToken(query, person, access_token),
    });
  };

  const provider = {
    issuer,
    /** The value of `OIDC`. */
    config: { issuer, client_id: CLIENT_ID, client_secret: CLIENT_SECRET, name: "Example" } as Record<
      string,
      unknown
    >,
    faults: {} as Faults,
    person: MARIA,
    /** Claims of `/userinfo`. */
    userinfo: {} as Record<string, unknown>,
    /** Paths of the requests so far. */
    asked: [] as string[],
    async fetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
      const request = new Request(input as RequestInfo, init);
      const { origin, pathname } = new URL(request.url);
      if (request.redirect !== "manual") throw new Error("a request that follows redirects");
      if (origin !== issuer) throw new Error(`a request to ${origin}`);
      provider.asked.push(pathname);
      const answer = provider.faults.answers?.[pathname];
      if (answer !== undefined) return answer();
      switch (pathname) {
        case "/.well-known/openid-configuration":
          return Response.json(metadata());
        case "/jwks":
          return Response.json({ keys: [jwk] });
        case "/token":
          return redeem(request);
        case "/userinfo":
          return Response.json({ sub: provider.person.sub, ...provider.userinfo });
        default:
          return new Response("Not found", { status: 404 });
      }
    },
    /** What the provider does with the browser: asks for nothing, and answers where it sends it. */
    authorize(url: string | URL): URL {
      const query = new URL(url).searchParams;
      const code = `code-${codes.size}-${provider.asked.length}`;
      codes.set(code, { query, person: provider.person });
      const back = new URL(query.get("redirect_uri") ?? "");
      const parameters = { code, state: query.get("state"), iss: issuer, ...provider.faults.parameters };
      for (const [name, value] of Object.entries(parameters))
        if (value !== null) back.searchParams.set(name, value);
      return back;
    },
  };
  return provider;
}

export type Issuer = Awaited<ReturnType<typeof openIssuer>>;

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");

/** The challenge of a verifier, or with an algorithm the `at_hash` of a token. */
async function hashOf(text: string, alg?: string): Promise<string> {
  const name = alg === "EdDSA" ? "SHA-512" : "SHA-256";
  const digest = new Uint8Array(await crypto.subtle.digest(name, new TextEncoder().encode(text)));
  return base64url(alg === undefined ? digest : digest.subarray(0, digest.length / 2));
}
