import packageJson from "../package.json" with { type: "json" };

/** The oldest version of Node that runs this program, such as `20.12`. */
export const NODE_MIN = packageJson.engines.node.replace(">=", "");

/** What is wrong with this Node and what to do. Undefined if it is new enough. */
export function nodeTooOld(version: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [majorMin = 0, minorMin = 0] = NODE_MIN.split(".").map(Number);
  if (major > majorMin || (major === majorMin && minor >= minorMin)) return undefined;
  return `engram needs Node ${NODE_MIN} or later. This is Node ${version}. Install a newer one from https://nodejs.org.`;
}
