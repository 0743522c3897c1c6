import { signal } from "@preact/signals";

const TICK_MS = 30_000;

/** The current time in milliseconds. It changes twice a minute, for times that are shown in relative form. */
export const now = signal(Date.now());

setInterval(() => {
  now.value = Date.now();
}, TICK_MS);
