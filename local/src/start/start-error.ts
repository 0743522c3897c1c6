/** An error that the user can fix. Only its message is printed, not its stack. */
export class StartError extends Error {
  override name = "StartError";
}
