/** What a person can change: its message is all that they need to be told. */
export class CommandError extends Error {
  override name = "CommandError";
}

/** A command line that cannot be obeyed. */
export class UsageError extends CommandError {
  override name = "UsageError";
}
