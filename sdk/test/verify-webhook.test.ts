// `standardwebhooks`, the reference implementation, signs what `verifyWebhook` reads.
import { createHmac } from "node:crypto";
import { runInNewContext } from "node:vm";
import { type Event, verifyWebhook, WebhookError } from "@engram/sdk";
import { Webhook } from "standardwebhooks";
import * as undici from "undici";
import { describe, expect, test } from "vitest";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER = `whsec_${Buffer.alloc(24, 9).toString("base64")}`;
const EVENT = { id: "evt_06e3tqz8m1k4v9x2c7d0_1042", sequence: 1042, type: "messages.appended" } as Event;
const BODY = JSON.stringify({ type: EVENT.type, timestamp: "2026-11-20T10:00:00.000Z", data: EVENT });

interface Signing {
  secrets?: string[];
  body?: string;
  agoSeconds?: number;
}

function signedHeaders({ secrets = [SECRET], body = BODY, agoSeconds = 0 }: Signing = {}) {
  const at = new Date(Date.now() - 1_000 * agoSeconds);
  return {
    "webhook-id": EVENT.id,
    "webhook-timestamp": String(Math.floor(at.getTime() / 1_000)),
    "webhook-signature": secrets.map((secret) => new Webhook(secret).sign(EVENT.id, at, body)).join(" "),
  };
}

const requestOf = (headers: Record<string, string>, body = BODY) =>
  new Request("https://hooks.example.com/", { method: "POST", headers, body });

const inUpperCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
const inArrays = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));

const codeOf = (verified: Promise<unknown>) =>
  verified.then(
    () => "verified",
    (error: unknown) => (error instanceof WebhookError ? error.code : error),
  );

