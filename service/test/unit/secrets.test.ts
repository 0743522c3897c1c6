import { expect, test } from "vitest";
import { createSecret, isWellFormedSecret, organizationIn, secretPrefix } from "../../src/keys/secrets.ts";
import { createId } from "../../src/platform/ids.ts";
import { systemRuntime } from "../../src/platform/runtime.ts";

const ORGANIZATION = "06e3tqz8m1k4v9x2c7d0";
const RANDOM = "a8XkQ2m5Zt7Lw0cVb3Nf6Rj9Hd1Gs4Py";
/** Literals, so that no change of the code makes existing keys invalid. */
const CURRENT = `engram_sk_live_${RANDOM}${ORGANIZATION}cH26IE`;
const EARLIER = `engram_sk_live_${RANDOM}i4Cb4W`;

test("a new secret is well formed, names its organization and is of letters and digits", async () => {
  const organizationId = createId(systemRuntime, "org");
  const secret = await createSecret(systemRuntime, organizationId);
  expect(secret).toMatch(/^engram_sk_live_[0-9A-Za-z]{58}$/);
  expect(organizationIn(secret)).toBe(organizationId);
  expect(await isWellFormedSecret(secret)).toBe(true);
});

test("the shown prefixes of one organization's secrets differ", async () => {
  const byte = (value: number) => ({
    ...systemRuntime,
    randomBytes: (length: number) => new Uint8Array(length).fill(value),
  });
  const secrets = [1, 2].map((value) => createSecret(byte(value), `org_${ORGANIZATION}`));
  expect((await Promise.all(secrets)).map(secretPrefix)).toEqual([
    "engram_sk_live_1111",
    "engram_sk_live_2222",
  ]);
});

test.for([
  ["the current form", CURRENT, `org_${ORGANIZATION}`],
  ["the earlier form, which names no organization", EARLIER, null],
] as const)("a secret of %s is well formed", async ([, secret, organization]) => {
  expect(await isWellFormedSecret(secret)).toBe(true);
  expect(organizationIn(secret)).toBe(organization);
});

test.for([CURRENT, EARLIER])("a changed, missing or added character makes %s malformed", async (secret) => {
  for (let at = 0; at < secret.length; at++) {
    const [before, after] = [secret.slice(0, at), secret.slice(at + 1)];
    for (const typo of [
      before + (secret[at] === "x" ? "y" : "x") + after,
      before + after,
      `${before}x${secret.slice(at)}`,
    ])
      expect(await isWellFormedSecret(typo), typo).toBe(false);
  }
  expect(await isWellFormedSecret(`${secret}x`)).toBe(false);
});

test.for([
  ["an organization cut off", CURRENT.replace(ORGANIZATION, "")],
  ["another organization", CURRENT.replace(ORGANIZATION, "1m8065tjy793709ces30")],
  ["an organization added", EARLIER.replace(RANDOM, RANDOM + ORGANIZATION)],
  ["nothing but its prefix", "engram_sk_live_"],
] as const)("a secret with %s is malformed", async ([, text]) => {
  expect(await isWellFormedSecret(text)).toBe(false);
});
