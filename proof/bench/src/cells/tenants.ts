/** What one organization does in a month, in sessions of one user. */
export interface Tenant {
  name: string;
  messages: number;
  searches: number;
  sessions: number;
  /** As `bench:cells-load` simulates them. */
  sweepsPerSession: number;
}

/** Organizations, and the messages that they keep together. */
export const ORGANIZATIONS = 100_000;
export const KEPT_MESSAGES = 1e9;

/** The busiest hour has this multiple of the mean rate. An assumption. */
export const PEAK = 4;

/** Seconds between two requests of a session. */
export const GAP_SECONDS = 5;

/** A conversation of twenty messages with six searches, fifty times a month. */
export const CHATTY: Tenant = {
  name: "chatty",
  ...{ messages: 1_000, searches: 300, sessions: 50 },
  sweepsPerSession: 3,
};
/**
 * Now and then a request by itself, a message or a search. The counts of usage, which are written a minute later, cause
 * another sweep.
 */
export const SLEEPY: Tenant = {
  name: "sleepy",
  ...{ messages: 10, searches: 5, sessions: 15 },
  sweepsPerSession: 1.6,
};

export const TENANTS: readonly Tenant[] = [CHATTY, SLEEPY];

/** Requests of one session. */
export const requestsPerSession = ({ messages, searches, sessions }: Tenant): number =>
  (messages + searches) / sessions;
