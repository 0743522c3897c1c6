/** An error that the user can resolve. Its message is all that is printed. */
export class CommandError extends Error {
  override name = "CommandError";
}

export class UsageError extends CommandError {
  override name = "UsageError";
}
