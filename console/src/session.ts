import { ApiError, type ApiKeyWithSecret, Engram } from "@engram/sdk";
import { computed, signal } from "@preact/signals";
import { MESSAGES } from "./messages.ts";
import {
  askOtherTabs,
  endSessions,
  keepSession,
  keptSession,
  SERVICE_URL,
  type Session,
  shareSession,
  whenSignedOut,
} from "./session-store.ts";

/** Characters of a key that are shown, as in the list of keys. */
const KEY_PREFIX = 20;

/** Null before sign-in. */
const session = signal<Session | null>(keptSession());
const key = computed(() => session.value?.secret ?? null);

export const isSignedIn = computed(() => key.value !== null);

/** Whether the secret is the admin token of the service, which is of no organization. */
export const isOperator = computed(() => key.value !== null && !isKey(key.value));

/** Keys, and the access tokens of members. */
const isKey = (secret: string): boolean => secret.startsWith("engram_sk_") || isToken(secret);

const isToken = (secret: string): boolean => /^org_\w+\.grant_/.test(secret);

const client = computed(() => toClient(key.value));

/** The client of the signed-in key. */
export const engram = (): Engram => client.value;

/** Who is signed in: the name of a member, or the first characters of a key, as the list of keys shows them. */
export const signedInAs = computed(() => {
  const { name, secret } = session.value ?? { name: null, secret: "" };
  if (isOperator.value) return MESSAGES.adminToken;
  return name ?? `${secret.slice(0, KEY_PREFIX)}…`;
});

function toClient(apiKey: string | null): Engram {
  return new Engram({ apiKey, baseUrl: SERVICE_URL });
}

/** Resolves once this tab knows whether another one is signed in. */
const joined: Promise<void> = session.value === null ? joinOtherTab() : Promise.resolve();

async function joinOtherTab(): Promise<void> {
  const found = await askOtherTabs();
  // The user may have signed in meanwhile.
  if (found !== null && session.value === null) open(found, false);
}

shareSession(() => (isOperator.value ? null : session.value));
whenSignedOut(() => {
  session.value = null;
  otherOrganization.value = null;
});

/** The admin token is never kept. */
function open(opened: Session, remember: boolean): void {
  if (isKey(opened.secret)) keepSession(opened, remember);
  session.value = opened;
}

/**
 * Checks a key or the admin token, and signs in with it. Any scope is enough.
 *
 * @param remember Whether to keep the key in this browser. Otherwise it is gone when the tab is closed. The admin token
 *   is never kept.
 * @throws {ApiError} `unauthenticated` if the service does not accept the key. {TypeError} if it cannot be a key.
 */
export async function signIn(secret: string, remember: boolean): Promise<void> {
  const asked = toClient(secret);
  try {
    await (isKey(secret) ? asked.conversations : asked.organizations).list({ limit: 1 }).page();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "forbidden")) throw error;
  }
  open({ secret, linkKeyId: null, name: null }, remember);
}

const loadMemberSignIn = () => import("./member-sign-in.ts");

/** Leaves for the page on which members sign in, with the code of a link if there is one. */
export const leaveForSignIn = async (code: string | null): Promise<void> =>
  (await loadMemberSignIn()).leaveForSignIn(code);

/** Signs in the member who comes back from that page. The page has asked them, so it replaces who was signed in. */
export async function finishSignIn(answer: URLSearchParams): Promise<void> {
  const opened = await (await loadMemberSignIn()).finishSignIn(answer);
  if (opened !== null) open(opened, false);
}

/** The key of a sign-in link for another organization than the signed-in one. */
export interface OtherOrganization {
  key: ApiKeyWithSecret;
  /** Name and id of the organization that is signed in. */
  from: string;
  to: string;
}

/** Whether to switch to the organization of a sign-in link, until the user decides. */
export const otherOrganization = signal<OtherOrganization | null>(null);

/**
 * Signs in with the key that a sign-in code is redeemed for. It is gone when the tab is closed. If another organization
 * is signed in, in this tab or another one, sets `otherOrganization` instead: a link from somebody else must not switch
 * to their organization unseen.
 *
 * @throws {ApiError} `unauthenticated` if the code is not valid.
 */
export async function signInWithCode(code: string): Promise<void> {
  const redeemed = await toClient(null).signInCodes.redeem(code);
  await joined;
  const current = key.value;
  const from = current === null ? null : await nameOrganization(current);
  const to = from === null ? null : await nameOrganization(redeemed.secret);
  if (from === null || to === null || from === to) openLink(redeemed);
  else otherOrganization.value = { key: redeemed, from, to };
}

const openLink = ({ secret, id }: ApiKeyWithSecret): void =>
  open({ secret, linkKeyId: id, name: null }, false);

/** Name and id of the organization of a key, or what else tells it from others. Null if the key is not valid. */
async function nameOrganization(secret: string): Promise<string | null> {
  if (!isKey(secret)) return MESSAGES.adminToken;
  try {
    const { name, id } = await toClient(secret).organizations.get("current");
    return `${name} (${id})`;
  } catch (error) {
    if (error instanceof ApiError && error.code === "unauthenticated") return null;
    return `${secret.slice(0, KEY_PREFIX)}…`;
  }
}

/** Switches to the organization of the sign-in link, or stays and revokes the link's key. */
export async function decideSwitch({ key: redeemed }: OtherOrganization, isWanted: boolean): Promise<void> {
  otherOrganization.value = null;
  if (isWanted) openLink(redeemed);
  else await revoke(redeemed.secret, redeemed.id);
}

/** Forgets the key, in all tabs and in this browser, and revokes it if a sign-in link made it. */
export function signOut(): void {
  const ended = session.value;
  endSessions();
  session.value = null;
  if (ended?.linkKeyId) void revoke(ended.secret, ended.linkKeyId);
  if (ended && isToken(ended.secret))
    void loadMemberSignIn().then(({ endSignIn }) => endSignIn(ended.secret));
}

/** Revokes a key of a sign-in link. If this fails, the key ends by itself: nobody has its secret any more. */
const revoke = async (secret: string, id: string): Promise<void> => {
  await toClient(secret)
    .keys.revoke(id)
    .catch(() => {});
};

/** Authorization of the signed-in key. Null before sign-in. */
export const authorization = computed(() => (key.value === null ? null : `Bearer ${key.value}`));
