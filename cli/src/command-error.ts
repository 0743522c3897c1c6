/** The service skipped items because they, or their user, were deleted with `forget`. All others are stored. */
export const EXIT_FORGOTTEN = 3;

/** An error that the user can resolve. Only its message is printed, not its stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** A path that does not exist, or contains no file of the format. */
export class NotFoundError extends CommandError {
  override name = "NotFoundError";
}

export class UsageError extends CommandError {
  override name = "UsageError";
}

/** What an error response says, as the SDK's `ApiError` has it. */
export class ProblemError extends Error {
  override readonly name = "ProblemError" as const;
  readonly code: string;
  readonly status: number;
  readonly errors: { path: string; message: string }[];
  readonly requestId: string | null;

  /** @param problem The body. It is of another program, such as a proxy, if it is not a problem with a code. */
  constructor({ status, headers }: Response, problem: unknown) {
    const { code, detail, title, errors } = (problem ?? {}) as Record<string, unknown>;
    const isKnown = typeof code === "string";
    const type = headers.get("content-type") ?? "no content type";
    super(
      isKnown
        ? String(detail ?? title ?? code)
        : `The server returned ${status} with ${type}. Check the URL.`,
    );
    this.code = isKnown ? code : "unexpected_response";
    this.status = status;
    this.errors = Array.isArray(errors) ? errors : [];
    this.requestId = headers.get("x-request-id");
  }
}
