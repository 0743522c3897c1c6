import { now } from "../clock.ts";
import { formatClock, formatLong, formatRelative } from "../format.ts";

const DAY_MS = 24 * 3_600_000;

/** How long ago something was, with the exact time on hover. */
export function RelativeTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatLong(at)}>
      {formatRelative(at, now.value)}
    </time>
  );
}

/** As `RelativeTime`, below the heading of a day: hours and minutes if it was longer than a day ago. */
export function TimeOfDay({ at }: { at: string }) {
  const isRecent = Math.abs(now.value - Date.parse(at)) < DAY_MS;
  return (
    <time dateTime={at} title={formatLong(at)}>
      {isRecent ? formatRelative(at, now.value) : formatClock(at)}
    </time>
  );
}
