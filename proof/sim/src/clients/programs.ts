import { createHash } from "node:crypto";
import { GRANT_SCOPES, type Grant } from "@engram/spec";
import { type GrantModel, type SignerModel, scopesIn, TOKEN_MS_MIN, TokenModel } from "../model/grants.ts";
import { mayHaveEndedWhileGone, mayOrganizationBeGone } from "../model/presence.ts";
import type { Span } from "../model/write.ts";
import { expect } from "../violation.ts";
import { type Answer, ROOT, type Sent } from "../world.ts";
import { type Client, USER } from "./client.ts";

const REDIRECT = "http://127.0.0.1/callback";
const VERIFIER = "v".repeat(43);
const CHALLENGE = createHash("sha256").update(VERIFIER).digest("base64url");

interface Exchange {
  answer: Answer | null;
  span: Span;
  beganMs: number;
  endedMs: number;
}

/** Connects a program: it registers, a person signs in with a key of their own, and the program redeems the code. */
export async function connectProgram(client: Client): Promise<void> {
  const { model, organization, random } = client;
  const signer = await createSigner(client);
  if (signer === null) return;
  const clientName = `program ${model.nextMarker()}`;
  const metadata = { redirect_uris: [REDIRECT], client_name: clientName, token_endpoint_auth_method: "none" };
  const registered = await exchange(client, { name: "register", path: "/register", body: metadata }, [201]);
  if (registered.answer === null) return;
  const clientId: string = registered.answer.body.client_id;
  const isBeyond = random.chance(0.1);
  const ticked = GRANT_SCOPES.filter(
    (scope) => random.chance(0.9) && (isBeyond || signer.scopes.includes(scope)),
  );
  const scopes: Grant["scopes"] = ticked.length === 0 ? ["read"] : ticked;
  const userId = random.chance(0.3) ? USER : undefined;
  const code = await consent(client, { signer, clientId, scopes, userId });
  if (code === null) return;
  const grant: GrantModel = {
    ...{ id: code.split(":")[0]?.split(".")[1] ?? "", clientId, clientName, signer, scopes, userId },
    ...{ endings: [], tokens: [], processes: [], failedRefreshes: [], hasLostRefresh: false },
  };
  organization.grants.push(grant);
  const redeemed = await exchangeTokens(client, grant, [
    ...Object.entries({ grant_type: "authorization_code", code, code_verifier: VERIFIER }),
    ["redirect_uri", REDIRECT],
  ]);
  const refreshToken = keepToken(client, grant, redeemed);
  if (refreshToken !== null) grant.processes.push({ refreshToken });
}

/** The key of a person. Some expire soon. */
async function createSigner(client: Client): Promise<SignerModel | null> {
  const { random, world } = client;
  const scopes = (["read", "write", "search", "delete"] as const).filter(
    (scope) => scope === "read" || random.chance(0.9),
  );
  const lifetimeMs = random.chance(0.3) ? random.between(70_000, 200_000) : null;
  const expiresAtMs = lifetimeMs === null ? Number.POSITIVE_INFINITY : world.clock.nowMs() + lifetimeMs;
  const expiry = lifetimeMs === null ? {} : { expires_at: new Date(expiresAtMs).toISOString() };
  const { answer } = await client.ask({
    ...{ name: "create a person's key", method: "POST", path: "/v1/keys", once: true },
    body: { name: "person", scopes, ...expiry },
    // It may have expired when the request arrives.
    expected: 400,
  });
  if (answer?.status !== 201) return null;
  const { id, secret } = answer.body;
  return { id, secret, revocations: [], scopes, expiresAtMs, narrowed: null };
}

/** Signs in on the page. Resolves to the code; null if there is none. */
async function consent(
  client: Client,
  {
    signer,
    clientId,
    scopes,
    userId,
  }: { signer: SignerModel; clientId: string; scopes: Grant["scopes"]; userId: string | undefined },
): Promise<string | null> {
  const asked = new URLSearchParams({
    ...{ response_type: "code", client_id: clientId, redirect_uri: REDIRECT, scope: scopes.join(" ") },
    ...{ code_challenge: CHALLENGE, code_challenge_method: "S256", resource: `${ROOT}/mcp` },
  });
  const path = `/authorize?${asked}`;
  const page = await exchange(client, { name: "authorize", method: "GET", path }, [200]);
  if (page.answer === null) return null;
  const { answer, ...at } = await exchange(
    client,
    {
      ...{ name: "consent", path },
      headers: { cookie: page.answer.headers.get("set-cookie")?.split(";")[0] ?? "" },
      form: [
        ["handle", /name="handle" value="([^"]+)"/.exec(page.answer.body)?.[1] ?? ""],
        ["decision", "allow"],
        ["key", signer.secret],
        ["user_id", userId ?? ""],
        ...scopes.map((scope): [string, string] => ["scope", scope]),
      ],
    },
    [302, 400],
  );
  if (answer === null) return null;
  const lacks = (held: readonly string[]) => scopes.some((scope) => !held.includes(scope));
  if (answer.status === 400) {
    const mayBeRefused = mayBeOver(client, signer, [], at) || lacks(signer.narrowed?.scopes ?? signer.scopes);
    expect(mayBeRefused, "grants", () => `${signer.id} cannot allow ${scopes}`);
    return null;
  }
  expect(!lacks(signer.scopes), "grants", () => `${signer.id} with ${signer.scopes} allows ${scopes}`);
  const code = new URL(answer.headers.get("location") ?? "about:blank").searchParams.get("code");
  expect(code !== null, "grants", () => `the redirect is ${answer.headers.get("location")}`);
  return code;
}

