import { AnswerTimeout } from "./calls.ts";

export type FailedPort = "embedding" | "reranking" | "enrichment" | "vector_store";

/** Of Workers AI, if the model rejects the input. */
const INPUT_CODES = [3003, 3006, 5004, 5006];

/** The start of an error message of Workers AI: `5006: …` or `Name: 5006: …`. */
const MODEL_CODE = /^(?:\w+: )?(\d{4})\b/;
/** The HTTP status in an error message of the local program that replaces Workers AI with an endpoint. */
const ENDPOINT_STATUS =
  /^\d{4}: (?:Error: |the (?:embeddings|enrichment) endpoint fails: )?status (\d{3})(?:,|$)/;
/** `VECTOR_QUERY_ERROR (code = 40006): …` or `VECTOR_QUERY_ERROR: Status + 500`. */
const STORE_CODE = /^[A-Z_]+_ERROR \(code = (\d+)\)/;
const STORE_STATUS = /^[A-Z_]+_ERROR: Status \+ (\d{3})$/;

/**
 * Does not keep the original message, not even as `cause`: it may repeat the input, and errors are logged and stored.
 */
export class PortFailure extends Error {
  readonly details: readonly string[];
  readonly isAboutInput: boolean;

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
  }
}

/** Its message contains no text of the response. */
export class InvalidAnswer extends Error {}

/** Safe to store and return. Any message but that of a `PortFailure` may contain user text. */
export const describeFailure = (error: unknown): string =>
  error instanceof PortFailure ? error.message : "internal_failure";

/** For an error that means that the model rejects this text, but accepts others. */
export const describeRefusal = (error: unknown): string =>
  named("text_refused", error instanceof PortFailure ? error.details : []);

const named = (name: string, details: readonly string[]): string =>
  details.length > 0 ? `${name}: ${details.join(", ")}` : name;

/** @throws {PortFailure} for any error. */
export async function callPort<T>(port: FailedPort, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new PortFailure(port, error);
  }
}
