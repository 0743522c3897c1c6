import type { z } from "zod";
import { DeployError } from "./deploy-error.ts";

const ANSWER_TIMEOUT_MS = 45_000;
const SHOWN_CHARACTERS_MAX = 500;
/** Secrets of API keys, which are removed from responses before they are printed. */
const KEY_SECRET = /engram_sk_\w+/g;

/** A deployed service. */
export interface Target {
  url: string;
  fetch: typeof fetch;
}

export interface Call<T> {
  method?: string;
  path: string;
  token?: string;
  body?: unknown;
  /** Expected status. Default: 200. */
  status?: number;
  answer: z.ZodType<T>;
  signal?: AbortSignal;
}

export class UnexpectedAnswer extends DeployError {
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }
}

/** @throws {UnexpectedAnswer} If the response is not the expected one, or there is none. */
export async function callOnce<T>(target: Target, request: Call<T>): Promise<T> {
  const { path, body, token, status = 200, answer } = request;
  const method = request.method ?? (body === undefined ? "GET" : "POST");
  const timeout = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
  let response: Response;
  let text: string;
  try {
    response = await target.fetch(`${target.url}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "manual",
      signal: request.signal === undefined ? timeout : AbortSignal.any([timeout, request.signal]),
    });
    text = await response.text();
  } catch (error) {
    throw new UnexpectedAnswer(`${method} ${path} got no answer: ${reasonOf(error)}`);
  }
  const { data, success } = answer.safeParse(parsed(text));
  if (response.status === status && success) return data;
  const shownText = text.slice(0, SHOWN_CHARACTERS_MAX).replaceAll(KEY_SECRET, "engram_sk_…");
  throw new UnexpectedAnswer(`${method} ${path} answered ${response.status}: ${shownText}`, response.status);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** The message of a failed `fetch` is only "fetch failed"; the reason is in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
