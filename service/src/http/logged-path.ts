import type { Hono } from "hono";
import type { AppEnv } from "../invocation.ts";
import { isOwnId } from "../platform/ids.ts";

/** The longest path of a route has eight. */
const SEGMENTS_MAX = 12;

/**
 * Writes a path for the log, without texts of callers: a segment that is neither a word of a route nor an id of the
 * service becomes `*`. Other paths can contain anything, such as the id of a user.
 */
export function toLoggedPath(app: Hono<AppEnv>): (path: string) => string {
  let words: ReadonlySet<string> | undefined;
  return (path) => {
    // Read on first use, after all routes are registered.
    words ??= new Set(
      app.routes.flatMap((route) => route.path.split("/")).filter((word) => !/^[:*]/.test(word)),
    );
    const segments = path.split("/");
    const shown = segments
      .slice(0, SEGMENTS_MAX)
      .map((each) => (words?.has(each) || isOwnId(each) ? each : "*"));
    return [...shown, ...(segments.length > SEGMENTS_MAX ? ["*"] : [])].join("/");
  };
}
