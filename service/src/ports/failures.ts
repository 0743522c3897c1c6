import { AnswerTimeout } from "./calls.ts";

/** What failed. */
export type FailedPort = "embedding" | "reranking" | "enrichment" | "vector_store";

/** Workers AI's codes for an input that the model does not take. */
const INPUT_CODES = [3003, 3006, 5004, 5006];

/** `5006: …` as Workers AI begins its messages, some with a name before it. */
const MODEL_CODE = /^(?:\w+: )?(\d{4})\b/;
/** The status of an endpoint in the place of Workers AI, as the local stand-in writes it. */
const ENDPOINT_STATUS =
  /^\d{4}: (?:Error: |the (?:embeddings|enrichment) endpoint fails: )?status (\d{3})(?:,|$)/;
/** `VECTOR_QUERY_ERROR (code = 40006): …` or `VECTOR_QUERY_ERROR: Status + 500`. */
const STORE_CODE = /^[A-Z_]+_ERROR \(code = (\d+)\)/;
const STORE_STATUS = /^[A-Z_]+_ERROR: Status \+ (\d{3})$/;

/**
 * A failure of a model or of the vector store, in our own words and with its codes.
 *
 * None of its text is kept, in `cause` neither: it may repeat what it was sent, and errors are logged and stored.
 */
export class PortFailure extends Error {
  /** Codes and times. */
  readonly details: readonly string[];
  /** Whether the model says that it does not take the input. */
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

/** An answer that is not one; the message is our own. */
export class InvalidAnswer extends Error {}

/** What may be stored and answered of an error: the message of a `PortFailure`; any other may hold text of a user. */
export const describeFailure = (error: unknown): string =>
  error instanceof PortFailure ? error.message : "internal_failure";

/** The same of a text that a model refuses on its own account. */
export const describeRefusal = (error: unknown): string =>
  named("text_refused", error instanceof PortFailure ? error.details : []);

const named = (name: string, details: readonly string[]): string =>
  details.length > 0 ? `${name}: ${details.join(", ")}` : name;

/** Run a call of a port. @throws {PortFailure} for whatever it throws. */
export async function callPort<T>(port: FailedPort, call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new PortFailure(port, error);
  }
}