/** Renews the tokens of a program, sometimes by two processes at once that have the same refresh token. */
export async function refreshTokens(
  client: Client,
  grant = pick(
    client,
    client.organization.grants.filter((one) => one.processes.length > 0 && mayBeUsed(client, one)),
  ),
): Promise<void> {
  const { random } = client;
  const process = grant && pick(client, grant.processes);
  if (!grant || !process) return;
  const count = grant.processes.length === 1 && random.chance(0.5) ? 2 : 1;
  const { refreshToken } = process;
  const request = async (): Promise<Exchange> => {
    const refresh = { begin: client.step, end: Number.POSITIVE_INFINITY };
    grant.failedRefreshes.push(refresh);
    const exchanged = await exchangeTokens(
      client,
      grant,
      Object.entries({ grant_type: "refresh_token", refresh_token: refreshToken }),
    );
    if (exchanged.answer !== null) refresh.end = exchanged.span.end;
    if (exchanged.answer?.status === 200)
      grant.failedRefreshes = grant.failedRefreshes.filter((one) => one !== refresh);
    return exchanged;
  };
  const answers = await Promise.all(Array.from({ length: count }, request));
  if (answers.some(({ answer }) => answer === null)) grant.hasLostRefresh = true;
  // Another client may have used the token meanwhile.
  const wasUsed = process.refreshToken !== refreshToken;
  if (wasUsed) grant.hasLostRefresh = true;
  const kept = answers.map((answer) => keepToken(client, grant, answer)).filter((token) => token !== null);
  const [first, second] = kept;
  if (first !== undefined && !wasUsed) process.refreshToken = first;
  if (second !== undefined && !wasUsed) grant.processes.push({ refreshToken: second });
}

/** Keeps the access token of an answer. Resolves to the refresh token; null if there is none. */
function keepToken(client: Client, grant: GrantModel, exchanged: Exchange): string | null {
  const { answer, ...at } = exchanged;
  if (answer === null) return null;
  if (answer.status === 400) {
    const mayBeRefused =
      mayBeOver(client, grant.signer, grant.endings, at) ||
      mayHaveEndedWhileGone(grant, client.organization, at.span.end) ||
      grant.hasLostRefresh;
    expect(mayBeRefused, "grants", () => `${grant.id} is refused: ${JSON.stringify(answer.body)}`);
    return null;
  }
  const { access_token, refresh_token, scope } = answer.body;
  const mustBeOver =
    [...grant.endings, ...grant.signer.revocations.map(({ write }) => write)].some(
      (write) => write.done <= at.span.begin,
    ) || grant.signer.expiresAtMs <= at.beganMs;
  expect(!mustBeOver, "grants", () => `${grant.id} has ended, and gets a token`);
  const allowed = [grant.scopes, grant.signer.scopes] as string[][];
  expect(
    scopesIn(scope).every((one) => allowed.every((some) => some.includes(one))),
    "grants",
    () => `a token of ${grant.id} with ${grant.scopes} has ${scope}`,
  );
  grant.tokens.push(new TokenModel(grant, answer.body, at));
  expect(
    access_token.startsWith(`${client.organization.id}.${grant.id}:`),
    "grants",
    () => "of another grant",
  );
  return refresh_token;
}

const exchangeTokens = (client: Client, { clientId }: GrantModel, fields: [string, string][]) =>
  exchange(
    client,
    {
      ...{ name: fields[0]?.[1] === "refresh_token" ? "refresh" : "redeem", path: "/token" },
      form: [...fields, ["client_id", clientId], ["resource", `${ROOT}/mcp`]],
    },
    [200, 400],
  );

/** A request without a key. It is sent once, because its effect cannot be repeated. */
export async function exchange(
  client: Client,
  request: Omit<Sent, "headers" | "method"> & Partial<Sent>,
  expected: number[],
): Promise<Exchange> {
  const { clock } = client.world;
  const begin = client.step;
  const beganMs = clock.nowMs();
  const { answer } = await client.world.send({ method: "POST", headers: {}, ...request }, false);
  const at = { span: { begin, end: client.step }, beganMs, endedMs: clock.nowMs() };
  if (answer === null || answer.status === 503) return { answer: null, ...at };
  expect(
    expected.includes(answer.status),
    "answers",
    () => `${request.name} answers ${answer.status} ${JSON.stringify(answer.body)}`,
  );
  return { answer, ...at };
}

/** Whether a grant of the key may have ended, so that no token can be got with it. */
export const mayBeOver = (
  { organization }: Client,
  signer: SignerModel,
  endings: GrantModel["endings"],
  { span, endedMs }: Pick<Exchange, "span" | "endedMs">,
): boolean =>
  [...endings, ...signer.revocations.map(({ write }) => write)].some(
    (write) => !write.isRefused && write.sent <= span.end,
  ) ||
  endedMs + TOKEN_MS_MIN >= signer.expiresAtMs ||
  mayOrganizationBeGone(organization, span);

/** Whether the grant has a token, and is not known to have ended. */
export const mayBeUsed = ({ world }: Client, { endings, signer, tokens }: GrantModel): boolean =>
  tokens.length > 0 &&
  world.clock.nowMs() < signer.expiresAtMs &&
  ![...endings, ...signer.revocations.map(({ write }) => write)].some(({ done }) => Number.isFinite(done));

export function pick<Item>({ random }: Client, items: readonly Item[]): Item | undefined {
  return items[random.between(0, Math.max(0, items.length - 1))];
}
