import type { Scope } from "@engram/spec";
import { scopesOf, TokenModel } from "../model/grants.ts";
import { mayBeHeld } from "../model/holds.ts";
import { Judge } from "../model/judge.ts";
import type { KeyModel } from "../model/keys.ts";
import { MemoryJudge } from "../model/memory-judge.ts";
import type { Model, OrganizationModel } from "../model/model.ts";
import { mayHaveEndedWhileGone, mayOrganizationBeGone } from "../model/presence.ts";
import type { Owner } from "../model/sharing.ts";
import type { Span, Write } from "../model/write.ts";
import type { Random } from "../random.ts";
import { expect } from "../violation.ts";
import type { Answer, World } from "../world.ts";

const ATTEMPTS_MAX = 4;

/** The only agent that clients name; other memories have no agent. */
export const AGENT = "bot";
/** The users that clients name; other memories have no user. A key is bound to the first. */
export const USER = "ann";
export const USERS = [USER, "bob"];

export interface Ask {
  /** Name in the trace. */
  name: string;
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  body?: unknown;
  lines?: unknown[];
  ifMatch?: string;
  /** Sent with an idempotency key, and therefore retried until a response arrives. */
  once?: boolean;
  /** Safe to repeat without an idempotency key. */
  isRepeatable?: boolean;
  /** Default: any key that the client may use. */
  key?: KeyModel;
  /** A status in addition to those in `EXPECTED`. */
  expected?: number;
  /** Scopes that it requires, if it is no operation of the API. */
  scopes?: readonly Scope[];
  /** Converts the answer of a protocol over HTTP to one with the status of the API. */
  read?: (answer: Answer) => Answer;
}

export interface Outcome {
  /** Null when the outcome is unknown. */
  answer: Answer | null;
  /** From sending the answered attempt to receiving its response. */
  span: Span;
  /** Whether another delivery may have taken effect, or may still do so. */
  isRepeated: boolean;
}

/** Statuses that a correct client may receive. */
const EXPECTED = [200, 201, 202, 401, 404, 409, 412, 503];

/** A sequential client of one organization. It assumes only what responses have shown. */
export class Client {
  readonly world: World;
  readonly model: Model;
  readonly organization: OrganizationModel;
  readonly judge: Judge;
  readonly memoryJudge: MemoryJudge;
  /** Set once faults are over, so that any error is a violation. */
  isClear = false;

  /**
   * The agent that its only key is bound to. Undefined for a client that uses any key of the organization.
   */
  readonly agentId: string | undefined;
  /** The same for a user. */
  readonly userId: string | undefined;
  /** What it sends instead of a key. */
  readonly token: TokenModel | undefined;

  constructor(
    world: World,
    model: Model,
    organization: OrganizationModel,
    owner: Owner = {},
    token?: TokenModel,
  ) {
    this.world = world;
    this.model = model;
    this.organization = organization;
    this.judge = new Judge(model, organization);
    this.memoryJudge = new MemoryJudge(model, organization, owner);
    this.agentId = owner.agentId;
    this.userId = owner.userId;
    this.token = token;
  }

  get random(): Random {
    return this.world.random;
  }

  get step(): number {
    return this.world.clock.step;
  }

  /** Send a request, retry it while that is safe, and check what every response must satisfy. */
  async ask(ask: Ask): Promise<Outcome> {
    const { clock, random } = this.world;
    const { agentKey, keys, userKey } = this.organization;
    const boundKey = this.agentId !== undefined ? agentKey : this.userId !== undefined ? userKey : undefined;
    const key = ask.key ?? this.token ?? boundKey ?? random.pick(keys);
    const isSafe =
      ask.once === true || ask.isRepeatable === true || ask.method === "GET" || ask.method === "DELETE";
    const headers: Record<string, string> = {
      authorization: `Bearer ${key.secret}`,
      ...(ask.ifMatch === undefined ? {} : { "if-match": ask.ifMatch }),
      ...(ask.once === true ? { "idempotency-key": `k${random.between(0, 0x7fffffff)}` } : {}),
    };
    const { name, method, path, body, lines } = ask;
    const request = { name, method, path, headers, body, ...(lines === undefined ? {} : { lines }) };
    let wasRepeated = false;
    for (let attempt = 1; ; attempt++) {
      const begin = this.step;
      const beganMs = clock.nowMs();
      const { answer: received, isRepeated } = await this.world.send(request, isSafe);
      const answer = received === null ? null : (ask.read?.(received) ?? received);
      const span = { begin, end: this.step };
      wasRepeated ||= isRepeated || attempt > 1;
      const isKnown = answer !== null && answer.status !== 503;
      if (answer !== null) this.#judgeAnswer(ask, answer, key, { ...span, beganMs });
      expect(isKnown || !this.isClear, "available", () => `${ask.name} fails for no reason`);
      if (isKnown) return { answer, span, isRepeated: wasRepeated };
      if (!isSafe || attempt === ATTEMPTS_MAX) return { answer: null, span, isRepeated: true };
      await clock.sleep(random.between(100, 8_000));
    }
  }

  /** Record the outcome of a write. Returns true when it is known to be done. */
  settle(write: Write, { answer, isRepeated }: Outcome): boolean {
    if (answer !== null && answer.status < 300) {
      write.done = this.step;
      return true;
    }
    if (answer !== null && !isRepeated) write.isRefused = true;
    return false;
  }

  #judgeAnswer(ask: Ask, answer: Answer, key: KeyModel, span: Span & { beganMs: number }): void {
    const { status, body } = answer;
    const token = key instanceof TokenModel ? key : null;
    const scopes = token === null ? [] : (ask.scopes ?? scopesOf(ask));
    const lacks = status === 403 && token?.mayLack(scopes) === true;
    expect(
      EXPECTED.includes(status) || status === ask.expected || lacks,
      "answers",
      () => `${ask.name} answers ${status} ${JSON.stringify(body)}`,
    );
    if (status === 409 && body.code === "held")
      expect(mayBeHeld(this.organization, span), "held", () => `${ask.name} is refused, and nothing is held`);
    if (token !== null) this.model.programRequests.set(answer.headers.get("x-request-id") ?? "", token.grant);
    if (status === 401) {
      const mayBeDead =
        key.revocations.some(({ write }) => !write.isRefused && write.sent <= span.end) ||
        token?.mayHaveEnded(span.end, this.world.clock.nowMs()) === true ||
        (token !== null && mayHaveEndedWhileGone(token.grant, this.organization, span.end)) ||
        mayOrganizationBeGone(this.organization, span);
      expect(mayBeDead, "keys", () => `${key.id} is refused`);
    }
    if (status > 299) return;
    // Isolates cache keys, but every database call checks them.
    const mustBeDead = key.revocations.some(({ write }) => write.done <= span.begin);
    const invariant = token === null ? "keys" : "grants";
    expect(!mustBeDead, invariant, () => `${key.id} was revoked, and ${ask.name} answers ${status}`);
    expect(
      token?.hasEnded(span.beganMs) !== true,
      invariant,
      () => `${key.id} has ended, and ${ask.name} answers ${status}`,
    );
    expect(
      token?.mustLack(scopes, span.beganMs) !== true,
      invariant,
      () => `${key.id} may not ${scopes}, and ${ask.name} answers ${status}`,
    );
  }
}
