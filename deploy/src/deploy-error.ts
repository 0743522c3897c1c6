/** A reason to stop that the person at the terminal can act on: shown without a stack. */
export class DeployError extends Error {
  override name = "DeployError";
}
