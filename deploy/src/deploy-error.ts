/** An error that the person at the terminal can fix. It is printed without a stack. */
export class DeployError extends Error {
  override name = "DeployError";
}
