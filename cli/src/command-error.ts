/** An error that the user can resolve. Only its message is printed, not its stack. */
export class CommandError extends Error {
  override name = "CommandError";
}

export class UsageError extends CommandError {
  override name = "UsageError";
}
