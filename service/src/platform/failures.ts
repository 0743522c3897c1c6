import { AnswerTimeout } from "./calls.ts";

export type FailedPort = "embedding" | "reranking" | "enrichment" | "summary" | "vector_store";

/** Error codes of Workers AI that mean that the model rejects the input. */
const INPUT_CODES = [3003, 3006, 5004, 5006];
/**
 * Error codes of Workers AI with the HTTP status 429 that may soon pass: the account's rate limit, and no capacity. The
 * third code with this status, 3036, means that the daily quota is used up.
 */
const BUSY_CODES = [3021, 3040];

/** The start of an error message of Workers AI: `5006: …` or `Name: 5006: …`. */
const MODEL_CODE = /^(?:\w+: )?(\d{4})\b/;
/** The HTTP status in an error message of the local program that replaces Workers AI with an endpoint. */
const ENDPOINT_STATUS =
  /^\d{4}: (?:Error: |the (?:embeddings|enrichment) endpoint fails: )?status (\d{3})(?:,|$)/;
/** Error messages of Vectorize: `VECTOR_QUERY_ERROR (code = 40006): …` or `VECTOR_QUERY_ERROR: Status + 500`. */
const STORE_CODE = /^[A-Z_]+_ERROR \(code = (\d+)\)/;
const STORE_STATUS = /^[A-Z_]+_ERROR: Status \+ (\d{3})$/;

/**
 * A failed call of a model or the vector store. Keeps the codes in the original message, but not the message itself,
 * not even as `cause`: it may repeat the input, and errors are logged and stored.
 */
export class PortFailure extends Error {
  readonly details: readonly string[];
  readonly isAboutInput: boolean;
  /** Whether a model has too many requests at the moment. */
  readonly isBusy: boolean;

  constructor(port: FailedPort, error: unknown) {
    const text = error instanceof Error ? error.message : String(error);
    const code = (port === "vector_store" ? STORE_CODE : MODEL_CODE).exec(text)?.[1];
    const status = (port === "vector_store" ? STORE_STATUS : ENDPOINT_STATUS).exec(text)?.[1];
    const details = [
      ...(error instanceof AnswerTimeout ? [error.message] : []),
      ...(error instanceof InvalidAnswer ? [error.message] : []),
      ...(code === undefined ? [] : [`code ${code}`]),
      ...(status === undefined ? [] : [`status ${status}`]),
    ];
    super(named(`${port}_failed`, details));
    this.name = "PortFailure";
    this.details = details;
    this.isAboutInput = INPUT_CODES.includes(Number(code));
    this.isBusy = BUSY_CODES.includes(Number(code));
  }
}

/** A response that cannot be used. The message of this error contains no text of the response. */
export class InvalidAnswer extends Error {}

/**
 * A description that is safe to store and return. The message of any error but a `PortFailure` may contain user text.
 */
export const describeFailure = (error: unknown): string =>
  error instanceof PortFailure ? error.message : "internal_failure";

/** Describes an error that means that the model rejects this text, but accepts others. */
export const describeRefusal = (error: unknown): string =>
  named("text_refused", error instanceof PortFailure ? error.details : []);

const named = (name: string, details: readonly string[]): string =>
  details.length > 0 ? `${name}: ${details.join(", ")}` : name;

/**
 * Runs a call.
 *
 * @throws {PortFailure} for any error of the call.
 */
export async function callPort<T>(port: FailedPort, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new PortFailure(port, error);
  }
}
