/** An error that the person at the terminal can fix. It is printed without a stack. */
export class StartError extends Error {
  override name = "StartError";
}
