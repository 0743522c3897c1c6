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
