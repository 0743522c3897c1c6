import { type Call, type RequestParts, toRequest } from "../../../../../service/test/support/requests.ts";
import { type Operation, operationsOf } from "../neighbour/generated.ts";
import type { TrialService } from "../service.ts";

/** A stream of events is held open for minutes. */
const ANSWER_MS_MAX = 60_000;

export interface Answer {
  operation: string;
  status: number;
  /** Of a problem; null for a success. */
  code: string | null;
  body: unknown;
}

/** Sends requests of the operations of a running service once each, and keeps the answers. */
export class Operations {
  readonly answers: Answer[] = [];
  /** Searches that did not search everything, and said so. */
  degraded = 0;
  readonly #service: TrialService;
  readonly #operations: Map<string, Operation>;

  private constructor(service: TrialService, operations: Operation[]) {
    this.#service = service;
    this.#operations = new Map(operations.map((operation) => [operation.id, operation]));
  }

  static async of(service: TrialService): Promise<Operations> {
    return new Operations(service, operationsOf(await (await fetch(`${service.url}/openapi.json`)).json()));
  }

  list(): string[] {
    return [...this.#operations.keys()];
  }

  has(operation: string): boolean {
    return this.#operations.has(operation);
  }

  isForKeys(operation: string): boolean {
    return this.#operations.get(operation)?.isForKeys ?? false;
  }

  async send(secret: string, operation: string, { headers, ...parts }: RequestParts): Promise<Answer> {
    const target = this.#operations.get(operation);
    if (target === undefined) throw new Error(`The service has no operation ${operation}`);
    const authorized = { ...parts, headers: { authorization: `Bearer ${secret}`, ...headers } };
    const [path, init] = toRequest(target, authorized);
    const response = await fetch(`${this.#service.url}${path}`, {
      ...init,
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const body = await bodyOf(response);
    const { code = null } = response.ok ? {} : (body as { code?: string });
    const answer = { operation, status: response.status, code, body };
    this.answers.push(answer);
    return answer;
  }

  asOperator(operation: string, parts: RequestParts): Promise<Answer> {
    return this.send(this.#service.adminToken, operation, parts);
  }

  callAs(secret: string): Call {
    return async (operation, parts = {}) => {
      const { status, code, body } = await this.send(secret, operation, parts);
      if (status >= 300) throw new Error(`${operation} was answered ${status} ${code}`);
      return body;
    };
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (type.startsWith("text/event-stream")) {
    await response.body?.cancel();
    return {};
  }
  const text = await response.text();
  return type.includes("json") && !type.includes("ndjson") ? JSON.parse(text) : {};
}