describe("verifyWebhook", () => {
  test("returns the event of a request that `standardwebhooks` signed", async () => {
    expect(await verifyWebhook(requestOf(signedHeaders()), SECRET)).toEqual(EVENT);
  });

  test.for<[string, (headers: ReturnType<typeof signedHeaders>) => Parameters<typeof verifyWebhook>[0]]>([
    ["headers in upper case and a text", (headers) => ({ headers: inUpperCase(headers), body: BODY })],
    [
      "headers in upper case and bytes",
      (headers) => ({ headers: inUpperCase(headers), body: Buffer.from(BODY) }),
    ],
    ["`Headers` and a text", (headers) => ({ headers: new Headers(headers), body: BODY })],
    ["header values in arrays", (headers) => ({ headers: inArrays(headers), body: BODY })],
    ["headers in a `Map`", (headers) => ({ headers: new Map(Object.entries(headers)), body: BODY })],
    ["pairs of headers", (headers) => ({ headers: Object.entries(headers), body: BODY })],
    ["undici's `Headers`", (headers) => ({ headers: new undici.Headers(headers), body: BODY })],
    [
      "undici's `Request`",
      (headers) => new undici.Request("https://hooks.example.com/", { method: "POST", headers, body: BODY }),
    ],
    ["a body as an `ArrayBuffer`", (headers) => ({ headers, body: new TextEncoder().encode(BODY).buffer })],
    ["a body as a `Uint8Array`", (headers) => ({ headers, body: new TextEncoder().encode(BODY) })],
    [
      "a body in the middle of a larger buffer",
      (headers) => ({ headers, body: Buffer.from(`__${BODY}__`).subarray(2, -2) }),
    ],
    [
      "bytes of another realm",
      (headers) => ({
        headers,
        body: runInNewContext("Uint8Array.from(bytes).buffer", { bytes: Buffer.from(BODY) }),
      }),
    ],
  ])("accepts %s", async ([, requestWith]) => {
    expect(await verifyWebhook(requestWith(signedHeaders()), SECRET)).toEqual(EVENT);
  });

  test.for<[string, unknown]>([
    ["that a server has parsed", JSON.parse(BODY)],
    ["that is missing", undefined],
    ["that is null", null],
    ["that is a list of numbers", [1, 2]],
  ])("asks for the raw body instead of one %s", async ([, body]) => {
    const verified = verifyWebhook({ headers: signedHeaders(), body: body as string }, SECRET);
    await expect(verified).rejects.toMatchObject({
      ...{ name: "WebhookError", code: "no_raw_body" },
      message: expect.stringContaining("Pass the raw body"),
    });
  });

  test("verifies the exact bytes of a non-ASCII body", async () => {
    const event = { ...EVENT, user_id: "日本 é 🦭" };
    const body = JSON.stringify({ data: event });
    expect(await verifyWebhook(requestOf(signedHeaders({ body }), body), SECRET)).toEqual(event);
  });

  test("accepts either secret during a rotation, and any of several secrets", async () => {
    const rotated = signedHeaders({ secrets: [OTHER, SECRET] });
    expect(await verifyWebhook(requestOf(rotated), SECRET)).toEqual(EVENT);
    expect(await verifyWebhook(requestOf(rotated), OTHER)).toEqual(EVENT);
    expect(await verifyWebhook(requestOf(signedHeaders()), [OTHER, SECRET])).toEqual(EVENT);
  });

  test("ignores signatures of other versions", async () => {
    const headers = signedHeaders();
    const signature = headers["webhook-signature"];
    const both = { ...headers, "webhook-signature": `v1a,${signature.slice(3)} v1,%% ${signature}` };
    expect(await verifyWebhook(requestOf(both), SECRET)).toEqual(EVENT);
    const asymmetric = { ...headers, "webhook-signature": `v1a,${signature.slice(3)}` };
    expect(await codeOf(verifyWebhook(requestOf(asymmetric), SECRET))).toBe("wrong_signature");
  });

  test.for<[string, (headers: ReturnType<typeof signedHeaders>) => [Record<string, string>, string?]]>([
    ["the secret is different", () => [signedHeaders({ secrets: [OTHER] })]],
    ["the body is changed", (headers) => [headers, BODY.replace("1042", "1043")]],
    ["the id is changed", (headers) => [{ ...headers, "webhook-id": "evt_06e3tqz8m1k4v9x2c7d0_1" }]],
    ["the time is changed", (headers) => [{ ...headers, "webhook-timestamp": "1700000000" }]],
    ["the signature is truncated", (headers) => [{ ...headers, "webhook-signature": "v1,AAAA" }]],
    ["the signature is empty", (headers) => [{ ...headers, "webhook-signature": "v1," }]],
  ])("rejects a request if %s, as `standardwebhooks` does", async ([, changed]) => {
    const [headers, body = BODY] = changed(signedHeaders());
    expect(() => new Webhook(SECRET).verify(body, headers)).toThrow();
    expect(await codeOf(verifyWebhook(requestOf(headers, body), SECRET))).toBe("wrong_signature");
  });

  test.for([
    [-330, "timestamp_out_of_range"],
    [-290, "verified"],
    [290, "verified"],
    [330, "timestamp_out_of_range"],
  ] as const)("with a timestamp %i seconds ago: %s", async ([agoSeconds, code]) => {
    const headers = signedHeaders({ agoSeconds });
    expect(await codeOf(verifyWebhook(requestOf(headers), SECRET))).toBe(code);
    const judged = () => new Webhook(SECRET).verify(BODY, headers);
    if (code === "verified") judged();
    else expect(judged).toThrow();
  });

  test.for<[string, string, () => Parameters<typeof verifyWebhook>[0] | Promise<Request>]>([
    ["without headers", "missing_header", () => ({ headers: undefined as never, body: BODY })],
    ...["webhook-id", "webhook-timestamp", "webhook-signature"].map(
      (name): [string, string, () => Request] => [
        `without ${name}`,
        "missing_header",
        () => {
          const { [name]: _, ...headers } = signedHeaders() as Record<string, string>;
          return requestOf(headers);
        },
      ],
    ),
    [
      "whose body was read before",
      "no_raw_body",
      async () => {
        const request = requestOf(signedHeaders());
        await request.text();
        return request;
      },
    ],
    [
      "whose signed timestamp is not a number",
      "timestamp_out_of_range",
      () => {
        const signature = createHmac("sha256", Buffer.alloc(32, 7)).update(`${EVENT.id}.soon.${BODY}`);
        const headers = { ...signedHeaders(), "webhook-timestamp": "soon" };
        return requestOf({ ...headers, "webhook-signature": `v1,${signature.digest("base64")}` });
      },
    ],
    ...["not JSON", "null", "{}", `{"data":{"id":1,"type":"a"}}`].map(
      (body): [string, string, () => Request] => [
        `with the signed body ${body}, which is not an event`,
        "invalid_body",
        () => requestOf(signedHeaders({ body }), body),
      ],
    ),
  ])("rejects a request %s, with the code `%s`", async ([, code, create]) => {
    expect(await codeOf(verifyWebhook(await create(), SECRET))).toBe(code);
  });

  test.for(["whsec_", "whsec_%", "secret", SECRET.slice(6)])("rejects the secret %j", async (secret) => {
    await expect(verifyWebhook(requestOf(signedHeaders()), secret)).rejects.toThrow(TypeError);
  });

  test.for([[undefined], [null], [""], [[]], [[SECRET, undefined]]])(
    "asks for the secret instead of %j",
    async ([secret]) => {
      await expect(verifyWebhook(requestOf(signedHeaders()), secret as string)).rejects.toMatchObject({
        ...{ name: "WebhookError", code: "no_secret" },
        message: expect.stringContaining("A secret is missing"),
      });
    },
  );
});
