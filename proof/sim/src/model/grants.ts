import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Scope } from "@engram/spec";
import type { KeyModel } from "./keys.ts";
import type { Span, Write } from "./write.ts";

/** How long an isolate may use what it has read of a key. Each batch still checks that the key and the grant are valid. */
export const CACHE_MS = 5_000;

/**
 * A token that would end sooner is not given: a refresh within this time of the end of the key ends the grant. It has a
 * second more, because tokens end at whole seconds.
 */
export const TOKEN_MS_MIN = 61_000;

/** A key with which a person signs in. */
export interface SignerModel extends KeyModel {
  scopes: readonly Scope[];
  expiresAtMs: number;
  /** The scopes that it has had since a time. */
  narrowed: { scopes: readonly Scope[]; atMs: number } | null;
}

/** What a person has allowed a program. */
export interface GrantModel {
  id: string;
  clientId: string;
  clientName: string;
  signer: SignerModel;
  scopes: readonly Scope[];
  /** The only user whose data the program may access. */
  userId: string | undefined;
  /** Its deletions, and the revocations of its refresh tokens. */
  endings: Write[];
  tokens: TokenModel[];
  /** The newest refresh token of each process of the program. */
  processes: { refreshToken: string }[];
  /** Refreshes that gave no tokens. Without a response, one may still be served, so its end is infinite. */
  failedRefreshes: Span[];
  /** Whether the answer to a refresh was lost. It may have ended the tokens that another refresh has given. */
  hasLostRefresh: boolean;
}

interface Times {
  beganMs: number;
  endedMs: number;
}

/** An access token, with which a program acts as with a key. */
export class TokenModel implements KeyModel {
  readonly id: string;
  readonly secret: string;
  readonly grant: GrantModel;
  readonly #scopes: readonly string[];
  readonly #expiry: { earliestMs: number; latestMs: number };
  /** Revocations of this token alone, which an isolate that has it in its cache does not learn of. */
  readonly endings: { write: Write; doneMs: number }[] = [];

  constructor(
    grant: GrantModel,
    answer: { access_token: string; expires_in: number; scope: string },
    { beganMs, endedMs }: Times,
  ) {
    this.id = `a token of ${grant.id}`;
    this.secret = answer.access_token;
    this.grant = grant;
    this.#scopes = scopesIn(answer.scope);
    // It begins at a whole second.
    const lifetimeMs = answer.expires_in * 1_000;
    this.#expiry = { earliestMs: beganMs + lifetimeMs - 1_000, latestMs: endedMs + lifetimeMs };
  }

  get revocations(): { write: Write }[] {
    const { endings, signer } = this.grant;
    return [...signer.revocations, ...endings.map((write) => ({ write }))];
  }

  /** Whether it may have ended by then without its grant: expired, or revoked alone. */
  mayHaveEnded(end: number, atMs: number): boolean {
    const { signer } = this.grant;
    return (
      atMs >= Math.min(this.#expiry.earliestMs, signer.expiresAtMs - TOKEN_MS_MIN) ||
      this.endings.some(({ write }) => !write.isRefused && write.sent <= end)
    );
  }

  hasEnded(atMs: number): boolean {
    return (
      atMs > Math.min(this.#expiry.latestMs, this.grant.signer.expiresAtMs) ||
      this.endings.some(({ doneMs }) => doneMs + CACHE_MS < atMs)
    );
  }

  /** Whether a request may be refused for want of these scopes. */
  mayLack(scopes: readonly Scope[]): boolean {
    const { signer, scopes: granted } = this.grant;
    const held = [this.#scopes, granted, signer.narrowed?.scopes ?? signer.scopes];
    return scopes.some((scope) => !held.every((some) => some.includes(scope)));
  }

  /** Whether a request that began then must be refused for want of these scopes. */
  mustLack(scopes: readonly Scope[], beganMs: number): boolean {
    const { signer, scopes: granted } = this.grant;
    const { narrowed } = signer;
    const ofKey = narrowed !== null && narrowed.atMs + CACHE_MS <= beganMs ? narrowed.scopes : signer.scopes;
    const held = [this.#scopes, granted, ofKey];
    return scopes.some((scope) => !held.every((some) => some.includes(scope)));
  }
}

/** The scopes of a text. Those of a key that was narrowed can be none. */
export const scopesIn = (text: string): string[] => text.split(" ").filter((scope) => scope !== "");

interface Operation {
  security?: { apiKey?: Scope[] }[];
}
const DOCUMENT = join(import.meta.dirname, "../../../../spec/openapi.json");
const { paths } = JSON.parse(readFileSync(DOCUMENT, "utf8")) as {
  paths: Record<string, Record<string, Operation>>;
};
/** The scopes of each operation. Of two paths that match, the one with fewer parameters comes first. */
const OPERATIONS = Object.entries(paths)
  .sort(([one], [other]) => one.split("{").length - other.split("{").length)
  .flatMap(([path, operations]) => {
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
    return Object.entries(operations).map(([method, { security = [] }]) => ({
      ...{ pattern, method },
      scopes: security.find((one) => one.apiKey !== undefined)?.apiKey ?? [],
    }));
  });

/** The scopes that a request of the API requires. */
export function scopesOf({ method, path }: { method: string; path: string }): readonly Scope[] {
  const [place = ""] = path.split("?");
  const found = OPERATIONS.find((one) => one.method === method.toLowerCase() && one.pattern.test(place));
  if (found === undefined) throw new Error(`no operation ${method} ${place}`);
  return found.scopes;
}
