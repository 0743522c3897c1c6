/** URL of the service, which a proxy may serve under a path. */
export const SERVICE_URL = new URL(".", location.href).href.replace(/\/$/, "");

/** A signed-in key, or a signed-in member. */
export interface Session {
  /** Of a member, an access token. */
  secret: string;
  /** Name of the member; null for a key. */
  name: string | null;
  /** Id of the key if a sign-in link made it. */
  linkKeyId: string | null;
}

interface Stored extends Session {
  /** Sign-outs before the sign-in. Any later sign-out ends the session, also in a tab that was asleep then. */
  signOuts: string;
}

/** Two services may have the same origin, each under a path of its own. */
const PLACE = location.pathname.replace(/[^/]*$/, "");
const named = (name: string): string => (PLACE === "/" ? name : `${name} ${PLACE}`);
const REMEMBERED_AS = named("engram.key");
const STORED_AS = named("engram.session");
const SIGN_OUTS = named("engram.sign-outs");

/** Time in which another tab may answer. */
const ANSWER_MS = 200;
const ASK = "session?";

const signOuts = (): string => localStorage.getItem(SIGN_OUTS) ?? "0";

/** The session of this tab, or else the key that is kept in this browser. Null if there is none. */
export function keptSession(): Session | null {
  const stored = parse(sessionStorage.getItem(STORED_AS));
  if (stored !== null) return stored;
  sessionStorage.removeItem(STORED_AS);
  const secret = localStorage.getItem(REMEMBERED_AS);
  return secret === null ? null : { secret, linkKeyId: null, name: null };
}

/** Null for what is no session, or one that a sign-out has ended. */
function parse(text: unknown): Session | null {
  let stored: Partial<Stored> | null;
  try {
    stored = JSON.parse(String(text));
  } catch {
    return null;
  }
  if (typeof stored?.secret !== "string" || stored.signOuts !== signOuts()) return null;
  return { secret: stored.secret, linkKeyId: stored.linkKeyId ?? null, name: stored.name ?? null };
}

const toText = (session: Session): string => JSON.stringify({ ...session, signOuts: signOuts() });

/** Keeps a session until the tab is closed, or with `remember` its key in this browser. */
export function keepSession(session: Session, remember: boolean): void {
  if (remember) localStorage.setItem(REMEMBERED_AS, session.secret);
  else sessionStorage.setItem(STORED_AS, toText(session));
}

/** Ends the sessions of all tabs, and forgets the key that is kept in this browser. */
export function endSessions(): void {
  sessionStorage.removeItem(STORED_AS);
  localStorage.removeItem(REMEMBERED_AS);
  localStorage.setItem(SIGN_OUTS, String(Number(signOuts()) + 1));
}

/** Calls `end` when another tab signs out. */
export function whenSignedOut(end: () => void): void {
  addEventListener("storage", ({ key }) => {
    // Null if the whole storage is cleared.
    if (key !== SIGN_OUTS && key !== null) return;
    sessionStorage.removeItem(STORED_AS);
    end();
  });
}

/**
 * Gives the session of this tab to a new tab that asks for it. The messages stay in the browser, and only pages of this
 * origin receive them. They are stored nowhere.
 */
export function shareSession(current: () => Session | null): void {
  const channel = new BroadcastChannel(STORED_AS);
  channel.onmessage = ({ data }) => {
    const session = current();
    if (data === ASK && session !== null) channel.postMessage(toText(session));
  };
}

/** Asks other tabs for their session. Resolves to null if none answers. */
export function askOtherTabs(): Promise<Session | null> {
  const channel = new BroadcastChannel(STORED_AS);
  const { promise, resolve } = Promise.withResolvers<Session | null>();
  channel.onmessage = ({ data }) => {
    const session = parse(data);
    if (session !== null) resolve(session);
  };
  channel.postMessage(ASK);
  setTimeout(() => resolve(null), ANSWER_MS);
  return promise.finally(() => channel.close());
}
